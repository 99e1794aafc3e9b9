/** A payment as the wallet stores it, from the page's request to the block that holds it. */
import type { PaymentOptions, PaymentOutput, PaymentStatus } from '../../../protocol/payment.ts';
import type { PaymentState } from '../../../protocol/wallet-messages.ts';
import { ERRORS, type ErrorCode, type ServiceError, type WireError } from '../../../protocol/errors.ts';
import { announceChange } from '../changes.ts';
import { database, type Database } from '../database.ts';

/** One script that is paid for an output: hex and satoshis. An output of several scripts is one recipient all the same. */
export interface PaidScript {
  script: string;
  satoshis: bigint;
}

/** An output as asked for, and the scripts that it became. */
export type ResolvedOutput = PaymentOutput & { scripts: PaidScript[] };

/** The outputs and their sum, at the rate of the moment of the swipe. */
export interface Quote {
  outputs: ResolvedOutput[];
  /** Sum of the outputs' amounts, decimal text in `currency`. */
  amount: string;
  currency: string;
  satoshis: bigint;
}

/** What a signed payment consists of. `inputs` and `change` are outpoints. */
export interface SignedPart {
  rawtx: string;
  txid: string;
  normalizedTxid: string;
  /** Shows the service that this wallet made it (protocol/report-message.ts). */
  inputProof: string;
  feeSatoshis: bigint;
  inputs: string[];
  ownOutputs: string[];
}

/**
 * States: `requested` → `approved` → `signed` → `broadcast` → `settled`; `refused` and `failed` before `signed`, and
 * `failed` after it only on the network's definite no. From `signed` on the same bytes are only ever sent again.
 */
export interface PaymentRecord {
  /** The payment's id outside, a UUID made here. */
  id: string;
  /** The page's own name for its request: asking again under it is asking for the same payment. */
  requestId: string;
  origin: string;
  options: PaymentOptions;
  state: PaymentState;
  createdAt: number;
  updatedAt: number;
  quote: Quote | null;
  /** The approval window: its unguessable id, its window, when it was first shown, and the most it said the fee is. */
  approval: { id: string; windowId: number | null; shownAt: number | null; feeSatoshis: bigint | null } | null;
  approvedAt: number | null;
  signed: SignedPart | null;
  /** Why it was refused or failed. */
  error: WireError | null;
  /** Tries to hand it on, and not before when the next one is due (milliseconds since 1970). */
  delivery: { attempts: number; nextAt: number; problem: string | null };
  /** The service has it, or will never take it. */
  report: 'waiting' | 'done' | 'refused';
  /** The block that a checked proof places it in. */
  height: number | null;
  /** 1 while something is left to do without the user: kept by {@link step} for the database's index. */
  unfinished: 0 | 1;
}

/** The status that is shown outside. */
export function statusOf(record: PaymentRecord): PaymentStatus {
  if (record.state === 'refused' || record.state === 'failed') return 'FAILED';
  if (record.state === 'broadcast' || record.state === 'settled') return record.height === null ? 'RECEIVED' : 'COMPLETED';
  return 'PENDING';
}

/** True once nothing about the page's answer will change any more. */
export function isAnswerable(record: PaymentRecord): boolean {
  return ['broadcast', 'settled', 'refused', 'failed'].includes(record.state);
}

/** True while the wallet has something to do for it that needs no user. */
function isUnfinished({ state, height, report }: PaymentRecord): boolean {
  if (state === 'approved' || state === 'signed') return true;
  return (state === 'broadcast' && report === 'waiting') || ((state === 'broadcast' || state === 'settled') && height === null);
}

const watchers = new Map<string, Set<() => void>>();

/** Waits for the next change of a payment in this life of the service worker. */
export function nextChange(id: string): Promise<void> {
  return new Promise((resolve) => {
    const set = watchers.get(id) ?? new Set();
    watchers.set(id, set);
    const wake = () => {
      set.delete(wake);
      if (set.size === 0) watchers.delete(id);
      resolve();
    };
    set.add(wake);
  });
}

/** One payment by its id. */
export async function readPayment(id: string): Promise<PaymentRecord | undefined> {
  return (await database()).get('payments', id);
}

/** The stores that a payment's step may change together. */
export type StepTransaction = ReturnType<typeof beginStep>;

function beginStep(db: Database) {
  return db.transaction(['payments', 'coins', 'addresses'], 'readwrite');
}

/**
 * Moves a payment on, in one database transaction, if it is still in the state that the step starts from. `change` may
 * touch coins and addresses in the same transaction; it must await nothing else.
 * @returns the new record, or null where the payment was in another state already (nothing was changed then)
 */
export async function step(
  id: string,
  from: PaymentState | readonly PaymentState[],
  change: (record: PaymentRecord, tx: StepTransaction) => Partial<PaymentRecord> | Promise<Partial<PaymentRecord>>,
): Promise<PaymentRecord | null> {
  const tx = beginStep(await database());
  tx.done.catch(() => undefined); // awaited below; an abort must not also surface as unhandled
  const record = await tx.objectStore('payments').get(id);
  if (!record || ![from].flat().includes(record.state)) {
    await tx.done;
    return null;
  }
  try {
    const changed = { ...record, ...(await change(record, tx)), updatedAt: Date.now() };
    const next: PaymentRecord = { ...changed, unfinished: isUnfinished(changed) ? 1 : 0 };
    await tx.objectStore('payments').put(next);
    await tx.done;
    for (const wake of watchers.get(id) ?? []) wake();
    announceChange();
    return next;
  } catch (error) {
    try {
      tx.abort();
    } catch {
      // already aborted
    }
    throw error;
  }
}

/** Codes that leave open whether a payment may still be made. Of one that has ended unsigned they would be untrue. */
const LEAVES_OPEN: readonly ErrorCode[] = ['network-unavailable', 'service-unavailable', 'wallet-locked', 'busy', 'internal'];

/** Ends a payment that was not signed, with a code that says so for good. Does nothing to any other. */
export function endUnsigned(id: string, state: 'refused' | 'failed', { code, message }: ServiceError): Promise<PaymentRecord | null> {
  const error: WireError = LEAVES_OPEN.includes(code) ? { code: 'not-paid', message: ERRORS['not-paid'] } : { code, message };
  return step(id, ['requested', 'approved'], () => ({ state, error }));
}
