/**
 * The passkeys that open the wallet besides its password: adding, using, listing and removing them. A passkey is only
 * ever one more way in. Without it the password opens the wallet as before, and the words restore it.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { PasskeyView } from '../../../protocol/wallet-messages.ts';
import { keyTransaction, readKey } from '../database.ts';
import { announceChange } from '../events.ts';
import { tryPassword } from './attempts.ts';
import { unwrapWith, wrapFor, type Passkey } from './passkey.ts';
import { sealWithKey, wordsUnder, type OpenedVault, type SealedVault } from './seal.ts';
import { beginUnlocking, unlockedUntil } from './session.ts';
import { holdWords, openVault } from './vault.ts';

/** More than anybody has devices. */
const MOST = 10;

/** A passkey that is to open the wallet, and what its PRF gave. The output is wiped. */
export interface NewPasskey extends Pick<Passkey, 'id' | 'salt' | 'name'> {
  password: string;
  output: Uint8Array<ArrayBuffer>;
}

/** What the windows may know of the passkeys, oldest first. */
export async function listPasskeys(): Promise<PasskeyView[]> {
  const passkeys = (await readKey('passkeys')) ?? [];
  return passkeys.map(({ id, salt, name, createdAt, usedAt }) => ({ id, salt, name, createdAt, usedAt }));
}

/**
 * Lets a passkey open the wallet. Where the password still seals the words themselves, the same transaction puts a
 * random key between the two. A process that dies on the way leaves everything as it was.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests` (also: ten passkeys are there), `busy`
 *   (the wallet was changed meanwhile)
 */
export async function addPasskey({ password, output, ...passkey }: NewPasskey): Promise<void> {
  try {
    const opened = await openVault(password);
    const { vault, key } = await withKey(opened, password);
    try {
      const entry = { ...passkey, ...(await wrapFor(passkey.id, output, key)), createdAt: Date.now(), usedAt: null };
      await storePasskey(opened.vault, vault, entry);
    } finally {
      key.fill(0);
    }
  } finally {
    output.fill(0);
  }
  announceChange();
}

/** The vault in the form that has a key of its own, and that key. */
async function withKey(
  { vault, words, key }: OpenedVault & { vault: SealedVault },
  password: string,
): Promise<{ vault: SealedVault; key: Uint8Array<ArrayBuffer> }> {
  if (key !== null) return { vault, key };
  const fresh = crypto.getRandomValues(new Uint8Array(32));
  return { vault: await sealWithKey(words, fresh, password), key: fresh };
}

async function storePasskey(before: SealedVault, after: SealedVault, passkey: Passkey): Promise<void> {
  const tx = await keyTransaction();
  const now = (await tx.store.get('vault')) as SealedVault | undefined;
  const passkeys = ((await tx.store.get('passkeys')) ?? []) as Passkey[];
  const others = passkeys.filter(({ id }) => id !== passkey.id);
  const unchanged = now !== undefined && String(now.iv) === String(before.iv);
  if (unchanged && others.length < MOST)
    await Promise.all([tx.store.put(after, 'vault'), tx.store.put([...others, passkey], 'passkeys')]);
  await tx.done;
  if (!unchanged) throw new ServiceError('busy', { message: 'Your wallet was changed in another window. Try again.' });
  if (others.length >= MOST)
    throw new ServiceError('too-many-requests', {
      message: `A wallet has ${MOST} passkeys at most. Remove one first.`,
    });
}

/**
 * Unlocks with what a passkey gave, without the password's rounds. The output is wiped.
 * @throws ServiceError `wallet-not-set-up`, `wrong-passkey`, `too-many-requests`, `wallet-locked` (it was locked
 * meanwhile)
 */
export async function unlockWithPasskey(id: string, output: Uint8Array<ArrayBuffer>): Promise<void> {
  const begun = beginUnlocking();
  try {
    await holdWords(await tryPassword(() => wordsBy(id, output)), begun);
  } finally {
    output.fill(0);
  }
}

async function wordsBy(id: string, output: Uint8Array<ArrayBuffer>): Promise<string> {
  const vault = await readKey('vault');
  if (!vault) throw new ServiceError('wallet-not-set-up');
  const passkey = (await readKey('passkeys'))?.find((one) => one.id === id);
  if (!passkey || vault.version !== 2) throw new ServiceError('wrong-passkey');
  const key = await unwrapWith(passkey, output).catch(() => {
    throw new ServiceError('wrong-passkey'); // without its cause: nothing about the key leaves this function
  });
  const words = await wordsUnder(vault, key)
    .catch(() => {
      throw new ServiceError('wrong-passkey');
    })
    .finally(() => key.fill(0));
  // A passkey that was removed while it was being checked opens nothing any more.
  if (!(await changeOne(id, (one) => ({ ...one, usedAt: Date.now() })))) throw new ServiceError('wrong-passkey');
  return words;
}

/**
 * Lets a passkey open the wallet no more: what it wraps is deleted. The vault's key stays: whoever copied the database
 * before has copied the words along with it, and no new key would take them back.
 * @throws ServiceError `wallet-locked`
 */
export async function removePasskey(id: string): Promise<void> {
  if ((await unlockedUntil()) === null) throw new ServiceError('wallet-locked');
  await changeOne(id, () => null);
  announceChange();
}

/** Changes one passkey, or removes it (null), in one transaction. False where it is not there. */
async function changeOne(id: string, change: (passkey: Passkey) => Passkey | null): Promise<boolean> {
  const tx = await keyTransaction();
  const passkeys = ((await tx.store.get('passkeys')) ?? []) as Passkey[];
  const found = passkeys.some((one) => one.id === id);
  const after = passkeys.flatMap((one) => (one.id === id ? (change(one) ?? []) : [one]));
  if (found) await tx.store.put(after, 'passkeys');
  await tx.done;
  return found;
}
