/** The fields of the service's payment object that merchants need. */
import type { Metadata } from '../../protocol/payments/metadata.ts';
import type { NetworkStanding, Payment as PaidPayment, StoredOutput } from '../../protocol/payments/payment-types.ts';
import { VerificationError } from './verification-error.ts';

/** One recipient. Fields are optional if older services don't send them. */
export interface PaymentOutput extends Omit<StoredOutput, 'scripts' | 'token'> {
  scripts?: StoredOutput['scripts'];
  token?: (Pick<StoredToken, 'id' | 'units'> & Partial<StoredToken>) | undefined;
}
type StoredToken = NonNullable<StoredOutput['token']>;

/** A payment. Later versions may add fields, so ignore unknown fields. */
export interface Payment
  extends
    Metadata,
    Pick<PaidPayment, 'id' | 'status' | 'txid' | 'normalizedTxid' | 'amount' | 'currency' | 'satoshis' | 'rawtx'> {
  statusDescription: string | null;
  /** The network's status for the transaction. Missing from older services. */
  network?: NetworkStanding;
  clientIdentifier: string | null;
  /** The value of `satoshis` in USD, at the service's rate at the time of the report; null if unknown. */
  amountUsd: string | null;
  /** The amount in `currency`; null if the rate is unknown. `amount` is only the sender's claim. */
  serviceAmount?: string | null;
  /** True if `amount` differs from the amount paid by more than 10%. */
  amountDeviates?: boolean | null;
  outputs: PaymentOutput[];
  /** The same as `outputs`. */
  paymentOutputs?: PaymentOutput[];
  /** The sender's paymail, from an account at the service or confirmed by its own host; otherwise null. */
  senderPaymail?: string | null;
  /** Null for a payment received by paymail that its sender didn't report to this service. */
  userId: string | null;
  /** The verified amount by which this payment refunds the one in `refundOf`; null if it isn't a refund. */
  refundSatoshis?: string | null;
  /** The total refunded so far. */
  refundedSatoshis?: string;
  createdAt: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const areTexts = (value: Record<string, unknown>, names: readonly string[]) =>
  names.every((name) => typeof value[name] === 'string');

/** Validates a payment parsed from JSON. @throws VerificationError `malformed` */
export function readPayment(value: unknown): Payment {
  const isScript = (script: unknown) => isRecord(script) && areTexts(script, ['script', 'satoshis']);
  const areScripts = (scripts: unknown) =>
    scripts === undefined || scripts === null || (Array.isArray(scripts) && scripts.every(isScript));
  const isOutput = (output: unknown) =>
    isRecord(output) &&
    areTexts(output, ['type', 'to', 'amount', 'currency', 'satoshis']) &&
    (output.token === undefined || (isRecord(output.token) && areTexts(output.token, ['id', 'units']))) &&
    areScripts(output.scripts);
  const isPayment =
    isRecord(value) &&
    areTexts(value, ['id', 'status', 'txid', 'amount', 'currency', 'satoshis', 'rawtx']) &&
    Array.isArray(value.outputs) &&
    value.outputs.every(isOutput);
  if (!isPayment) throw new VerificationError('malformed', 'This is not a payment.');
  return value as unknown as Payment;
}
