/**
 * Takes a payment as far as it goes without the user: sign what was approved, give it to the network, report it, see it
 * confirmed. Every step starts from what the database says, so it does not matter where an earlier life was cut off.
 */
import { ServiceError, type ErrorCode } from '../../../protocol/errors.ts';
import { broadcast, outcomeOf, transactionStatus } from '../chain/arc.ts';
import { networkInfo } from '../chain/network.ts';
import { provenHeight } from '../coins/scan.ts';
import { confirmTransaction } from '../coins/store.ts';
import { database, readKey } from '../database.ts';
import { reportPayment } from '../service/client.ts';
import { commitPayment } from './commit.ts';
import { endUnsigned, readPayment, step, type PaymentRecord } from './record.ts';
import { reportOf } from './report.ts';
import { scheduleWork } from './schedule.ts';

/** An approval that could not be turned into a signature for this long is void (milliseconds). */
const APPROVAL_LIFE_MS = 120_000;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;
/** A wallet without an account looks again this seldom whether it has one (milliseconds). */
const NO_ACCOUNT_DELAY_MS = 3600_000;

/** The service's definite noes to a report: asking again would not change them. */
const NEVER_TAKEN = new Set<ErrorCode>([
  'payment-mismatch', 'invalid-transaction', 'payment-conflict', 'invalid-request', 'too-large',
  'unsupported-recipient', 'invalid-recipient', 'invalid-amount', 'mixed-currencies',
]);

const running = new Map<string, Promise<void>>();

/** Drives one payment as far as it goes now. Calls that come meanwhile share the run. Never throws. */
export function drivePayment(id: string): Promise<void> {
  const current = running.get(id);
  if (current) return current;
  const run = advance(id)
    .catch((error: unknown) => postpone(id, error instanceof ServiceError ? error.code : 'internal'))
    .catch(() => undefined) // the database itself failed: the alarm tries again
    .finally(() => {
      running.delete(id);
      void scheduleWork();
    });
  running.set(id, run);
  return run;
}

/** Drives every payment that has something due, and says when to look again. */
export async function driveAll(): Promise<void> {
  const due = await (await database()).getAllFromIndex('payments', 'unfinished', 1);
  await Promise.all(due.filter((record) => record.delivery.nextAt <= Date.now()).map((record) => drivePayment(record.id)));
  await scheduleWork();
}

async function advance(id: string): Promise<void> {
  for (let record = await readPayment(id); record?.unfinished === 1; ) {
    const next: PaymentRecord | null = await advanceOnce(record);
    if (next === null) return;
    record = next;
  }
}

/** One step onward, or null where nothing more can be done now. */
async function advanceOnce(record: PaymentRecord): Promise<PaymentRecord | null> {
  switch (record.state) {
    case 'approved':
      return commitOrFail(record);
    case 'signed':
      return giveToNetwork(record);
    case 'broadcast':
      return (await reportToService(record)) ?? confirm((await readPayment(record.id)) ?? record);
    case 'settled':
      return confirm(record);
    default:
      return null;
  }
}

async function commitOrFail(record: PaymentRecord): Promise<PaymentRecord | null> {
  try {
    if (Date.now() - (record.approvedAt ?? 0) > APPROVAL_LIFE_MS) throw new ServiceError('approval-expired');
    return await commitPayment(record);
  } catch (error) {
    await endUnsigned(record.id, 'failed', error instanceof ServiceError ? error : new ServiceError('internal', { cause: error }));
    return null;
  }
}

async function giveToNetwork(record: PaymentRecord): Promise<PaymentRecord | null> {
  const { rawtx, txid } = record.signed as NonNullable<PaymentRecord['signed']>;
  const { arcUrl } = await networkInfo();
  let outcome = await broadcast(arcUrl, rawtx, txid);
  if (outcome.kind !== 'accepted') {
    // An earlier try may have got through although its answer did not: what counts is what the network has.
    const known = await transactionStatus(arcUrl, txid).catch(() => undefined);
    if (known) outcome = outcomeOf(known);
    else if (known === undefined && outcome.kind === 'rejected') outcome = { ...outcome, kind: 'unreachable' };
  }
  if (outcome.kind === 'accepted') return markBroadcast(record.id);
  if (outcome.kind === 'rejected') {
    await releaseRejected(record.id, outcome.detail);
    return null;
  }
  await postpone(record.id, outcome.kind === 'contested' ? `contested: ${outcome.detail}` : 'network-unavailable');
  return null;
}

/** The network has it: its inputs are spent, its change may be spent. */
function markBroadcast(id: string): Promise<PaymentRecord | null> {
  return step(id, 'signed', async ({ signed }, tx) => {
    const coins = tx.objectStore('coins');
    for (const key of signed?.inputs ?? []) {
      const coin = await coins.get(key);
      if (coin) await coins.put({ ...coin, status: 'spent' });
    }
    for (const key of signed?.ownOutputs ?? []) {
      const coin = await coins.get(key);
      if (coin?.status === 'pending') await coins.put({ ...coin, status: 'available' });
    }
    return { state: 'broadcast', delivery: { attempts: 0, nextAt: 0, problem: null } };
  });
}

/** The network's definite no: the coins are free again, the change never was. */
function releaseRejected(id: string, detail: string): Promise<PaymentRecord | null> {
  const error = new ServiceError('network-rejected');
  return step(id, 'signed', async ({ signed, delivery }, tx) => {
    const coins = tx.objectStore('coins');
    for (const key of signed?.inputs ?? []) {
      const coin = await coins.get(key);
      if (coin?.status === 'reserved' && coin.paymentId === id) await coins.put({ ...coin, status: 'available', paymentId: null });
    }
    for (const key of signed?.ownOutputs ?? []) await coins.delete(key);
    return { state: 'failed', error: { code: error.code, message: error.message }, delivery: { ...delivery, problem: detail } };
  });
}

async function reportToService(record: PaymentRecord): Promise<PaymentRecord | null> {
  if (record.report !== 'waiting' || !(await readKey('account'))) {
    if (record.report === 'waiting' && record.height !== null) await postpone(record.id, null, NO_ACCOUNT_DELAY_MS);
    return null;
  }
  let report: PaymentRecord['report'] = 'done';
  try {
    await reportPayment(reportOf(record));
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : 'internal';
    if (!NEVER_TAKEN.has(code)) {
      await postpone(record.id, code);
      return null;
    }
    report = 'refused';
  }
  return step(record.id, 'broadcast', () => ({ state: 'settled', report, delivery: { attempts: 0, nextAt: 0, problem: null } }));
}

/** Sees whether a block holds it, and believes that only by a checked merkle path. */
async function confirm(record: PaymentRecord): Promise<PaymentRecord | null> {
  if (record.height !== null || !record.signed) return null;
  const info = await networkInfo();
  const status = await transactionStatus(info.arcUrl, record.signed.txid);
  const height = status?.txStatus === 'MINED' ? await provenHeight(info, record.signed.txid) : null;
  if (height === null) {
    await postpone(record.id, null);
    return null;
  }
  await confirmTransaction(record.signed.txid, height);
  return step(record.id, ['broadcast', 'settled'], () => ({ height }));
}

/** Notes why it did not go on, and when to try again: after 1 s, 2 s, 4 s … up to a minute. */
async function postpone(id: string, problem: string | null, delayMs?: number): Promise<void> {
  await step(id, ['signed', 'broadcast', 'settled'], ({ delivery }) => {
    const attempts = delivery.attempts + 1;
    const delay = delayMs ?? Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 10));
    return { delivery: { attempts, nextAt: Date.now() + delay, problem } };
  });
}
