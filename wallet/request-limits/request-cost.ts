/** Estimates the work caused by a page's request, and limits it before it starts. Pure. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { MAX_REQUEST_DATA } from '../../protocol/payments/limits.ts';
import { METADATA_NAMES } from '../../protocol/payments/metadata.ts';
import type { PageMethod, PageParams } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';

/** Maximum time for each part of a request on a slow machine, including signing (milliseconds). */
const COST = { request: 2, payment: 20, output: 1, operation: 5, thousandCharacters: 0.25, thousandOfLargeCall: 0.7 };

const lengthOf = (...texts: (string | undefined)[]) => texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);

/** Counts the characters of a request that are read, shown, signed, encrypted or written to the chain. */
function dataIn({ outputs, opReturn, cryptoOperations = [], ...options }: PaymentOptions): number {
  return lengthOf(
    opReturn,
    ...METADATA_NAMES.map((name) => options[name]),
    ...outputs.flatMap(({ to, script, paymail }) => [to, script, paymail]),
    ...cryptoOperations.flatMap(({ data, value, signature, paymail }) => [data, value, signature, paymail]),
  );
}

/** Calls that plan and sign transactions, or read long lists. */
const LARGE_CALLS = ['createAction', 'signAction', 'internalizeAction', 'listActions', 'listOutputs'];

/**
 * Returns the cost of a BSV wallet interface call (milliseconds). Most calls derive a key, which takes as long as a
 * crypto operation.
 */
function callCost({ call, args }: PageParams<'brc100/call'>): number {
  const thousands = args.length / 1000;
  // These calls, such as `createAction` and the following `signAction`, hash, sign and store a transaction several
  // times.
  return LARGE_CALLS.includes(call)
    ? COST.payment + thousands * COST.thousandOfLargeCall
    : COST.operation + thousands * COST.thousandCharacters;
}

/** Returns the computing time that a response takes (milliseconds). A short request can return a long list. */
export function responseCost(answer: unknown): number {
  return (sizeOf(answer) / 1000) * COST.thousandOfLargeCall;
}

/** Returns the approximate number of characters and bytes. Arrays that start with a number count as bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value))
    return typeof value[0] === 'number' ? value.length : value.reduce<number>((sum, one) => sum + sizeOf(one), 0);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + sizeOf(one), 0);
}

/** Returns the approximate number of characters that a pending request keeps in memory. */
export function requestSize(params: PageParams<PageMethod>): number {
  return 'args' in params ? params.args.length : sizeOf(params);
}

/**
 * Returns the computing time that a request can take, in milliseconds.
 * @throws ServiceError `data-too-large` if it has more than {@link MAX_REQUEST_DATA} characters in total
 */
export function costOf<M extends PageMethod>(method: M, params: PageParams<M>): number {
  if (method === 'brc100/call') return callCost(params as PageParams<'brc100/call'>);
  if (method !== 'payment/request') return COST.request;
  const { options } = params as PageParams<'payment/request'>;
  const characters = dataIn(options);
  if (characters > MAX_REQUEST_DATA) throw new ServiceError('data-too-large');
  const operations = options.cryptoOperations?.length ?? 0;
  return (
    COST.payment +
    options.outputs.length * COST.output +
    operations * COST.operation +
    (characters / 1000) * COST.thousandCharacters
  );
}
