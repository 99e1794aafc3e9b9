/**
 * Defines the payment object as plain types and constants, for pages and the published package, which don't include the
 * schema library. The schemas in `payment.ts` and `api.ts` satisfy these types. An output has four forms: as requested
 * by a page (`requestedOutput`), as resolved by the wallet ({@link PaymentOutput}), as reported to the service
 * ({@link ReportedOutput}), and as stored there ({@link StoredOutput}).
 */
import type { SentMetadata } from './metadata.ts';

export const CRYPTO_METHODS = ['sign', 'verify', 'encrypt', 'decrypt', 'public-key', 'address', 'paymail'] as const;
export type CryptoMethod = (typeof CRYPTO_METHODS)[number];

/** A crypto operation with its result. */
export interface CryptoResult {
  /** `'1'`, `'2'`, … in the order of the request. */
  id: string;
  name: string;
  method: CryptoMethod;
  /** Null for encryption and decryption so that plaintext isn't passed on. */
  data: string | null;
  dataEncoding: 'utf8' | 'hex' | null;
  /** Also null when a decryption is reported to the service. */
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
 * PENDING: created. RECEIVED: broadcast and accepted by the network. COMPLETED: in a block, which is final. FAILED:
 * rejected or abandoned, but becomes COMPLETED if the transaction is mined after all.
 */
export const PAYMENT_STATUSES = ['PENDING', 'RECEIVED', 'COMPLETED', 'FAILED'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * The transaction's state on the network. `seen`: at a node or in a block, `contested`: it conflicts with another
 * transaction or was rejected by an operator, `unknown`: no operator lists it anymore.
 */
export const NETWORK_STANDINGS = ['seen', 'contested', 'unknown'] as const;
export type NetworkStanding = (typeof NETWORK_STANDINGS)[number];

/**
 * Whether the inputs held the outputs' token amount (BSV-21). `unverified` until the service has traced the token to
 * its mint, then `valid` or `invalid`. `unknown` if it can't be traced.
 */
export const TOKEN_VALIDITIES = ['unverified', 'valid', 'invalid', 'unknown'] as const;
export type TokenValidity = (typeof TOKEN_VALIDITIES)[number];

/**
 * Webhook events for a payment. `webhook.test` isn't about a real payment, and is sent at the request of the
 * application's owner.
 */
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

/** A payment that refunds another payment, in part or in full. */
export interface Refund {
  paymentId: string;
  txid: string;
  /** The refunded satoshis, an integer string. */
  satoshis: string;
}

export const RECIPIENT_KINDS = ['ADDRESS', 'SCRIPT', 'PAYMAIL', 'USER'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

/** A resolved output of a payment. Amounts are decimal strings. */
export interface PaymentOutput {
  type: RecipientKind;
  /** The recipient as named by the page. */
  to: string;
  paymail: string | null;
  userId: string | null;
  address: string | null;
  /** ASM or hexadecimal, as passed by the page. */
  script: string | null;
  /** A decimal string in `currency`. */
  amount: string;
  /** A currency code of three to five letters, or the page's name for the asset. */
  currency: string;
  /** An integer string. */
  satoshis: string;
  /** For an asset: the token's ID, and the amount in the output's script in smallest units. */
  token?: { id: string; units: string } | undefined;
}

/** A locking script (hex) and its satoshis (an integer string). */
export interface OutputScript {
  script: string;
  satoshis: string;
}

/** An output of a payment, as reported to the service by the sender's wallet. */
export interface ReportedOutput extends PaymentOutput {
  /** The transaction's outputs that pay this recipient. */
  scripts: OutputScript[];
  /** For a USER or PAYMAIL, the reference that its host issued with the scripts. */
  reference?: string | null | undefined;
}

export interface StoredOutput extends Omit<PaymentOutput, 'token'> {
  /**
   * For a user of the service: the scripts issued for this payment that the transaction pays. Null for recipients at
   * other hosts, which the service can't verify.
   */
  scripts: OutputScript[] | null;
  /**
   * For an asset: the token and its amount in smallest units, from the output's script. `validity` is whether the
   * sender had the token (deliver goods only if it is `valid`). `assetId` is the service's asset with this token. If
   * the service has none, `currency` is the token's ID and `amount` is unverified.
   */
  token?: { id: string; units: string; validity: TokenValidity; assetId: string | null } | undefined;
}

/**
 * The payment object in callbacks and the service's API. Amounts of money are decimal strings. `amount` and `satoshis`
 * are totals of the outputs, without the network fee. In a browser, the object proves nothing.
 */
export interface Payment extends SentMetadata {
  /** The payment's ID at the service, not the transaction ID. */
  id: string;
  status: PaymentStatus;
  txid: string;
  /** Double SHA-256 of the transaction with empty unlocking scripts, known before it is signed. */
  normalizedTxid: string;
  /** A decimal string in `currency`. */
  amount: string;
  /** The button's currency code. If only an asset is paid, the asset's name. */
  currency: string;
  /** An integer string. */
  satoshis: string;
  outputs: PaymentOutput[];
  /** Same as `outputs`. */
  paymentOutputs: PaymentOutput[];
  cryptoOperations: CryptoResult[];
  /** User ID of the sender, null without an account. */
  userId: string | null;
  /** Paymail of the sender, null without an account. */
  senderPaymail: string | null;
  /** The value in USD at the time of the request, a decimal string. Null if there was no rate. */
  amountUsd: string | null;
  /** The signed transaction, hexadecimal. */
  rawtx: string;
}
