/** Comparison of payment options in repeated requests. */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';

/** True if the options are equal, regardless of the order of their keys. */
export function sameOptions(one: PaymentOptions, other: PaymentOptions): boolean {
  return canonical({ ...one, label: undefined }) === canonical({ ...other, label: undefined });
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** The prompt name for a request. A page repeats the request's id in a message with another name. */
export const promptNameOf = (requestId: string): string => `request ${requestId}`;
