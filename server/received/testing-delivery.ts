/** For tests: transactions that pay a destination. No ledger would accept them, because their inputs don't exist. */
import type { PrivateKey } from '@bsv/sdk';
import { eq } from 'drizzle-orm';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { normalizedTxidOf, serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import type { Database } from '../database/connect.ts';
import { users } from '../database/schema.ts';
import type { User } from '../identity/accounts.ts';
import { createDestination } from '../destinations/destinations.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { storeReceived, type ReceivedNow } from './store.ts';

export interface TestDelivery {
  received: ReceivedNow;
  /** The sender's report of the payment to the paymail. `reportWith` overrides fields. */
  report: PaymentReport;
  reportWith(change: Partial<PaymentReport>): PaymentReport;
  key: PrivateKey;
  deliver(change?: Partial<ReceivedNow>): ReturnType<typeof storeReceived>;
}

/**
 * Requests a destination and creates a transaction that pays it, with `bytes` bytes of data.
 * @param senderKey the reporting account
 */
export async function createTestDelivery(
  db: Database,
  userId: number,
  paymail: string,
  now: Date,
  {
    satoshis = 500_000n,
    senderKey = '02'.padEnd(66, '1'),
    dataBytes = 0,
  }: { satoshis?: bigint; senderKey?: string; dataBytes?: number } = {},
): Promise<TestDelivery> {
  const { reference, outputs } = await createDestination(db, userId, satoshis, now);
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  const { report, transaction, key } = createTestReport([satoshis], senderKey);
  const change = transaction.outputs.slice(1);
  const data = dataBytes > 0 ? [{ satoshis: 0n, lockingScript: new Uint8Array(dataBytes).fill(0x6a) }] : [];
  const paid = outputs.map((output) => ({ satoshis: BigInt(output.satoshis), lockingScript: fromHex(output.script) }));
  const whole = { ...transaction, outputs: [...paid, ...data, ...change] };
  const rawtx = serializeTransaction(whole);
  const received: ReceivedNow = {
    user: user as User,
    paymail,
    reference,
    txid: txidOf(rawtx),
    normalizedTxid: normalizedTxidOf(whole),
    rawtx,
    outputs: whole.outputs,
    sender: 'payer@two.example',
    senderVerified: true,
    note: 'for lunch',
  };
  const recipient = {
    type: 'PAYMAIL' as const,
    to: paymail,
    paymail,
    userId: null,
    address: null,
    script: null,
    reference,
  };
  const scripts = outputs.map((output) => ({ script: output.script, satoshis: output.satoshis }));
  const reportWith = (changed: Partial<PaymentReport>) =>
    proveReport(
      {
        ...report,
        rawtx: toHex(rawtx),
        outputs: report.outputs.map((output) => ({ ...output, ...recipient, scripts })),
        ...changed,
      },
      senderKey,
      key,
    );
  return {
    received,
    report: reportWith({}),
    reportWith,
    key,
    deliver: (changed = {}) => storeReceived(db, { ...received, ...changed }, now),
  };
}
