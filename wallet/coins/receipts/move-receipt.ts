/** The states of a receipt, and the events that change them. */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Failure, LostTo, Receipt } from './receipt.ts';

/** Whether a checked proof confirms the transaction, or why it failed. */
export type ReceiptState = 'unconfirmed' | 'confirmed' | Failure;

/** Events that change a receipt's state, with their meanings. */
export const RECEIPT_EVENTS = {
  confirm: 'a valid proof shows that a block contains its transaction',
  unconfirm: 'a reorganization removes the block',
  drop: 'neither the index nor ARC has had its transaction for some time, or it conflicts with a payment that counts',
  lose: 'a block contains a different transaction that spends one of the same coins',
  return: 'its transaction exists after all',
} as const;
export type ReceiptEvent = keyof typeof RECEIPT_EVENTS;

/** The next state for each state and event. Events without an entry are illegal in that state. */
export const RECEIPT_MOVES: Record<ReceiptState, { readonly [event in ReceiptEvent]?: ReceiptState }> = {
  unconfirmed: { confirm: 'confirmed', drop: 'dropped', lose: 'double-spent' },
  // A proof can be processed twice.
  confirmed: { confirm: 'confirmed', unconfirm: 'unconfirmed' },
  dropped: { drop: 'dropped', lose: 'double-spent', return: 'unconfirmed' },
  'double-spent': { drop: 'dropped', lose: 'double-spent', return: 'unconfirmed' },
};

export const receiptState = ({ failed, height }: Receipt): ReceiptState =>
  failed ?? (height === null ? 'unconfirmed' : 'confirmed');

/** An event with its parameters. `lostTo` is missing if the receipt already has it. */
export type ReceiptMove =
  | { event: 'confirm'; height: number }
  | { event: 'drop'; look: NonNullable<Receipt['look']> }
  | { event: 'lose'; look: NonNullable<Receipt['look']>; lostTo?: LostTo | undefined }
  | { event: 'unconfirm' | 'return' };

/**
 * Returns the receipt after an event. Pure. No other function changes a receipt's state.
 * @throws ServiceError `internal` if the event is illegal in the receipt's state
 */
export function moveReceipt(receipt: Receipt, move: ReceiptMove): Receipt {
  const state = receiptState(receipt);
  if (RECEIPT_MOVES[state][move.event] === undefined)
    throw new ServiceError('internal', { detail: `the event ${move.event} is illegal for a receipt that is ${state}` });
  switch (move.event) {
    case 'confirm':
      return { ...receipt, height: move.height, unconfirmed: 0 };
    case 'unconfirm':
      return { ...receipt, height: null, unconfirmed: 1 };
    case 'drop': {
      const { lostTo, ...rest } = receipt;
      return { ...rest, failed: 'dropped', look: move.look };
    }
    case 'lose':
      return { ...receipt, failed: 'double-spent', look: move.look, ...(move.lostTo && { lostTo: move.lostTo }) };
    case 'return': {
      const { failed, look, lostTo, ...rest } = receipt;
      return rest;
    }
  }
}
