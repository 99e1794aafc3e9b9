/**
 * Measures costs that should not grow with the number of payments, in a wallet and in a service with ten times as many.
 */
import { growthOfService } from './growth-service.ts';
import { growthOfWallet } from './growth-wallet.ts';
import type { Row } from './row.ts';

const PAYMENTS_OF_A_WALLET = 100_000;

/** Measures wallet and service. @param payments number of payments in the wallet */
export async function growth(payments = PAYMENTS_OF_A_WALLET): Promise<Row[]> {
  return [...(await growthOfWallet(payments)), ...(await growthOfService(10 * payments))];
}
