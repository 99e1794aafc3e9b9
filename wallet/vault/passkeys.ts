/**
 * Adds, uses, lists and removes passkeys that open the wallet. The password still works, and the recovery words can
 * still restore the wallet.
 */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PasskeyView } from '../../protocol/messages/wallet-messages.ts';
import { keyTransaction, readKey } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { tryPassword } from './attempts.ts';
import { unwrapWith, wrapFor, type Passkey } from './passkey.ts';
import { sealWithKey, decryptWords, type OpenedVault, type SealedVault } from './seal.ts';
import { beginUnlocking, unlockedUntil } from './session.ts';
import { storeSeedFromWords, openVault } from './vault.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of passkeys. Users have fewer devices than that. */
const MAX_PASSKEYS = 10;

/** A new passkey with its PRF output, which is wiped after use. */
export interface NewPasskey extends Pick<Passkey, 'id' | 'salt' | 'name'> {
  password: string;
  output: Uint8Array<ArrayBuffer>;
}

/** Returns the passkeys for the user interface, without secrets, oldest first. */
export async function listPasskeys(wallet: Wallet): Promise<PasskeyView[]> {
  const passkeys = (await readKey(wallet, 'passkeys')) ?? [];
  return passkeys.map(({ id, salt, name, createdAt, usedAt }) => ({ id, salt, name, createdAt, usedAt }));
}

/**
 * Adds a passkey. If the password still seals the recovery words directly (version 1), the same transaction upgrades
 * the vault to version 2. An interruption changes nothing.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests` (too many attempts, or ten passkeys
 * exist), `busy` (the wallet was changed in the meantime)
 */
export async function addPasskey(wallet: Wallet, { password, output, ...passkey }: NewPasskey): Promise<void> {
  try {
    const opened = await openVault(wallet, password);
    const { vault, key } = await withKey(wallet, opened, password);
    try {
      const entry = {
        ...passkey,
        ...(await wrapFor(wallet, passkey.id, output, key)),
        createdAt: wallet.now(),
        usedAt: null,
      };
      await storePasskey(wallet, opened.vault, vault, entry);
    } finally {
      key.fill(0);
    }
  } finally {
    output.fill(0);
  }
  announceChange(wallet);
}

/** Returns the vault in version 2, and its separate key. */
async function withKey(
  wallet: Wallet,
  { vault, words, key }: OpenedVault & { vault: SealedVault },
  password: string,
): Promise<{ vault: SealedVault; key: Uint8Array<ArrayBuffer> }> {
  if (key !== null) return { vault, key };
  const fresh = wallet.getRandomValues(new Uint8Array(32));
  return { vault: await sealWithKey(wallet, words, fresh, password), key: fresh };
}

async function storePasskey(wallet: Wallet, before: SealedVault, after: SealedVault, passkey: Passkey): Promise<void> {
  const tx = await keyTransaction(wallet);
  const now = (await tx.store.get('vault')) as SealedVault | undefined;
  const passkeys = ((await tx.store.get('passkeys')) ?? []) as Passkey[];
  const others = passkeys.filter(({ id }) => id !== passkey.id);
  const unchanged = now !== undefined && String(now.iv) === String(before.iv);
  if (unchanged && others.length < MAX_PASSKEYS)
    await Promise.all([tx.store.put(after, 'vault'), tx.store.put([...others, passkey], 'passkeys')]);
  await tx.done;
  if (!unchanged) throw new ServiceError('busy', { message: 'Your wallet was changed in another window. Try again.' });
  if (others.length >= MAX_PASSKEYS)
    throw new ServiceError('too-many-requests', {
      message: `A wallet can have at most ${MAX_PASSKEYS} passkeys. Remove one first.`,
    });
}

/**
 * Unlocks with a passkey's PRF output, without PBKDF2. The output is wiped.
 * @throws ServiceError `wallet-not-set-up`, `wrong-passkey`, `too-many-requests`, `wallet-locked` (locked again in the
 * meantime)
 */
export async function unlockWithPasskey(wallet: Wallet, id: string, output: Uint8Array<ArrayBuffer>): Promise<void> {
  const begun = beginUnlocking(wallet);
  try {
    await storeSeedFromWords(wallet, await tryPassword(wallet, () => wordsBy(wallet, id, output)), begun);
  } finally {
    output.fill(0);
  }
}

async function wordsBy(wallet: Wallet, id: string, output: Uint8Array<ArrayBuffer>): Promise<string> {
  const vault = await readKey(wallet, 'vault');
  if (!vault) throw new ServiceError('wallet-not-set-up');
  const passkey = (await readKey(wallet, 'passkeys'))?.find((one) => one.id === id);
  if (!passkey || vault.version !== 2) throw new ServiceError('wrong-passkey');
  const key = await unwrapWith(passkey, output).catch(() => {
    throw new ServiceError('wrong-passkey'); // without the cause, which could reveal details about the key
  });
  const words = await decryptWords(vault, key)
    .catch(() => {
      throw new ServiceError('wrong-passkey');
    })
    .finally(() => key.fill(0));
  // A passkey that was removed during the check must not open the wallet.
  if (!(await changeOne(wallet, id, (one) => ({ ...one, usedAt: wallet.now() }))))
    throw new ServiceError('wrong-passkey');
  return words;
}

/**
 * Removes a passkey and its wrapped key. The vault's key doesn't change. A new key wouldn't revoke access, because
 * someone with the passkey and a copy of the old database can decrypt the recovery words anyway.
 * @throws ServiceError `wallet-locked`
 */
export async function removePasskey(wallet: Wallet, id: string): Promise<void> {
  if ((await unlockedUntil(wallet)) === null) throw new ServiceError('wallet-locked');
  await changeOne(wallet, id, () => null);
  announceChange(wallet);
}

/** Changes a passkey, or removes it (null), in one transaction. Returns false if it doesn't exist. */
async function changeOne(wallet: Wallet, id: string, change: (passkey: Passkey) => Passkey | null): Promise<boolean> {
  const tx = await keyTransaction(wallet);
  const passkeys = ((await tx.store.get('passkeys')) ?? []) as Passkey[];
  const found = passkeys.some((one) => one.id === id);
  const after = passkeys.flatMap((one) => (one.id === id ? (change(one) ?? []) : [one]));
  if (found) await tx.store.put(after, 'passkeys');
  await tx.done;
  return found;
}
