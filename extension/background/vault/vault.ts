/** Creating, unlocking and locking the wallet; its words and its password. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { WalletResults } from '../../../protocol/wallet-messages.ts';
import { isReadable, keyTransaction, readKey } from '../database.ts';
import { readSettings } from '../settings.ts';
import { tryPassword } from './attempts.ts';
import { publicKeysOf, type PublicKeys } from './keys.ts';
import { ITERATIONS, openSealed, seal, sealWithKey, type OpenedVault, type SealedVault } from './seal.ts';
import { beginUnlocking, dropSeed, holdSeed, unlockedUntil, type Beginning } from './session.ts';
import { markCreated, markWallet, mayVanish, readMark } from './wallet-mark.ts';
import { normalizeWords, seedOf } from './words.ts';
import { announceChange } from '../events.ts';

/** Minimum characters of a password. The windows are stricter, and reject easy ones (zxcvbn). */
const MIN_PASSWORD_LENGTH = 10;

const lockTime = async () => Date.now() + (await readSettings()).lockAfterMinutes * 60_000;

/** Whether there is a wallet, whether it is locked, and when it locks (milliseconds since 1970). */
export async function vaultStatus(): Promise<{ exists: boolean; locked: boolean; lockAt: number | null }> {
  const exists = await hasVault();
  const lockAt = exists ? await unlockedUntil() : null;
  return { exists, locked: lockAt === null, lockAt };
}

const hasVault = async (): Promise<boolean> => (await readKey('vault')) !== undefined;

/** The same for windows: `lost` if the wallet's data is gone or unreadable, `mayVanish` if it may be deleted. */
export async function shownStatus(): Promise<WalletResults['vault/status']> {
  if (!(await isReadable())) return { exists: false, locked: true, lockAt: null, lost: true };
  const status = await vaultStatus();
  if (status.exists) await markWallet(hasVault);
  const lost = !status.exists && (await readMark()) !== undefined;
  return { ...status, ...(lost && { lost }), ...((await mayVanish()) && { mayVanish: true }) };
}

/**
 * Makes this browser's wallet from words and unlocks it. Never replaces one.
 * @throws ServiceError `vault-exists`, `invalid-words`, `weak-password`
 */
export async function createVault(words: string, password: string, restored: boolean): Promise<void> {
  const normalized = normalizeWords(words);
  if (password.length < MIN_PASSWORD_LENGTH) throw new ServiceError('weak-password');
  const vault = await seal(normalized, password);
  const seed = await seedOf(normalized);
  try {
    const keys = publicKeysOf(seed);
    const tx = await keyTransaction();
    if ((await tx.store.get('vault')) !== undefined) throw new ServiceError('vault-exists');
    await Promise.all([
      tx.store.put(vault, 'vault'),
      tx.store.put(keys, 'publicKeys'),
      tx.store.put({ addresses: 0, coins: 0, done: !restored }, 'scan'),
      ...(restored ? [tx.store.put({ listed: false }, 'history')] : []),
      tx.done,
    ]);
    await markCreated();
    await holdSeed(seed, await lockTime());
  } finally {
    seed.fill(0);
  }
  announceChange();
}

/**
 * Unlocks with the password until the time that the settings give.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`, `wallet-locked` (locked in between)
 */
export async function unlock(password: string): Promise<void> {
  const begun = beginUnlocking();
  const opened = await openVault(password);
  try {
    if (opened.vault.kdf.parameters.iterations < ITERATIONS)
      await replaceVault(opened.vault, await sealedAgain(opened, password));
    await holdWords(opened.words, begun);
  } finally {
    opened.key?.fill(0);
  }
}

/** Holds the seed until the lock time of the settings. @throws ServiceError `wallet-locked` (since `begun`) */
export async function holdWords(words: string, begun: Beginning): Promise<void> {
  const seed = await seedOf(words);
  try {
    await holdSeed(seed, await lockTime(), begun);
  } finally {
    seed.fill(0);
  }
  announceChange();
}

/** The same vault under this password. Its key stays, if it has one, because its passkeys wrap that key. */
const sealedAgain = ({ words, key }: OpenedVault, password: string): Promise<SealedVault> =>
  key === null ? seal(words, password) : sealWithKey(words, key, password);

/**
 * The recovery words. Requires the password even while the wallet is unlocked.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`
 */
export async function showWords(password: string): Promise<string> {
  const { words, key } = await openVault(password);
  key?.fill(0);
  return words;
}

/**
 * Checks the wallet's password. Rejects if it is wrong.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`
 */
export async function checkPassword(password: string): Promise<void> {
  (await openVault(password)).key?.fill(0);
}

/**
 * Seals the words under another password, in one write: an interruption leaves the old one. Passkeys still open the
 * wallet.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`, `weak-password`, `busy` (changed in
 * between)
 */
export async function changePassword(password: string, newPassword: string): Promise<void> {
  if (newPassword.length < MIN_PASSWORD_LENGTH) throw new ServiceError('weak-password');
  const opened = await openVault(password);
  const after = await sealedAgain(opened, newPassword).finally(() => opened.key?.fill(0));
  const changed = await replaceVault(opened.vault, after);
  if (!changed) throw new ServiceError('busy', { message: 'Your wallet was changed in another window. Try again.' });
}

/**
 * The sealed vault, its words and its key. The caller wipes the key.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`
 */
export async function openVault(password: string): Promise<OpenedVault & { vault: SealedVault }> {
  return tryPassword(async () => {
    const vault = await readKey('vault');
    if (!vault) throw new ServiceError('wallet-not-set-up');
    return { vault, ...(await openSealed(vault, password)) };
  });
}

/** Replaces a vault only if it is unchanged, because sealing takes long. */
async function replaceVault(before: SealedVault, after: SealedVault): Promise<boolean> {
  const tx = await keyTransaction();
  const now = (await tx.store.get('vault')) as SealedVault | undefined;
  const same = now !== undefined && String(now.iv) === String(before.iv);
  if (same) await tx.store.put(after, 'vault');
  await tx.done;
  return same;
}

export async function lock(): Promise<void> {
  await dropSeed();
  announceChange();
}

/** The wallet's public keys. @throws ServiceError `wallet-not-set-up` */
export async function publicKeys(): Promise<PublicKeys> {
  const keys = await readKey('publicKeys');
  if (!keys) throw new ServiceError('wallet-not-set-up');
  return keys;
}
