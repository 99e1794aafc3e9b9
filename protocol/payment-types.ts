/**
 * The payment object and its parts as plain types and words, for what is in pages and in the published package: neither
 * has the library of the schemas in `payment.ts`, which check the same shapes (payment-types.test.ts holds them equal).
 */
import type { Metadata } from './metadata.ts';

/** What a crypto operation can do. */
export const CRYPTO_METHODS = ['sign', 'verify', 'encrypt', 'decrypt', 'public-key', 'address', 'paymail'] as const;
/** One of {@link CRYPTO_METHODS}. */
export type CryptoMethod = (typeof CRYPTO_METHODS)[number];

/** What became of a crypto operation: the operation itself, numbered, with what it gave. `null` is "nothing". */
export interface CryptoResult {
  /** `'1'`, `'2'`, … in the order of the request. */
  id: string;
  name: string;
  method: CryptoMethod;
  /** Null for encrypt and decrypt: plaintext goes no further than it must. */
  data: string | null;
  dataEncoding: 'utf8' | 'hex' | null;
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
 * Built; signed, broadcast and valid; mined; rejected or given up. PENDING comes only first; COMPLETED is final. FAILED
 * becomes COMPLETED if a block contains the transaction after all.
 */
export const PAYMENT_STATUSES = ['PENDING', 'RECEIVED', 'COMPLETED', 'FAILED'] as const;
/** One of {@link PAYMENT_STATUSES}. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * Where the network stands on a payment's transaction: `seen` if a node or a block has it; `contested` if a transaction
 * competes with it or an operator rejected it; `unknown` if the operators no longer know it.
 */
export const NETWORK_STANDINGS = ['seen', 'contested', 'unknown'] as const;
/** One of {@link NETWORK_STANDINGS}. */
export type NetworkStanding = (typeof NETWORK_STANDINGS)[number];

/**
 * Whether the transaction had as much of a token to give as its outputs say (BSV-21): `unverified` while the service looks
 * for that; `valid` or `invalid` once it has followed the token back to its mint; `unknown` where it cannot.
 */
export const TOKEN_VALIDITIES = ['unverified', 'valid', 'invalid', 'unknown'] as const;
/** One of {@link TOKEN_VALIDITIES}. */
export type TokenValidity = (typeof TOKEN_VALIDITIES)[number];

/** What webhooks announce of a payment; `webhook.test` announces none: its owner asked for it, to try the receiver. */
export const WEBHOOK_EVENTS = [
  'payment.received',
  'payment.completed',
  'payment.contested',
  'payment.failed',
  'payment.refunded',
  'payment.checked',
  'webhook.test',
] as const;
/** One of {@link WEBHOOK_EVENTS}. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A payment that gave back some of another one, or all of it. */
export interface Refund {
  /** The id of the payment that was made to give it back. */
  paymentId: string;
  txid: string;
  /** What it gave back, a whole number as text. */
  satoshis: string;
}

/** Kinds of recipient. */
export const RECIPIENT_KINDS = ['ADDRESS', 'SCRIPT', 'PAYMAIL', 'USER'] as const;
/** One of {@link RECIPIENT_KINDS}. */
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

/** One output of a payment as requested. */
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
  /** Its code: three to five letters. Of an asset, the name that the page gave. */
  currency: string;
  /** A whole number as text. */
  satoshis: string;
  /** Of an asset: the token's ID, and how many of its smallest units the output's script says that it holds. */
  token?: { id: string; units: string } | undefined;
}

/**
 * The payment object that callbacks get and the service's API gives. All money is text; `amount` and `satoshis` are the
 * sums over the outputs, network fee not included. In a browser it is no evidence: ask the service on your own server.
 */
export interface Payment extends Omit<Metadata, 'payerNote'> {
  /** The note of a visitor who chose the amount. Older services leave it out. */
  payerNote?: string | null | undefined;
  /** The payment's id at the service. It is not the transaction's id. */
  id: string;
  status: PaymentStatus;
  txid: string;
  /** Double SHA-256 of the transaction with empty input scripts: known before it is signed. */
  normalizedTxid: string;
  /** Decimal text, in `currency`. */
  amount: string;
  /** The code of the button's currency, or its asset's name; that of the money where both are paid. */
  currency: string;
  /** A whole number as text. */
  satoshis: string;
  outputs: PaymentOutput[];
  /** The same as `outputs`. */
  paymentOutputs: PaymentOutput[];
  /** The results of its crypto operations. */
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
