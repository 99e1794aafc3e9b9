import { expect } from 'vitest';
import { type Allowance } from '../../../allowances/allowance.ts';
import { ANY_SITE } from '../../../allowances/decide.ts';
import type { SwipeLimits } from '../../../allowances/swipe-limits.ts';
import { RATES, useNetwork } from '../../../../testkit/network/network.ts';
import { approvalOf, approvals, decide, decline, stored } from '../../../../testkit/wallet/wallet.ts';
import { type WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { type PaymentRecord } from '../../record.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

export const network = useNetwork();
export const SHOP = 'https://shop.example';
const RATE = { price: RATES.USD, dollar: RATES.USD };

export const site = (n: number) => `https://${n}.example`;

/** Enables trusted swipes, by default up to $1 per swipe and $10 per day. */
export const switchOn = (workerRun: WorkerRun, limits: Partial<SwipeLimits> = {}) => {
  const currency = limits.currency ?? 'USD';
  const rate = currency === 'BSV' ? null : RATE;
  return workerRun.modules.swipeLimits.setSwipeLimits(wallet, {
    amount: '10',
    perPayment: '1',
    rate,
    ...limits,
    currency,
  });
};

export const limits = async (workerRun: WorkerRun) =>
  (await workerRun.modules.allowanceRecords.readAllowance(wallet, ANY_SITE)) as Allowance;

/** Returns the satoshis that left the wallet. */
export const costOf = ({ quote, signed }: PaymentRecord) => quote.satoshis + (signed?.feeSatoshis ?? 0n);

export async function signedOf(workerRun: WorkerRun): Promise<PaymentRecord[]> {
  return (await stored(workerRun)).payments.filter(({ signed }) => signed !== null);
}

/** Waits for a payment's window and rejects the payment. */
export async function refusedInAWindow(workerRun: WorkerRun, answer: Promise<unknown>): Promise<void> {
  await decide(workerRun, await approvalOf(workerRun), 'refuse');
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
  expect(await answer).toBe('refused');
}

export function refuseEverything(workerRun: WorkerRun): void {
  const look = (): void => {
    if (workerRun.dead) return;
    for (const { id, windowId } of approvals(workerRun))
      decline(workerRun, id)
        .catch(() => undefined)
        .finally(() => workerRun.dead || workerRun.profile.browser.closeWindow(windowId));
    setTimeout(look, 20);
  };
  look();
}
