/**
 * Whether the service offers a newer wallet, for wallets that nobody updates: those that were loaded from a folder or a
 * file. The service is asked once a day, by a request that says nothing about the wallet, not even its version. A lying
 * service can have a line shown that leads to its own page, and nothing else.
 */
import browser from 'webextension-polyfill';
import { isNewer, walletReleaseResponse } from '../../../protocol/wallet-release.ts';
import type { WalletUpdate } from '../../../protocol/wallet-messages.ts';
import { parseJson, send } from '../chain/http.ts';
import { type KeyedValues, keyTransaction, readKey } from '../database.ts';
import { announceChange } from '../events.ts';
import { DEFAULT_SETTINGS, readSettings } from '../settings.ts';

/** How long an answer is good for, and after how long the service is tried again where none came (milliseconds). */
const DAY_MS = 24 * 3_600_000;
const AGAIN_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
/** The answer is a version: much more than that is not read. */
const MOST_BYTES = 1_000;

type KnownRelease = KeyedValues['release'];

/** True where nobody else updates the wallet: stores and administrators do so by themselves. */
const isUpdatedByHand = async () => (await browser.management.getSelf()).installType === 'development';

/** The newer wallet of the user's service, as far as is known; null where there is none, or the browser updates it. */
export async function availableUpdate(): Promise<WalletUpdate | null> {
  const release = await readKey('release');
  const { serviceUrl } = await readSettings();
  if (!release?.version || release.service !== serviceUrl) return null;
  if (!isNewer(release.version, browser.runtime.getManifest().version) || !(await isUpdatedByHand())) return null;
  return { version: release.version, url: `${serviceUrl}/#wallet` };
}

/** Asks the service for its wallet's version if that is due. Never throws: it is asked again later. */
export async function askForRelease(): Promise<void> {
  try {
    if (!(await isUpdatedByHand())) return;
    const service = await beginAsking(Date.now());
    if (service === null) return;
    const { status, text } = await send(`${service}/api/v2/wallet-release`, {
      maxBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    const read = walletReleaseResponse.safeParse(parseJson(text));
    const version = status === 200 && read.success ? read.data.version : null;
    await keep({ service, version, nextAt: Date.now() + DAY_MS });
    announceChange();
  } catch {
    // Unreachable, or too much of an answer.
  }
}

/**
 * Stores that the service is being asked, so that neither a second call nor a restart asks again at once.
 * @returns the service to ask; null where it is not due, or where there is no wallet
 */
async function beginAsking(now: number): Promise<string | null> {
  const tx = await keyTransaction();
  const read = async <K extends keyof KeyedValues>(key: K) => (await tx.store.get(key)) as KeyedValues[K] | undefined;
  const known = await read('release');
  const service = (await read('settings'))?.serviceUrl ?? DEFAULT_SETTINGS.serviceUrl;
  const same = known?.service === service;
  // A time further off than a day was set by a clock that has since been put back.
  const waits = same && known.nextAt > now && known.nextAt - now <= DAY_MS;
  const due = !waits && (await read('vault')) !== undefined;
  if (due) await tx.store.put({ service, version: same ? known.version : null, nextAt: now + AGAIN_MS }, 'release');
  await tx.done;
  return due ? service : null;
}

/** Stores the answer, unless the wallet was removed or moved to another service meanwhile. */
async function keep(release: KnownRelease): Promise<void> {
  const tx = await keyTransaction();
  const known = (await tx.store.get('release')) as KnownRelease | undefined;
  if (known?.service === release.service) await tx.store.put(release, 'release');
  await tx.done;
}
