/** Ways to break the wallet on purpose: a simulation that finds none of them would prove nothing. */
import type { Sabotage } from './build.ts';

const PAYMENT = 'extension/background/payment/';

/** One change of one file: what is there, and what takes its place. */
const change =
  (file: string, before: string, after: string, first = ''): Sabotage =>
  (path, code) => {
    if (path !== file) return null;
    if (!code.includes(before)) throw new Error(`${file} does not contain ${before}`);
    return first + code.replace(before, after);
  };

/** Changes of several files. */
const all =
  (...changes: readonly Sabotage[]): Sabotage =>
  (path, code) =>
    changes.map((one) => one(path, code)).find((changed) => changed !== null) ?? null;

/** By what the wallet does wrong. */
export const SABOTAGES: Record<string, Sabotage> = {
  'reserves no coins': change(
    `${PAYMENT}commit.ts`,
    "await putCoin(tx, { ...coin, status: 'reserved', paymentId });",
    '',
  ),
  'sends before it stores': change(
    `${PAYMENT}commit.ts`,
    '    try {\n      return await transition(record.id',
    '    if (signed) await broadcast((await networkInfo()).arcUrl, toHex(signed.bytes), signed.txid);\n    try {\n      return await transition(record.id',
    "import { broadcast } from '../chain/arc.ts';\nimport { networkInfo } from '../chain/network.ts';\nimport { toHex } from '../../../protocol/bytes.ts';\n",
  ),
  'counts limits late': change(
    'extension/background/allowances/spend.ts',
    "await tx.objectStore('allowances').put(stored.kind === 'any-site' ? withUse(after, site, now) : after);",
    "setTimeout(() => void inTransaction((later) => later.objectStore('allowances').put(after)), 20_000);",
    "import { inTransaction } from '../database.ts';\n",
  ),
  'pays any fee': change(`${PAYMENT}commit.ts`, 'draftPayment(record, record.feeLimit)', 'draftPayment(record)'),
  'forgets reorganisations': change(
    'extension/background/coins/reorg.ts',
    'const above = IDBKeyRange.lowerBound(height, true);',
    'if (height > 0) return;\n  const above = IDBKeyRange.lowerBound(height, true);',
  ),
  'frees the coins of what was refused': change(
    `${PAYMENT}network.ts`,
    "await postpone(record.id, 'payment-contested', { trouble: 'refused' });",
    "await transition(record.id, 'signed', async (now, tx) => {\n      for (const key of now.signed!.inputs) await letGo(tx, key, now.id);\n      return { state: 'failed', error: { code: 'network-rejected', message: '' } };\n    });",
    "import { letGo } from './conflicts.ts';\n",
  ),
  'delivers only once': change(
    `${PAYMENT}deliver.ts`,
    "rejection.final || isGivenUp(record) ? 'given-up' : 'waiting'",
    "'given-up'",
  ),
  // It is checked twice.
  'pays what a host gives out': all(
    change('extension/background/paymail/destination.ts', 'if (sum !== satoshis)', 'if (sum < 0n)'),
    change('extension/background/recipients/resolvers.ts', 'if (sum !== satoshis ||', 'if (sum < 0n ||'),
  ),
  'believes what ARC says of blocks': change(
    `${PAYMENT}network.ts`,
    'status === null || mined || overdue ? await provenBlock(info, txid) : null',
    'mined ? await heldTip() : status === null || overdue ? await provenBlock(info, txid) : null',
  ),
};
