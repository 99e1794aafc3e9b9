/** Holds the send form's input, and converts it to the request. */
import { addressFault, type Network } from '../../../protocol/bitcoin/address.ts';
import type { ErrorCode } from '../../../protocol/errors/service-error.ts';
import { fromSatoshis, satoshisToBsv, toSatoshis } from '../../../protocol/money/money.ts';
import { recipientKind } from '../../../protocol/payments/recipient.ts';
import { amountReadings, fieldText, typedAmount } from '../../../protocol/money/typed-amount.ts';
import type { Rate, SendRecipient } from '../../../protocol/messages/wallet-messages.ts';
import { sendTexts as t, texts } from '../../ui/texts/texts.ts';
import { hostProblem, type RequestedHost } from './asked-host.ts';
import { readPaymentLink } from './payment-link.ts';

/** A recipient as typed. If `everything` is true, the recipient gets the remaining balance instead of `amount`. */
export interface DraftRow {
  key: number;
  to: string;
  amount: string;
  everything: boolean;
}

/** All input in the form. `currency` applies to all amounts. */
export interface Draft {
  rows: DraftRow[];
  currency: string;
  note: string;
}

export interface RowProblems {
  to?: string;
  amount?: string;
}

export function emptyRow(key: number): DraftRow {
  return { key, to: '', amount: '', everything: false };
}

/** Returns the recipients for a quote, or null while required input is missing. */
export function recipientsOf({ rows, currency }: Draft): SendRecipient[] | null {
  const recipients = rows.map(({ to, amount, everything }) => ({
    to: to.trim(),
    amount: everything ? null : typedAmount(amount),
    currency,
  }));
  const complete = recipients.every(({ to, amount }, i) => to !== '' && (amount !== null || rows[i]?.everything));
  return complete ? recipients : null;
}

/** Returns the problems in a row. `code` is the wallet's error, and `asked` is the host that caused it, if any. */
export function problemsOf(
  { to, amount, everything }: DraftRow,
  network: Network,
  code: ErrorCode | undefined,
  asked: RequestedHost | null,
): RowProblems {
  const who =
    recipientProblem(to.trim(), network) ??
    (asked ? hostProblem(asked, code) : code === 'invalid-recipient' ? t.unspendable : undefined);
  const much = everything ? undefined : amountProblem(amount, code);
  return { ...(who !== undefined && { to: who }), ...(much !== undefined && { amount: much }) };
}

/** Returns the problem with a recipient, or undefined if the recipient is valid. */
export function recipientProblem(to: string, network: Network): string | undefined {
  if (to === '') return t.missingTo;
  const link = readPaymentLink(to);
  if (link !== null) return link === 'other-chain' ? t.otherChain : t.badLink;
  const fault = addressFault(to, network);
  if (fault !== null && (fault !== 'mistyped' || recipientKind(to) === null))
    return { mistyped: t.mistyped, kind: t.otherKind, network: t.otherNetwork }[fault];
  return recipientKind(to) === null ? t.nobody : undefined;
}

function amountProblem(amount: string, code: ErrorCode | undefined): string | undefined {
  if (amount.trim() === '') return t.missingAmount;
  const { length } = amountReadings(amount);
  if (length !== 1) return length > 1 ? texts.whichAmount : t.badAmount;
  if (code === 'amount-too-small') return t.tooSmall;
  return code === 'invalid-amount' ? t.tooMuch : undefined;
}

/** Converts the draft to a different currency. Amounts keep their value, or become empty if they can't be converted. */
export function inCurrency(draft: Draft, currency: string, rate: Rate | null): Draft {
  if (currency === draft.currency) return draft;
  const priceOf = (code: string) => (code === 'BSV' ? '1' : code === rate?.currency ? rate.price : null);
  const [from, to] = [priceOf(draft.currency), priceOf(currency)];
  const convert = (typed: string): string => {
    const amount = typedAmount(typed);
    if (amount === null || from === null || to === null) return '';
    try {
      const satoshis = toSatoshis(amount, from);
      if (currency === 'BSV') return fieldText(satoshisToBsv(satoshis));
      const cents = fromSatoshis(satoshis, to, 2);
      return /[1-9]/.test(cents) ? cents : fromSatoshis(satoshis, to, 8);
    } catch {
      return ''; // The amount is below one satoshi or exceeds the supply.
    }
  };
  return { ...draft, currency, rows: draft.rows.map((row) => ({ ...row, amount: convert(row.amount) })) };
}

/** Sets a typed or pasted recipient. A payment link also sets the amount, in BSV. */
export function withRecipient(draft: Draft, key: number, text: string, rate: Rate | null): Draft {
  const link = readPaymentLink(text);
  const change = (from: Draft, part: Partial<DraftRow>): Draft => ({
    ...from,
    rows: from.rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
  });
  if (link === null || typeof link === 'string') return change(draft, { to: text });
  if (link.amount === null) return change(draft, { to: link.to });
  return change(inCurrency(draft, 'BSV', rate), { to: link.to, amount: fieldText(link.amount), everything: false });
}

/** Assigns the remaining balance to a row, or unassigns it. Only one row can have the remaining balance. */
export function withEverything(draft: Draft, key: number, everything: boolean): Draft {
  return {
    ...draft,
    rows: draft.rows.map((row) =>
      row.key === key
        ? { ...row, everything, amount: '' }
        : { ...row, everything: everything ? false : row.everything },
    ),
  };
}
