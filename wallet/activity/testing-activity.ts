import { expect } from 'vitest';
import type { ActivityFilter } from '../../protocol/messages/wallet-messages.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type { PaymentRecord, SignedPart } from '../payments/record.ts';
import { newPayment, newReport } from '../payments/start.ts';
import type { Wallet } from '../platform.ts';
import { type WorkerRun, Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

export const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
export const START = 1_700_000_000_000;
/** A placeholder, because the tests set times and IDs themselves. */
const NO_WALLET = { now: () => START, randomUUID: () => '' } as unknown as Wallet;
export const txid = (n: number) => n.toString(16).padStart(64, '0');
export const signed = (n: number): SignedPart => ({
  rawtx: '00',
  txid: txid(n),
  normalizedTxid: txid(n),
  inputProof: '',
  feeSatoshis: 12n,
  inputs: [],
  inputSatoshis: [],
  ownOutputs: [],
});

/** Returns a settled payment of 0.10 USD, created `n` seconds after {@link START}. */
export function payment(n: number, more: Partial<PaymentRecord> = {}): PaymentRecord {
  const output = {
    type: 'ADDRESS',
    to: TO,
    paymail: null,
    userId: null,
    address: TO,
    script: null,
    amount: '0.1',
    currency: 'USD',
    satoshis: '200000',
  } as const;
  return newPayment(NO_WALLET, {
    id: `payment-${String(n).padStart(6, '0')}`,
    requestId: `request-${n}`,
    origin: 'https://shop.example',
    options: { outputs: [] },
    state: 'settled',
    createdAt: START + n * 1000,
    updatedAt: START + n * 1000,
    quote: { outputs: [{ ...output, scripts: [] }], amount: '0.1', currency: 'USD', satoshis: 200_000n },
    approvedAt: START,
    signed: signed(n),
    report: newReport('done'),
    height: 100,
    ...more,
  });
}

export async function wallet(payments: PaymentRecord[], receipts: Receipt[] = []): Promise<WorkerRun> {
  const workerRun = await new Profile('http://localhost:1').start();
  const tx = (await workerRun.modules.database.database(current)).transaction(['payments', 'receipts'], 'readwrite');
  for (const record of payments) void tx.objectStore('payments').put(record);
  for (const record of receipts) void tx.objectStore('receipts').put(record);
  await tx.done;
  return workerRun;
}

export const list = (workerRun: WorkerRun, filter: ActivityFilter & { before?: string } = {}, limit = 20) =>
  workerRun.modules.handlers.walletHandlers(current)['activity/list']({ limit, ...filter });

/** Reads all pages. Returns their rows' IDs and the number of pages. */
export async function all(
  workerRun: WorkerRun,
  filter: ActivityFilter = {},
  limit = 20,
): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let pages = 0;
  for (let before: string | null | undefined; before !== null;) {
    const page = await list(workerRun, { ...filter, ...(before === undefined ? {} : { before }) }, limit);
    expect(page.more).toBe(page.before !== null);
    ids.push(...page.items.map(({ id }) => id));
    before = page.before;
    pages += 1;
  }
  return { ids, pages };
}
