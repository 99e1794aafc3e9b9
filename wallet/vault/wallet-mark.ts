/**
 * Maintains a flag outside IndexedDB while a wallet exists, so a lost database isn't mistaken for a new
 * installation.
 */
import { part, type Wallet } from '../platform.ts';

/** Key in `storage.local`. */
export const WALLET_MARK = 'wallet-mark';

interface WalletMark {
  /** True if the wallet was restored after its database had been lost. */
  lostBefore: boolean;
}

const memoryOf = part(() => ({
  /** True if the flag is known to be set. Checked once per worker. */
  isMarked: false,
  last: Promise.resolve() as Promise<unknown>,
}));

function inTurn<T>(wallet: Wallet, change: () => Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  const mine = memory.last.then(change, change);
  memory.last = mine.catch(() => undefined);
  return mine;
}

/** Returns the flag; undefined if this browser has never had a wallet, or the user has removed the wallet. */
export async function readMark(wallet: Wallet): Promise<WalletMark | undefined> {
  return (await wallet.localStorage.get(WALLET_MARK))[WALLET_MARK] as WalletMark | undefined;
}

/** Sets the flag if `exists` confirms that there is a wallet. Wallets created by earlier versions have no flag. */
export function markWallet(wallet: Wallet, exists: () => Promise<boolean>): Promise<void> {
  const memory = memoryOf(wallet);
  return inTurn(wallet, async () => {
    if (memory.isMarked || !(await exists())) return;
    if ((await readMark(wallet)) === undefined) await wallet.localStorage.set({ [WALLET_MARK]: { lostBefore: false } });
    memory.isMarked = true;
  });
}

/** Sets the flag for a newly created wallet. An existing flag means that the browser has lost an earlier wallet. */
export function markCreated(wallet: Wallet): Promise<void> {
  return inTurn(wallet, async () => {
    const lostBefore = (await readMark(wallet)) !== undefined;
    await wallet.localStorage.set({ [WALLET_MARK]: { lostBefore } });
    memoryOf(wallet).isMarked = true;
  });
}

/**
 * Clears the flag, then removes the wallet. If the worker stops in between, the wallet remains and is flagged again.
 */
export function unmarkAnd(wallet: Wallet, remove: () => Promise<void>): Promise<void> {
  return inTurn(wallet, async () => {
    memoryOf(wallet).isMarked = false;
    await wallet.localStorage.remove(WALLET_MARK);
    await remove();
  });
}

/**
 * True if the browser may delete the wallet's data: it has done so before, or hasn't granted persistent storage.
 * Chrome's service worker can't request persistent storage, but Chrome keeps the data of extensions with
 * `unlimitedStorage`.
 */
export async function mayVanish(wallet: Wallet): Promise<boolean> {
  const storage = wallet.storageManager;
  const isRefused = storage?.persist !== undefined && !(await storage.persisted());
  return isRefused || ((await readMark(wallet))?.lostBefore ?? false);
}
