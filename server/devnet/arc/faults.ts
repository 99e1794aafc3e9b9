/** Operator faults, which tests switch on to reproduce the behavior of public operators. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestHandler } from 'express';

/**
 * - `down`: closes each connection. `slow`: responds after `seconds`. `key-required`: 401 without the bearer token
 * `key`.
 * - `overloaded`: 503 for submissions, with `Retry-After: seconds`.
 * - `silence`: responds RECEIVED and forgets the transaction. `received`: every status remains RECEIVED.
 * - `rejected`: stores REJECTED with `reason` and `code`. After the fault ends, resubmitted bytes are verified again.
 * - `refused`: an error with `code`, nothing stored; 476 means non-final. `contested`: DOUBLE_SPEND_ATTEMPTED.
 * - `too-long-chain`: like `rejected`, at the end of a chain of more than `limit` unmined transactions.
 * - `forgets`: reports no status for any transaction. `other-dialect`: responds in the other operator's format.
 * - `events-down`, `events-break` (after each event), `events-repeat`, `events-without-proof`: faults in the event
 * stream.
 * - `reorg-reanchor`, `reorg-unmined`: mined transactions move to a different block, or become unmined.
 */
export const FAULT_NAMES = [
  'down',
  'slow',
  'key-required',
  'overloaded',
  'silence',
  'received',
  'rejected',
  'refused',
  'contested',
  'too-long-chain',
  'forgets',
  'other-dialect',
  'events-down',
  'events-break',
  'events-repeat',
  'events-without-proof',
  'reorg-reanchor',
  'reorg-unmined',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

/** A requested fault. `times` limits how often the fault occurs; unlimited if missing. */
export interface Fault {
  name: FaultName;
  times?: number | undefined;
  seconds?: number | undefined;
  key?: string | undefined;
  code?: number | undefined;
  reason?: string | undefined;
  limit?: number | undefined;
}

export class Faults {
  #list: Fault[] = [];

  set(faults: readonly Fault[]): void {
    this.#list = faults.map((fault) => ({ ...fault }));
  }

  /** Returns the fault with this name if it is active, and decrements its remaining count. */
  take(name: FaultName): Fault | null {
    const fault = this.#list.find((one) => one.name === name && one.times !== 0);
    if (fault?.times !== undefined) fault.times -= 1;
    return fault ?? null;
  }

  has(name: FaultName): boolean {
    return this.#list.some((one) => one.name === name && one.times !== 0);
  }
}

/** Middleware that applies faults before a request is read. @param fail sends an error in the operator's format */
export function faultGate(
  faults: Faults,
  fail: (response: Parameters<RequestHandler>[1], status: 401 | 503, text: string) => void,
): RequestHandler {
  return async (request, response, next) => {
    const slow = faults.take('slow');
    if (slow) await pause((slow.seconds ?? 1) * 1000, undefined, { ref: false });
    const keyed = faults.has('key-required') ? faults.take('key-required') : null;
    if (faults.take('down')) request.socket.destroy();
    else if (keyed && request.get('authorization') !== `Bearer ${keyed.key ?? ''}`)
      fail(response, 401, 'an API key is required');
    else if (request.method === 'POST' && faults.has('overloaded')) {
      const { seconds } = faults.take('overloaded') as Fault;
      if (seconds !== undefined) response.set('Retry-After', String(seconds));
      fail(response, 503, 'broker is under backpressure');
    } else next();
  };
}
