/**
 * Advances a payment as far as possible without the user: sign, broadcast, report, deliver to recipients' hosts,
 * confirm. Every step starts from the stored state, so a run can be cut off anywhere.
 */
import { ServiceError, toServiceError } from '../../../protocol/errors.ts';
import { readTransaction, database } from '../database.ts';
import { signalChange } from '../events.ts';
import type { Draft } from './build.ts';
import { commitPayment } from './commit.ts';
import { confirm, broadcastPayment } from './network.ts';
import { giveUpUnsigned } from './give-up.ts';
import { checkKept, isKept } from './kept-round.ts';
import { outcomeOf, unlessEnded } from './outcome.ts';
import { postpone } from './postpone.ts';
import { forgetEarly, sendEarly, workOff } from './outbox.ts';
import type { PaymentRecord } from './record.ts';
import { inHand, scheduleWork } from './schedule.ts';
import { failUnsigned, readPayment } from './transition.ts';
import { forgetVoid, isVoid, readOutcome, voidApproval } from './void-approval.ts';
import { tellReportsApart, unfinishedPayments } from './unfinished.ts';
import { paymentMaking } from './store.ts';

/** An approval that couldn't be turned into a signature for this long is void (milliseconds). */
const APPROVAL_LIFE_MS = 120_000;
/**
 * Maximum number of payments in blocks that are advanced concurrently. Thousands may be due when a service responds
 * again.
 */
const AT_ONCE = 32;

const running = new Map<string, Promise<void>>();
const queue = new Set<string>();
const drivers = new Set<Promise<void>>();
const unstored = new Set<string>();

/** Whether a full disk kept the latest attempt from being stored. */
export const isUnstored = (id: string): boolean => unstored.has(id);

/**
 * Advances one payment as far as possible now. Concurrent calls share the run. Never throws.
 * @param draft the transaction of an approved payment, if it was just planned
 */
export function processPayment(id: string, draft?: Draft): Promise<void> {
  const current = running.get(id);
  if (current) return current;
  inHand.add(id);
  unstored.delete(id);
  const run = advance(id, draft)
    .catch(async (error: unknown) => {
      const { code } = toServiceError(error);
      if (code === 'disk-full') unstored.add(id);
      await postpone(id, code).catch(() => undefined); // the database itself failed, and the alarm tries again
      signalChange(id);
    })
    .finally(() => {
      forgetEarly(id);
      running.delete(id);
      inHand.delete(id);
      void scheduleWork();
    });
  running.set(id, run);
  return run;
}

/** The same for one that has just changed, since a run that began before would miss that. */
export async function processChanged(id: string): Promise<void> {
  await running.get(id);
  await processPayment(id);
}

/** Advances every payment that is due, and schedules the next run. */
export async function processAll(): Promise<void> {
  const unfinished = await unfinishedPayments();
  await tellReportsApart(unfinished).catch(() => undefined); // a later one does
  const due = unfinished.filter(({ at }) => at <= Date.now()).map(({ record }) => record);
  const kept = due.filter(isKept);
  const inBlocks = due.filter(({ height }) => height !== null);
  for (const { id } of inBlocks)
    if (!running.has(id)) {
      queue.add(id);
      inHand.add(id);
    }
  while (drivers.size < AT_ONCE && queue.size > 0) {
    const driver: Promise<void> = driveQueue().finally(() => drivers.delete(driver));
    drivers.add(driver);
  }
  await Promise.all([
    checkKept(kept, processPayment).catch(() => undefined), // the database itself failed, and the alarm tries again
    ...due.filter((one) => one.height === null && !isKept(one)).map(({ id }) => processPayment(id)),
    ...inBlocks.flatMap(({ id }) => running.get(id) ?? []),
    ...drivers,
  ]);
  await scheduleWork();
}

/** Advances queued payments one after the other, including those added during the run. */
async function driveQueue(): Promise<void> {
  for (const id of queue) {
    queue.delete(id);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await processPayment(id);
  }
}

async function advance(id: string, draft?: Draft): Promise<void> {
  for (let record = await readPayment(id); record && record.unfinished !== 0;) {
    const next: PaymentRecord | null = await advanceOnce(record, draft);
    if (next === null) return;
    record = next;
  }
}

/** The payment after its next transition, or null if nothing more can be done now. */
async function advanceOnce(record: PaymentRecord, draft?: Draft): Promise<PaymentRecord | null> {
  switch (record.state) {
    case 'approved':
      return commitOrFail(record, draft);
    case 'signable':
      if (Date.now() >= (record.action?.expiresAt ?? 0)) await giveUpUnsigned(record.id, 'action-expired');
      return null;
    case 'signed':
      await sendParents(record);
      return (await Promise.all([broadcastPayment(record), sendEarly(record)]))[0];
    case 'broadcast':
      return (await workOff(record)) ?? confirm((await readPayment(record.id)) ?? record);
    case 'settled':
      return confirm(record);
    default:
      return null;
  }
}

/** Its inputs may be outputs of a parent that was released with it. A node takes the parent first. */
async function sendParents({ action, signed }: PaymentRecord): Promise<void> {
  if (!action) return;
  const tx = readTransaction(await database());
  for (const txid of new Set(signed?.inputs.map((key) => key.slice(0, 64)))) {
    const maker = await paymentMaking(tx, txid);
    if (maker?.state === 'signed' && maker.trouble === null) await processChanged(maker.id);
  }
}

async function commitOrFail(record: PaymentRecord, draft?: Draft): Promise<PaymentRecord | null> {
  try {
    if (await isVoid(record.id)) throw new ServiceError('disk-full');
    if (Math.abs(Date.now() - (record.approvedAt ?? 0)) > APPROVAL_LIFE_MS) throw new ServiceError('approval-expired');
    const split = record.action?.splitFirst;
    if (split !== undefined && !(await isBroadcast(split))) throw await splitError(split);
    return await commitPayment(record, undefined, draft);
  } catch (error) {
    const cause = toServiceError(error);
    if (cause.code !== 'disk-full') await failUnsigned(record.id, cause);
    else {
      await voidApproval(record.id);
      await failUnsigned(record.id, cause);
      await forgetVoid(record.id);
    }
    return null;
  }
}

/** Why an action can't have the piece that its split was to make. */
async function splitError(id: string): Promise<ServiceError> {
  const error = (await readOutcome(id))?.error;
  return error ? new ServiceError(error.code, { message: error.message }) : new ServiceError('network-unavailable');
}

/**
 * Advances a payment to the end of its first broadcast.
 * @returns whether the network has it, so that its outputs can be spent
 */
export function isBroadcast(id: string): Promise<boolean> {
  void processPayment(id);
  return outcomeOf(id, (record) => {
    const isLeaving = record?.state === 'approved' || (record?.state === 'signed' && record.broadcast.attempts === 0);
    return isLeaving ? undefined : record?.state === 'broadcast' || record?.state === 'settled';
  });
}

/**
 * Waits until an approved payment is signed. The later steps need no window.
 * @throws ServiceError the reason if it ended unsigned
 */
export async function signedOrFailed(id: string, draft?: Draft): Promise<void> {
  void processPayment(id, draft);
  await outcomeOf(id, (record) => {
    if (record && !record.signed) unlessEnded(record);
    return record?.state !== 'approved' || undefined;
  });
}
