/** Checks that one swipe paid exactly once, despite failures in the worker, the network and the service. */
import { expect, vi } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { Payment } from '../../protocol/payments/payment.ts';
import type { Scene } from './scene.ts';
import { ask, stored } from '../../tooling/drive/wallet.ts';

/** The fields of a stored payment that these tests check. */
export interface StoredPayment {
  id: string;
  state: string;
  height: number | null;
  createdAt: number;
  signed: { txid: string; feeSatoshis: string } | null;
}

/** The price in the shop that {@link setScene} sets up, in satoshis. */
const PRICE = 200_000n;

export async function latestPayment(scene: Scene): Promise<StoredPayment> {
  return (await stored<StoredPayment>(scene.page, 'payments')).sort(
    (a, b) => b.createdAt - a.createdAt,
  )[0] as StoredPayment;
}

export function paymentsOf(page: Page): Promise<Payment[]> {
  return page.evaluate(() => (window as unknown as { payments: Payment[] }).payments);
}

/** The state of the network and the wallet before a payment. */
export interface Before {
  paid: number;
  satoshis: bigint;
}

export async function lookBefore(scene: Scene): Promise<Before> {
  return {
    paid: (await scene.paid()).length,
    satoshis: BigInt((await ask(scene.page, 'wallet/overview', {})).satoshis),
  };
}

/**
 * Expects that the only new transaction is the one that the page received, that the balance is correct, and that no
 * coins are reserved.
 */
export async function expectPaidOnce(scene: Scene, shop: Page, before: Before): Promise<void> {
  const payments = await paymentsOf(shop);
  expect(payments).toHaveLength(1);
  const paid = await scene.paid();
  expect(paid.length).toBe(before.paid + 1);
  expect(paid.map(({ txid }) => txid)).toContain(payments[0]?.txid);
  const record = await latestPayment(scene);
  const { satoshis } = await ask(scene.page, 'wallet/overview', {});
  expect(BigInt(satoshis)).toBe(before.satoshis - PRICE - BigInt(record.signed?.feeSatoshis ?? 0));
  const coins = await stored<{ status: string }>(scene.page, 'coins');
  expect(coins.filter(({ status }) => status === 'reserved' || status === 'pending')).toEqual([]);
}

/** Mines a block, and waits until the wallet has found its latest payment in the block. */
export async function expectConfirmed(scene: Scene): Promise<void> {
  await scene.mine();
  await ask(scene.page, 'wallet/refresh', {});
  await vi.waitFor(async () => expect((await latestPayment(scene)).height).not.toBeNull(), { interval: 200 });
}
