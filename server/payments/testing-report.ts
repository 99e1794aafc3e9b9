/** Transactions and reports for tests. The inputs spend coins that do not exist: no ledger would take them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { p2pkhScript, writeAddress } from '../../protocol/address.ts';
import type { PaymentReport } from '../../protocol/api.ts';
import { toHex } from '../../protocol/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/transaction.ts';

/** A report of a payment to some addresses, and the transaction that makes it. */
export interface TestReport {
  report: PaymentReport;
  transaction: Transaction;
  txid: string;
}

/** A transaction with one output of its own for each amount of satoshis, and change; each costs 0.10 USD in the report. */
export function createTestReport(amounts: readonly bigint[] = [200_000n]): TestReport {
  const hashes = amounts.map(() => Uint8Array.from(randomBytes(20)));
  const transaction: Transaction = {
    version: 1,
    inputs: [{ txid: randomBytes(32).toString('hex'), vout: 0, unlockingScript: Uint8Array.from(randomBytes(107)), sequence: 0xffff_ffff }],
    outputs: [
      ...amounts.map((satoshis, i) => ({ satoshis, lockingScript: p2pkhScript(hashes[i] as Uint8Array) })),
      { satoshis: 5_000n, lockingScript: p2pkhScript(Uint8Array.from(randomBytes(20))) },
    ],
    lockTime: 0,
  };
  const bytes = serializeTransaction(transaction);
  const outputs = amounts.map((satoshis, i) => {
    const address = writeAddress(hashes[i] as Uint8Array, 'devnet');
    const script = toHex(p2pkhScript(hashes[i] as Uint8Array));
    return {
      type: 'ADDRESS' as const, to: address, paymail: null, userId: null, address, script: null,
      amount: '0.10', currency: 'USD', satoshis: satoshis.toString(), scripts: [{ script, satoshis: satoshis.toString() }],
    };
  });
  const cents = BigInt(10 * amounts.length);
  return {
    report: {
      id: randomUUID(), rawtx: toHex(bytes), amount: `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`, currency: 'USD',
      origin: 'https://shop.example', clientIdentifier: null, buttonId: 'invoice-1', buttonData: '{"order":1}', outputs,
    },
    transaction,
    txid: txidOf(bytes),
  };
}
