import type { z } from 'zod/mini';
import { ServiceError } from '../protocol/errors/service-error.ts';
import type { Settings, settingsChange } from '../protocol/messages/wallet-messages.ts';
import {
  deleteKeyIn,
  keyIn,
  keyTransaction,
  putKeyIn,
  readKey,
  type ReadingKeys,
  type WritingKeys,
} from './store/database.ts';
import { part, type Wallet } from './platform.ts';

/** Default settings of a new wallet. */
export const defaultSettings = part((wallet): Settings => ({
  network: 'devnet',
  serviceUrl: wallet.serviceUrl,
  noAccount: false,
  arcUrl: null,
  wocUrl: null,
  ordinalsUrl: null,
  currency: 'USD',
  lockAfterMinutes: 15,
  theme: 'system',
  language: 'system',
  notify: true,
  singleKeys: true,
}));

export async function readSettings(wallet: Wallet): Promise<Settings> {
  return { ...defaultSettings(wallet), ...(await readKey(wallet, 'settings')) };
}

/** Same as {@link readSettings}, within a transaction. */
export async function settingsIn(wallet: Wallet, tx: ReadingKeys): Promise<Settings> {
  return { ...defaultSettings(wallet), ...(await keyIn(tx, 'settings')) };
}

/** Returns the origin of the account's service; null if there is no account. */
export async function accountAt(wallet: Wallet): Promise<string | null> {
  return (await readKey(wallet, 'account')) ? new URL((await readSettings(wallet)).serviceUrl).origin : null;
}

/**
 * Stores changed settings and returns all settings. Defaults aren't stored. Changing the service, or choosing no
 * account, deletes the account.
 * @param since the settings when the change began; another service chosen since then remains
 * @throws ServiceError `wrong-network` (an existing wallet can't change networks), `busy` (another service was chosen)
 */
export async function writeSettings(
  wallet: Wallet,
  change: Partial<Settings>,
  since?: Pick<Settings, 'serviceUrl'>,
): Promise<Settings> {
  const tx = await keyTransaction(wallet);
  const isLate = since !== undefined && (await settingsIn(wallet, tx)).serviceUrl !== since.serviceUrl;
  if (isLate) throw new ServiceError('busy', { message: 'Another service was chosen in the meantime. Try again.' });
  const settings = await writeSettingsIn(wallet, tx, change);
  await tx.done;
  return settings;
}

/** Same as {@link writeSettings}, within a transaction. Throws before it writes anything. */
export async function writeSettingsIn(wallet: Wallet, tx: WritingKeys, change: Partial<Settings>): Promise<Settings> {
  const stored = await keyIn(tx, 'settings');
  const before = { ...defaultSettings(wallet), ...stored };
  if (change.network !== undefined && change.network !== before.network && (await keyIn(tx, 'vault')) !== undefined)
    throw new ServiceError('wrong-network');
  await putKeyIn(tx, 'settings', { ...stored, ...change });
  // Accounts and rates are specific to a service. With a different service, the identity key may have no account or a
  // different one.
  const isLeft = change.serviceUrl !== undefined && change.serviceUrl !== before.serviceUrl;
  if (isLeft || change.noAccount) await deleteKeyIn(tx, 'account');
  if (isLeft) await deleteKeyIn(tx, 'rates');
  return { ...before, ...change };
}

/**
 * Validates changed settings, with the service URL reduced to its origin. Plain HTTP is allowed only for this machine.
 * @throws ServiceError `invalid-service-address`
 */
export function checkedChange(change: z.infer<typeof settingsChange>): Partial<Settings> {
  const { serviceUrl, ...rest } = change;
  const defined = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as Partial<Settings>;
  if (serviceUrl === undefined) return defined;
  const url = URL.canParse(serviceUrl) ? new URL(serviceUrl) : null;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isReachableLoopback(url.hostname));
  if (!url || !isSecure || ![url.origin, `${url.origin}/`].includes(url.href))
    throw new ServiceError('invalid-service-address');
  return { ...defined, serviceUrl: url.origin };
}

/**
 * True for names of this machine that the manifest allows the wallet to contact. `isLoopbackHost` accepts more names,
 * but the only IP address that a content security policy can allow is 127.0.0.1 (CSP 3, "host-part matches").
 */
export function isReachableLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}
