/** Creates, unlocks and locks the wallet, and manages its recovery words and password. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { WalletResults } from '../../protocol/messages/wallet-messages.ts';
import { hasKey, isReadable, keyTransaction, readKey } from '../store/database.ts';
import { readSettings } from '../settings.ts';
import { tryPassword } from './attempts.ts';
import { publicKeysOf, type PublicKeys } from '../keys/keys.ts';
import { openSealed, seal, sealWithKey, type OpenedVault, type SealedVault } from './seal.ts';
import { beginUnlocking, deleteSeed, storeSeed, unlockedUntil, type Beginning } from './session.ts';
import { markCreated, markWallet, mayVanish, readMark } from './wallet-mark.ts';
import { normalizeWords, seedOf } from '../keys/mnemonic.ts';
import { announceChange } from '../events.ts';
import type { Wallet } from '../platform.ts';

/** Minimum password length (characters). The extension's windows are stricter, and reject weak passwords (zxcvbn). */
const MIN_PASSWORD_LENGTH = 10;

const lockTime = async (wallet: Wallet) => wallet.now() + (await readSettings(wallet)).lockAfterMinutes * 60_000;

/** Returns whether a wallet exists, whether it is locked, and when it locks (milliseconds since 1970). */
export async function vaultStatus(
  wallet: Wallet,
): Promise<{ exists: boolean; locked: boolean; lockAt: number | null }> {
  const exists = await hasVault(wallet);
  const lockAt = exists ? await unlockedUntil(wallet) : null;
  return { exists, locked: lockAt === null, lockAt };
}

const hasVault = (wallet: Wallet): Promise<boolean> => hasKey(wallet, 'vault');

/**
 * Returns the vault status for windows: `lost` if the wallet's data is gone or unreadable, `mayVanish` if the browser
 * may delete it.
 */
export async function shownStatus(wallet: Wallet): Promise<WalletResults['vault/status']> {
  if (!(await isReadable(wallet))) return { exists: false, locked: true, lockAt: null, lost: true };
  const status = await vaultStatus(wallet);
  if (status.exists) await markWallet(wallet, () => hasVault(wallet));
  const lost = !status.exists && (await readMark(wallet)) !== undefined;
  return { ...status, ...(lost && { lost }), ...((await mayVanish(wallet)) && { mayVanish: true }) };
}

/**
 * Creates this browser's wallet from recovery words and unlocks it. Never replaces an existing wallet.
 * @throws ServiceError `vault-exists`, `invalid-words`, `weak-password`
 */
export async function createVault(wallet: Wallet, words: string, password: string, restored: boolean): Promise<void> {
  const normalized = normalizeWords(words);
  if (password.length < MIN_PASSWORD_LENGTH) throw new ServiceError('weak-password');
  const vault = await seal(wallet, normalized, password);
  const seed = await seedOf(normalized);
  try {
    const keys = publicKeysOf(seed);
    const tx = await keyTransaction(wallet);
    if ((await tx.store.get('vault')) !== undefined) throw new ServiceError('vault-exists');
    await Promise.all([
      tx.store.put(vault, 'vault'),
      tx.store.put(keys, 'publicKeys'),
      tx.store.put({ addresses: 0, coins: 0, done: !restored }, 'scan'),
      ...(restored ? [tx.store.put({ listed: false }, 'history')] : []),
      tx.done,
    ]);
    await markCreated(wallet);
    await storeSeed(wallet, seed, await lockTime(wallet));
  } finally {
    seed.fill(0);
  }
  announceChange(wallet);
}

/**
 * Unlocks the wallet with its password, for the time chosen in the settings.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`, `wallet-locked` (locked again in the
 * meantime)
 */
export async function unlock(wallet: Wallet, password: string): Promise<void> {
  const begun = beginUnlocking(wallet);
  const opened = await openVault(wallet, password);
  try {
    if (opened.vault.kdf.parameters.iterations < wallet.passwordIterations)
      await replaceVault(wallet, opened.vault, await sealedAgain(wallet, opened, password));
    await storeSeedFromWords(wallet, opened.words, begun);
  } finally {
    opened.key?.fill(0);
  }
}

/** Stores the seed until the lock time in the settings. @throws ServiceError `wallet-locked` (locked since `begun`) */
export async function storeSeedFromWords(wallet: Wallet, words: string, begun: Beginning): Promise<void> {
  const seed = await seedOf(words);
  try {
    await storeSeed(wallet, seed, await lockTime(wallet), begun);
  } finally {
    seed.fill(0);
  }
  announceChange(wallet);
}

/**
 * Reseals a vault with this password. Retains a separate key, because the passkeys' records contain it in wrapped form.
 */
const sealedAgain = (wallet: Wallet, { words, key }: OpenedVault, password: string): Promise<SealedVault> =>
  key === null ? seal(wallet, words, password) : sealWithKey(wallet, words, key, password);

/**
 * Returns the recovery words. Requires the password even while the wallet is unlocked.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`
 */
export async function showWords(wallet: Wallet, password: string): Promise<string> {
  const { words, key } = await openVault(wallet, password);
  key?.fill(0);
  return words;
}

/**
 * Checks the wallet's password.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`
 */
export async function checkPassword(wallet: Wallet, password: string): Promise<void> {
  (await openVault(wallet, password)).key?.fill(0);
}

/**
 * Seals the recovery words with a new password. Because there is only one write, an interruption leaves the old
 * password in effect. Passkeys remain valid.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`, `weak-password`, `busy` (changed in
 * the meantime)
 */
export async function changePassword(wallet: Wallet, password: string, newPassword: string): Promise<void> {
  if (newPassword.length < MIN_PASSWORD_LENGTH) throw new ServiceError('weak-password');
  const opened = await openVault(wallet, password);
  const after = await sealedAgain(wallet, opened, newPassword).finally(() => opened.key?.fill(0));
  const changed = await replaceVault(wallet, opened.vault, after);
  if (!changed) throw new ServiceError('busy', { message: 'Your wallet was changed in another window. Try again.' });
}

/**
 * Opens the vault. Returns it with its recovery words and its key, which the caller must wipe.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`
 */
export async function openVault(wallet: Wallet, password: string): Promise<OpenedVault & { vault: SealedVault }> {
  return tryPassword(wallet, async () => {
    const vault = await readKey(wallet, 'vault');
    if (!vault) throw new ServiceError('wallet-not-set-up');
    return { vault, ...(await openSealed(vault, password)) };
  });
}

/**
 * Replaces the vault only if it is unchanged, because it may have been changed during sealing, which is slow. Returns
 * false if it was changed.
 */
async function replaceVault(wallet: Wallet, before: SealedVault, after: SealedVault): Promise<boolean> {
  const tx = await keyTransaction(wallet);
  const now = (await tx.store.get('vault')) as SealedVault | undefined;
  const same = now !== undefined && String(now.iv) === String(before.iv);
  if (same) await tx.store.put(after, 'vault');
  await tx.done;
  return same;
}

export async function lock(wallet: Wallet): Promise<void> {
  await deleteSeed(wallet);
  announceChange(wallet);
}

/** Returns the wallet's public keys. @throws ServiceError `wallet-not-set-up` */
export async function publicKeys(wallet: Wallet): Promise<PublicKeys> {
  const keys = await readKey(wallet, 'publicKeys');
  if (!keys) throw new ServiceError('wallet-not-set-up');
  return keys;
}
