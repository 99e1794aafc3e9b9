/**
 * If the wallet was loaded from a folder or a file, and so isn't updated automatically, checks whether the service
 * offers a newer version. The daily query contains no data about the wallet, not even its version. A lying service can
 * only cause a link to its own page to be shown.
 */
import { isNewer, walletReleaseResponse } from '../../protocol/http/wallet-release.ts';
import type { WalletUpdate } from '../../protocol/messages/wallet-messages.ts';
import { parseJson, send } from '../chain/http.ts';
import { keyTransaction, readKey } from '../store/database.ts';
import type { KeyedValues } from '../store/schema.ts';
import { announceChange } from '../events.ts';
import { defaultSettings, readSettings } from '../settings.ts';
import type { Wallet } from '../platform.ts';

/** How long a response is cached (milliseconds). */
const DAY_MS = 24 * 3_600_000;
/** Delay before a failed request is repeated (milliseconds). */
const AGAIN_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
/** Maximum response size (bytes). A response contains only a version number. */
const MAX_RESPONSE_BYTES = 1_000;

type KnownRelease = KeyedValues['release'];

/** True if updates are manual. Stores and administrators update wallets automatically. */
const isUpdatedByHand = async (wallet: Wallet) => (await wallet.management.getSelf()).installType === 'development';

/** Returns the newer version offered by the user's service; null if none is known or the browser updates the wallet. */
export async function availableUpdate(wallet: Wallet): Promise<WalletUpdate | null> {
  const release = await readKey(wallet, 'release');
  const { serviceUrl } = await readSettings(wallet);
  if (!release?.version || release.service !== serviceUrl) return null;
  if (!isNewer(release.version, wallet.runtime.getManifest().version) || !(await isUpdatedByHand(wallet))) return null;
  return { version: release.version, url: `${serviceUrl}/#wallet` };
}

/** Requests the version that the service offers, if due. Never throws: failed requests are retried later. */
export async function fetchRelease(wallet: Wallet): Promise<void> {
  try {
    if (!(await isUpdatedByHand(wallet))) return;
    const service = await beginAsking(wallet, wallet.now());
    if (service === null) return;
    const { status, text } = await send(wallet, `${service}/api/v2/wallet-release`, {
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    const read = walletReleaseResponse.safeParse(parseJson(text));
    const version = status === 200 && read.success ? read.data.version : null;
    await keep(wallet, { service, version, nextAt: wallet.now() + DAY_MS });
    announceChange(wallet);
  } catch {
    // unreachable, or the response is too large
  }
}

/**
 * Records that a request has begun, so neither a second call nor a restart repeats it immediately.
 * @returns the service to query; null if no request is due or there is no wallet
 */
async function beginAsking(wallet: Wallet, now: number): Promise<string | null> {
  const tx = await keyTransaction(wallet);
  const read = async <K extends keyof KeyedValues>(key: K) => (await tx.store.get(key)) as KeyedValues[K] | undefined;
  const known = await read('release');
  const service = (await read('settings'))?.serviceUrl ?? defaultSettings(wallet).serviceUrl;
  const same = known?.service === service;
  // A time more than a day ahead was stored before the clock was set back.
  const waits = same && known.nextAt > now && known.nextAt - now <= DAY_MS;
  const due = !waits && (await read('vault')) !== undefined;
  if (due) await tx.store.put({ service, version: same ? known.version : null, nextAt: now + AGAIN_MS }, 'release');
  await tx.done;
  return due ? service : null;
}

/** Stores the response, unless the wallet was removed or has switched services in the meantime. */
async function keep(wallet: Wallet, release: KnownRelease): Promise<void> {
  const tx = await keyTransaction(wallet);
  const known = (await tx.store.get('release')) as KnownRelease | undefined;
  if (known?.service === release.service) await tx.store.put(release, 'release');
  await tx.done;
}
