/** A mark outside of IndexedDB that a wallet exists, so that a lost database doesn't look like a new browser. */
import browser from 'webextension-polyfill';

/** Name in `storage.local`. */
export const WALLET_MARK = 'wallet-mark';

interface WalletMark {
  /** Its database was lost before, and it was restored. */
  lostBefore: boolean;
}

/** Whether the mark is known to be there: it is checked once per run of the worker. */
let isMarked = false;
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const mine = last.then(change, change);
  last = mine.catch(() => undefined);
  return mine;
}

/** The mark, or undefined if this browser never had a wallet, or the user removed it. */
export async function readMark(): Promise<WalletMark | undefined> {
  return (await browser.storage.local.get(WALLET_MARK))[WALLET_MARK] as WalletMark | undefined;
}

/** Marks the wallet if `exists` confirms it. Wallets of earlier versions have no mark. */
export function markWallet(exists: () => Promise<boolean>): Promise<void> {
  return inTurn(async () => {
    if (isMarked || !(await exists())) return;
    if ((await readMark()) === undefined) await browser.storage.local.set({ [WALLET_MARK]: { lostBefore: false } });
    isMarked = true;
  });
}

/** Notes a wallet that was created now. A mark from before shows that the browser had lost another one. */
export function markCreated(): Promise<void> {
  return inTurn(async () => {
    const lostBefore = (await readMark()) !== undefined;
    await browser.storage.local.set({ [WALLET_MARK]: { lostBefore } });
    isMarked = true;
  });
}

/**
 * Removes the mark, then the wallet. If the worker is stopped in between, the wallet is still there and is marked again.
 */
export function unmarkAnd(remove: () => Promise<void>): Promise<void> {
  return inTurn(async () => {
    isMarked = false;
    await browser.storage.local.remove(WALLET_MARK);
    await remove();
  });
}

/**
 * Whether the browser may delete the wallet's data: it did before, or refuses to keep the data. Chrome's service worker
 * can't ask, and keeps the data of extensions with `unlimitedStorage`.
 */
export async function mayVanish(): Promise<boolean> {
  const storage = globalThis.navigator?.storage;
  const isRefused = storage?.persist !== undefined && !(await storage.persisted());
  return isRefused || ((await readMark())?.lostBefore ?? false);
}
