/** A mark outside of IndexedDB that a wallet exists, so that a lost database doesn't look like a new browser. */
import { part, type Wallet } from '../platform.ts';

/** Name in `storage.local`. */
export const WALLET_MARK = 'wallet-mark';

interface WalletMark {
  /** Its database was lost before, and it was restored. */
  lostBefore: boolean;
}

const memoryOf = part(() => ({
  /** Whether the mark is known to exist, which is checked once per worker. */
  isMarked: false,
  last: Promise.resolve() as Promise<unknown>,
}));

function inTurn<T>(wallet: Wallet, change: () => Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  const mine = memory.last.then(change, change);
  memory.last = mine.catch(() => undefined);
  return mine;
}

/** The mark, or undefined if this browser never had a wallet, or the user removed it. */
export async function readMark(wallet: Wallet): Promise<WalletMark | undefined> {
  return (await wallet.localStorage.get(WALLET_MARK))[WALLET_MARK] as WalletMark | undefined;
}

/** Marks the wallet if `exists` confirms it. Wallets of earlier versions have no mark. */
export function markWallet(wallet: Wallet, exists: () => Promise<boolean>): Promise<void> {
  const memory = memoryOf(wallet);
  return inTurn(wallet, async () => {
    if (memory.isMarked || !(await exists())) return;
    if ((await readMark(wallet)) === undefined) await wallet.localStorage.set({ [WALLET_MARK]: { lostBefore: false } });
    memory.isMarked = true;
  });
}

/** Records that a wallet was created now. An earlier mark shows that the browser has lost another one. */
export function markCreated(wallet: Wallet): Promise<void> {
  return inTurn(wallet, async () => {
    const lostBefore = (await readMark(wallet)) !== undefined;
    await wallet.localStorage.set({ [WALLET_MARK]: { lostBefore } });
    memoryOf(wallet).isMarked = true;
  });
}

/**
 * Removes the mark, then the wallet. If the worker is stopped in between, the wallet still exists and is marked again.
 */
export function unmarkAnd(wallet: Wallet, remove: () => Promise<void>): Promise<void> {
  return inTurn(wallet, async () => {
    memoryOf(wallet).isMarked = false;
    await wallet.localStorage.remove(WALLET_MARK);
    await remove();
  });
}

/**
 * Whether the browser may delete the wallet's data: it did before, or doesn't promise to keep it. Chrome's service
 * worker can't ask, and keeps the data of extensions with `unlimitedStorage`.
 */
export async function mayVanish(wallet: Wallet): Promise<boolean> {
  const storage = wallet.storageManager;
  const isRefused = storage?.persist !== undefined && !(await storage.persisted());
  return isRefused || ((await readMark(wallet))?.lostBefore ?? false);
}
