/** Announces a complete search so that a listener can first compare coin records with the network. */
import type { NetworkInfo } from '../../chain/network-info.ts';
import { part, type Wallet } from '../../platform.ts';

/** Repairs coin records before a complete search. @throws ServiceError `network-unavailable`, `invalid-proof` */
export type CompleteSearchListener = (info: NetworkInfo) => Promise<void>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve()) as CompleteSearchListener,
}));

/** Registers the listener when the worker starts. */
export function onCompleteSearch(wallet: Wallet, repair: CompleteSearchListener): void {
  memoryOf(wallet).listener = repair;
}

/** Announces a complete search and waits for the listener. */
export function announceCompleteSearch(
  wallet: Wallet,
  ...args: Parameters<CompleteSearchListener>
): ReturnType<CompleteSearchListener> {
  return memoryOf(wallet).listener(...args);
}
