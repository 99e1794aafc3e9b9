/**
 * Announces that all addresses are about to be searched again, so that modules with records of coins compare them with
 * the network first.
 */
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
