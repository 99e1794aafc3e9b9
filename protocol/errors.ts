/** What only callers of the service's HTTP interface meet: no wallet shows it. */
const API_ERRORS = {
  forbidden: 'This request did not come from a page of this service.',
  'insufficient-scope': 'This token does not allow that.',
  'idempotency-conflict': 'This Idempotency-Key was already used for a different request.',
  'request-timeout': 'The body of the request did not come in within 20 seconds.',
  'request-under-way': 'The same request is still being worked on. Ask again in a moment.',
  'unknown-application': 'No such application.',
  'unrelated-payment': 'Neither an application nor a recipient of this payment is at this service.',
  'too-many-applications': 'You have 50 applications, and cannot have more. Delete one that you do not need.',
} as const;

/** What a wallet may have to show. */
export const SHOWN_ERRORS = {
  // A page's request
  'invalid-request': 'The request is malformed.',
  'unsupported-method': 'This request is not known here.',
  'insecure-origin': 'Payments work only on secure pages (https).',
  'invalid-recipient': 'The recipient is not a valid paymail, user ID, address or script.',
  'unsupported-recipient': 'This recipient’s host cannot take payments from this wallet.',
  'unknown-recipient': 'There is no such recipient. No money has moved.',
  'paymail-unavailable': 'The recipient’s paymail host cannot be reached right now. No money has moved.',
  'paymail-mismatch': 'The recipient’s paymail host answered something that makes no sense. No money has moved.',
  'invalid-amount': 'The amount is not a positive decimal number.',
  'invalid-currency': 'The currency is not known.',
  'amount-too-small': 'The amount is less than one satoshi.',
  'invalid-operation': 'What is to be signed, encrypted or decrypted is malformed.',
  'operation-failed': 'This cannot be decrypted with your key.',
  'forbidden-data': 'This is not data that a site may have signed.',
  'operation-refused': 'You refused. Nothing was signed or decrypted.',
  'mixed-currencies': 'All outputs of one payment use the same currency.',
  'data-too-large': 'The data to write is too large.',
  'request-id-reused': 'This request was already used for a different payment.',
  // The wallet's answer to it
  'no-wallet': 'No wallet was found in this browser.',
  'wallet-not-set-up': 'Your wallet is not set up yet. No money has moved.',
  'wallet-locked': 'Your wallet is locked. No money has moved.',
  busy: 'A payment is already waiting for your decision. No money has moved.',
  'too-many-requests': 'Too many requests. Wait a moment and try again.',
  refused: 'You refused the payment. No money has moved.',
  'approval-closed': 'The payment window was closed. No money has moved.',
  'page-gone': 'The page that asked was closed. No money has moved.',
  'allowance-refused': 'You gave this site no allowance.',
  'sign-in-refused': 'You did not sign in here.',
  'click-first': 'Press a button on the page yourself, then try again.',
  'site-blocked': 'You blocked this site in your wallet. No money has moved.',
  'approval-expired': 'The payment was not confirmed in time. No money has moved.',
  'not-paid': 'The payment could not be made. No money has moved.',
  'insufficient-funds': 'There is not enough money in your wallet. No money has moved.',
  'amount-too-many-coins':
    'Your money is in too many small coins for an amount like this. Pay a part of it to yourself first. No money has moved.',
  'rate-unavailable': 'The exchange rate is not available right now. No money has moved.',
  'rates-differ': 'The two sources of the exchange rate differ by more than 5%. No money has moved.',
  'network-unavailable': 'The payment network cannot be reached right now.',
  'payment-pending': 'Your payment is signed and will be sent as soon as the network can be reached. Do not pay again.',
  'payment-contested':
    'The network has not accepted your payment, but may still do so. Cancel it in your wallet before you pay another way.',
  'fee-changed': 'The network fee changed. Look at the payment again. No money has moved.',
  'network-rejected': 'The network refused the transaction. No money has moved.',
  'payment-cancelled': 'You cancelled the payment. No money has moved.',
  'payment-lost':
    'The block that held this payment was replaced, and another transaction has spent the same coins. The recipient was not paid.',
  'wallet-disconnected': 'The wallet was updated or switched off. Reload the page and try again.',
  // The wallet's own windows
  'wrong-password': 'That is not the right password.',
  'weak-password': 'This password is too easy to guess.',
  'invalid-words': 'These are not valid recovery words.',
  'vault-exists': 'This browser already has a wallet.',
  'approval-unknown': 'This payment is no longer waiting for a decision.',
  'too-soon': 'Take a moment to read before you decide.',
  'wrong-network': 'This service runs on a different network than your wallet.',
  'invalid-proof': 'A proof from the network is wrong. Your money was not touched.',
  // The service
  'invalid-handle':
    'A handle has 3 to 30 characters: letters a to z and digits, at least one of them a letter, with dots and hyphens between them.',
  'handle-taken': 'This handle, or one that looks like it, is already taken.',
  'key-taken': 'This key already has an account.',
  'unknown-account': 'No account belongs to this key.',
  'invalid-challenge': 'The sign-in request has expired or was already used. Try again.',
  'invalid-signature': 'The signature does not fit.',
  unauthenticated: 'Sign in first.',
  'not-found': 'There is nothing here.',
  'payment-conflict': 'Another payment already has this id.',
  'invalid-transaction': 'The transaction is malformed.',
  'payment-mismatch': 'The transaction does not pay what was reported.',
  'not-accepted': 'The network does not have this transaction.',
  'unknown-reference': 'No destination of this recipient has this reference.',
  'service-unavailable': 'The service cannot be reached right now.',
  'too-large': 'The request is too large.',
  internal: 'Something went wrong on our side.',
} as const;

/**
 * Every stable error code of the product, with the sentence that people see when nothing more exact is known.
 * Codes are an interface: pages, applications and tests compare them. Texts may change, codes do not.
 */
export const ERRORS = { ...SHOWN_ERRORS, ...API_ERRORS } as const;

/** A stable error code. */
export type ErrorCode = keyof typeof ERRORS;

/** An error as it crosses a border: a stable code and a sentence for people. It never carries private detail. */
export interface WireError {
  code: ErrorCode;
  message: string;
}

/** True for a string that is one of our stable codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}

/**
 * The one error of the product. `message` may be shown to the caller; `detail` is for our own log alone and never
 * crosses a border; `cause` keeps the chain.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, options: { message?: string; detail?: string; cause?: unknown } = {}) {
    super(options.message ?? ERRORS[code], options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.detail = options.detail;
  }
}

/** What the other side of a border may know of an error: our own codes as they are, anything else as `internal`. */
export function toWireError(error: unknown): WireError {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  return { code: 'internal', message: ERRORS.internal };
}

/** The error that came over a border, as ours again. Unknown codes become `internal`. */
export function fromWireError(wire: { code?: unknown; message?: unknown }): ServiceError {
  const code = isErrorCode(wire.code) ? wire.code : 'internal';
  return new ServiceError(code, typeof wire.message === 'string' ? { message: wire.message.slice(0, 500) } : {});
}
