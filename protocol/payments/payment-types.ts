/**
 * The payment object as plain types and constants, for pages and the published package, without the schemas' library.
 * The schemas in `payment.ts` and `api.ts` satisfy these types.
 * An output has four stages: requested by a page (`requestedOutput`), resolved by the wallet to a {@link PaymentOutput}
 * and its scripts, reported to the service, and stored there.
 */
import type { SentMetadata } from './metadata.ts';

export const CRYPTO_METHODS = ['sign', 'verify', 'encrypt', 'decrypt', 'public-key', 'address', 'paymail'] as const;
export type CryptoMethod = (typeof CRYPTO_METHODS)[number];

/** The result of a crypto operation: the operation itself, numbered, with its output. `null` means none. */
export interface CryptoResult {
  /** `'1'`, `'2'`, … in the order of the request. */
  id: string;
  name: string;
  method: CryptoMethod;
  /** Null for encrypt and decrypt: plaintext goes no further than it must. */
  data: string | null;
  dataEncoding: 'utf8' | 'hex' | null;
  /** Also null in the report of a decryption to the service. */
  value: string | null;
  valueEncoding: 'utf8' | 'hex' | 'base64' | null;
  key: 'identity' | null;
  algorithm: string | null;
  publicKey: string | null;
  paymail: string | null;
  signature: string | null;
  verified: boolean | null;
}

/**
 * Built; signed, broadcast and valid; mined; rejected or given up. COMPLETED is final. FAILED becomes COMPLETED if a
 * block contains the transaction after all.
 */
export const PAYMENT_STATUSES = ['PENDING', 'RECEIVED', 'COMPLETED', 'FAILED'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * The transaction's state on the network: `seen` by a node or in a block; `contested` by another transaction or
 * rejected by an operator; `unknown` if the operators no longer know it.
 */
export const NETWORK_STANDINGS = ['seen', 'contested', 'unknown'] as const;
export type NetworkStanding = (typeof NETWORK_STANDINGS)[number];

/**
 * Whether the inputs held the token amount of the outputs (BSV-21): `unverified` while the service checks that; `valid`
 * or `invalid` once it is traced to the mint; `unknown` if it can't be.
 */
export const TOKEN_VALIDITIES = ['unverified', 'valid', 'invalid', 'unknown'] as const;
export type TokenValidity = (typeof TOKEN_VALIDITIES)[number];

/** The events of a payment's webhooks. `webhook.test` has no payment: its owner requested it, to test the receiver. */
export const WEBHOOK_EVENTS = [
  'payment.received',
  'payment.completed',
  'payment.contested',
  'payment.failed',
  'payment.refunded',
  'payment.checked',
  'webhook.test',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A payment that refunded another one, in part or in full. */
export interface Refund {
  /** The id of the refunding payment. */
  paymentId: string;
  txid: string;
  /** The refunded satoshis, a whole number as text. */
  satoshis: string;
}

export const RECIPIENT_KINDS = ['ADDRESS', 'SCRIPT', 'PAYMAIL', 'USER'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

/** One output of a payment as resolved. Amounts are decimal text. */
export interface PaymentOutput {
  type: RecipientKind;
  /** The recipient as the page named it. */
  to: string;
  paymail: string | null;
  userId: string | null;
  address: string | null;
  /** ASM, or the script's bytes in hexadecimal, as the page gave it. */
  script: string | null;
  /** Decimal text, in `currency`. */
  amount: string;
  /** The currency's code, three to five letters, or the page's name for the asset. */
  currency: string;
  /** A whole number as text. */
  satoshis: string;
  /** For an asset: the token's ID, and the amount in the output's script in smallest units. */
  token?: { id: string; units: string } | undefined;
}

/** A locking script (hex), and the satoshis that it is paid (a whole number as text). */
export interface OutputScript {
  script: string;
  satoshis: string;
}

/** One output of a payment as the sender's wallet reports it to the service. */
export interface ReportedOutput extends PaymentOutput {
  /** The transaction's outputs that pay this recipient. */
  scripts: OutputScript[];
  /** For a USER or PAYMAIL, its host's reference for the destination of the scripts. */
  reference?: string | null | undefined;
}

export interface StoredOutput extends Omit<PaymentOutput, 'token'> {
  /**
   * For a user of the service: the issued scripts that the transaction pays. Null for others: another host's payee is
   * only the sender's claim.
   */
  scripts: OutputScript[] | null;
  /**
   * For an asset: the token and its amount in smallest units, by the output's script; whether the sender had it
   * (deliver only for `valid`); and the service's asset with this token, if known. Otherwise `currency` is the token's
   * ID and the amount is the payer's claim.
   */
  token?: { id: string; units: string; validity: TokenValidity; assetId: string | null } | undefined;
}

/**
 * The payment object of callbacks and the service's API. All money is text; `amount` and `satoshis` are the sums over
 * the outputs, without the network fee. In a browser it proves nothing.
 */
export interface Payment extends SentMetadata {
  /** The payment's id at the service. It is not the transaction's id. */
  id: string;
  status: PaymentStatus;
  txid: string;
  /** Double SHA-256 of the transaction with empty input scripts: known before it is signed. */
  normalizedTxid: string;
  /** Decimal text, in `currency`. */
  amount: string;
  /** The code of the button's currency, or its asset's name. If both are paid, the money's code. */
  currency: string;
  /** A whole number as text. */
  satoshis: string;
  outputs: PaymentOutput[];
  /** The same as `outputs`. */
  paymentOutputs: PaymentOutput[];
  cryptoOperations: CryptoResult[];
  /** User ID of the sender; null for one without an account. */
  userId: string | null;
  /** Paymail of the sender; null for one without an account. */
  senderPaymail: string | null;
  /** Its value in USD at the time of the request, decimal text; null if there was no rate. */
  amountUsd: string | null;
  /** The signed transaction, hexadecimal. */
  rawtx: string;
}
