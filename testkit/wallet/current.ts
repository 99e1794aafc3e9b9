import { createWallet, type Platform, type Wallet } from '../../wallet/platform.ts';
import { testPlatform } from './platform.ts';

/** The wallet under test. By default, it has no browser. */
export let wallet: Wallet = createWallet(testPlatform());

/** Creates a wallet and makes it the current one. */
export function useWallet(platform: Platform): Wallet {
  wallet = createWallet(platform);
  return wallet;
}
