/** The payment as the service tells of it, as far as a shop needs it. */
import type { Metadata } from '../../protocol/metadata.ts';
import type {
  NetworkStanding,
  Payment as PaidPayment,
  PaymentOutput as PaidOutput,
  TokenValidity,
} from '../../protocol/payment-types.ts';
import { VerificationError } from './verification-error.ts';

/** One recipient. Amounts are decimal text, `satoshis` a whole number as text. */
export interface PaymentOutput extends Omit<PaidOutput, 'token'> {
  /**
   * Where the recipient is a user of the service: what it gave out for them and the transaction pays (hex, satoshis as
   * text). Null for others: whom the scripts of another host's paymail pay is the sender's word.
   */
  scripts?: { script: string; satoshis: string }[] | null;
  /**
   * Of an asset: the token and how much of it, in its smallest units, as the output's script says; whether its sender had it
   * (deliver for `valid` alone); and the asset of the service that was named, null where there is none.
   */
  token?: { id: string; units: string; validity?: TokenValidity; assetId?: string | null } | undefined;
}

/** A payment. Further fields may come: ignore what you do not know. */
export interface Payment
  extends
    Metadata,
    Pick<PaidPayment, 'id' | 'status' | 'txid' | 'normalizedTxid' | 'amount' | 'currency' | 'satoshis' | 'rawtx'> {
  statusDescription: string | null;
  /** Where the network stands on the transaction. Services before this member don't send it. */
  network?: NetworkStanding;
  clientIdentifier: string | null;
  /** What `satoshis` were worth when the service was told of them, by its own rate; null where it had none. */
  amountUsd: string | null;
  /** The same in `currency`; null where the service knew no rate. `amount` is the sender's word. */
  serviceAmount?: string | null;
  /** True where `amount` differs from what moved by more than a tenth. */
  amountDeviates?: boolean | null;
  outputs: PaymentOutput[];
  /** The same as `outputs`. */
  paymentOutputs?: PaymentOutput[];
  /** The sender's paymail: of an account at the service, or one that its own host vouches for. Null for others. */
  senderPaymail?: string | null;
  /** Null where it came in by paymail and the sender did not report it to this service. */
  userId: string | null;
  /** What it gives back of the payment that `refundOf` names, as the service has checked; null where nothing. */
  refundSatoshis?: string | null;
  /** What was given back of it so far. */
  refundedSatoshis?: string;
  createdAt: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const areTexts = (value: Record<string, unknown>, names: readonly string[]) =>
  names.every((name) => typeof value[name] === 'string');

/**
 * Takes JSON for a payment.
 * @throws VerificationError `malformed`
 */
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
