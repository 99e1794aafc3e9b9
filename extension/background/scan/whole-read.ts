/** Announces a complete search, before which modules compare their records of coins with the network. */
import type { NetworkInfo } from '../chain/network-info.ts';

/** @throws ServiceError `network-unavailable`, `invalid-proof` */
export type WholeReadListener = (info: NetworkInfo) => Promise<void>;

let listener: WholeReadListener = () => Promise.resolve();

/** Registers the listener. Called once, when the worker starts. */
export function onWholeRead(repair: WholeReadListener): void {
  listener = repair;
}

/** Announces it, and waits for the listener. */
export function announceWholeRead(...args: Parameters<WholeReadListener>): ReturnType<WholeReadListener> {
  return listener(...args);
}
