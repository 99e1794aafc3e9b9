/** States of an output in an application's basket, and the events that change them. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { AppOutput, AppOutputStatus } from './app-output.ts';

/** Events that change an output's status. */
export const OUTPUT_EVENTS = {
  reserve: 'a payment that the network doesn’t have yet spends it',
  spend: 'the network has a payment that spends it',
  'spend-elsewhere': 'the network has another transaction that spends it',
  release: 'the payment that spent it has ended',
  return: 'the other transaction failed',
  accept: 'the network has the payment that creates it',
  await: 'the payment that creates it must be broadcast again',
  void: 'the payment that creates it was replaced or has ended',
} as const;
export type OutputEvent = keyof typeof OUTPUT_EVENTS;

/** Status of an unspent output, depending on the transaction that creates it. */
type FreeStatus = 'pending' | 'available';

/** The next status. `free` stands for `pending` or `available`, depending on the creating transaction. */
type Next = AppOutputStatus | 'free';

/** State machine: the next status for each status and event. All other events are illegal. */
export const OUTPUT_MOVES: Record<AppOutputStatus, { readonly [event in OutputEvent]?: Next }> = {
  pending: { reserve: 'reserved', spend: 'spent', accept: 'available', void: 'void' },
  available: { reserve: 'reserved', spend: 'spent', 'spend-elsewhere': 'spent', await: 'pending', void: 'void' },
  reserved: { reserve: 'reserved', spend: 'spent', release: 'free' },
  // An output spent by someone else becomes void if the payment that creates it has ended.
  spent: { reserve: 'reserved', spend: 'spent', release: 'free', return: 'available', void: 'void' },
  void: { spend: 'spent', accept: 'available', await: 'pending' },
};

/** An event with its data: the ID of the spending payment, or the status of the released output. */
export type OutputMove =
  | { event: 'reserve' | 'spend'; spentBy: string }
  | { event: 'release'; free: FreeStatus }
  | { event: Exclude<OutputEvent, 'reserve' | 'spend' | 'release'> };

/**
 * Returns an output after an event. All status changes use this function. Pure.
 * @throws ServiceError `internal` if the event is illegal in the output's status
 */
export function moveOutput<O extends Pick<AppOutput, 'status' | 'spentBy'>>(output: O, move: OutputMove): O {
  const { event } = move;
  const next = OUTPUT_MOVES[output.status][event];
  if (next === undefined)
    throw new ServiceError('internal', {
      detail: `the event ${event} is illegal for an output that is ${output.status}`,
    });
  const status = next === 'free' ? (move as { free: FreeStatus }).free : next;
  const spentBy = 'spentBy' in move ? move.spentBy : event === 'release' ? null : output.spentBy;
  return { ...output, status, spentBy };
}
