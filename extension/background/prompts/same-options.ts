/** Is it the same that a page asks for again? */
import type { PaymentOptions } from '../../../protocol/payment.ts';

/** True for equal options, whatever the order of their keys. */
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

/**
 * The name that a request's question is stored by: the page asks again under the request's id, with a message of
 * another name.
 */
export const promptNameOf = (requestId: string): string => `request ${requestId}`;
