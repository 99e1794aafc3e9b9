/** The wallet that a test runs at the moment. */
import { createWallet, type Platform, type Wallet } from '../../wallet/platform.ts';
import { testPlatform } from './platform.ts';

/** Until a test starts another, one without a browser. */
export let wallet: Wallet = createWallet(testPlatform());

/** Makes a wallet the current one. */
export function useWallet(platform: Platform): Wallet {
  wallet = createWallet(platform);
  return wallet;
}
