/**
 * Every stable error code and what it means. What the button, the wallet's windows, the retries, the HTTP answers and
 * docs/errors.md do about a code follows from its row here.
 */
import { NO_WALLET, RELAY_ERRORS } from './page-side-errors.ts';

/** What an error means to whoever gets it. */
export interface ErrorMeaning {
  /**
   * Whether the request's payment has been made: `no`, it has not; `yes`, it is signed and will be sent; `unknown`, it
   * may have been.
   */
  moved: 'no' | 'yes' | 'unknown';
  /** The request has ended with this: repeating it changes nothing. Otherwise the same request may still succeed. */
  final: boolean;
  /**
   * Who can do something about it: whoever wrote the request (a page's author, the caller of an interface), the user, or
   * nobody but the network (nodes, indexes, paymail hosts) and the service.
   */
  blame: 'page' | 'user' | 'network' | 'service';
  /** Set where it concerns an output's recipient, amount or currency, which a visitor may have typed into a form. */
  about?: 'output';
}

/**
 * What a wallet sends until it is taken: the report of a payment, to a service; the delivery of a transaction, to a
 * recipient's paymail host.
 */
export type Sent = 'report' | 'delivery';

/** One row of the table. */
export interface ErrorRow extends ErrorMeaning {
  /** The sentence that people see where nothing more exact is known. */
  message: string;
  /** The message itself says what has happened to the money, so that nothing needs to be added to it. */
  saysMoved?: true;
  /** What this answer rejects for good, so that it is not sent again: see docs/errors.md. Missing: nothing. */
  declines?: readonly Sent[];
  /** The same payment, quoted anew, may be made at once. */
  quoteAgain?: true;
  /** Status of an HTTP answer (RFC 9110). Missing: no interface answers with it, and if one does, that is our fault: 500. */
  http?: number;
}

/** The request itself is wrong: whoever made the page can mend it, a user cannot. */
const FAULTY = { moved: 'no', final: true, blame: 'page' } as const;
const FAULTY_OUTPUT = { ...FAULTY, about: 'output' } as const;
/** It ended without a payment, and the user can do something about it or wanted it so. */
const ENDED = { moved: 'no', final: true, blame: 'user' } as const;
/** The wallet has not looked at the request, or not far enough to end it; the user can change that. */
const NOT_YET = { moved: 'no', final: false, blame: 'user' } as const;
/** It ended without a payment because of what nodes, indexes or hosts answered. */
const FAILED = { moved: 'no', final: true, blame: 'network' } as const;
/** The same request with other credentials may succeed. */
const NOT_ALLOWED = { moved: 'no', final: false, blame: 'page' } as const;

/** What a wallet may have to show. */
export const SHOWN_ERRORS = {
  // A page's request
  'invalid-request': RELAY_ERRORS['invalid-request'],
  'unsupported-method': RELAY_ERRORS['unsupported-method'],
  'insecure-origin': { ...ENDED, message: 'Payments work only on secure pages (https).' },
  'invalid-recipient': {
    ...FAULTY_OUTPUT,
    message: 'The recipient is not a valid paymail, user ID, address or script.',
    http: 422,
  },
  'unsupported-recipient': {
    ...ENDED,
    message: 'This recipient’s host cannot take payments from this wallet.',
    http: 422,
  },
  'invalid-service': {
    ...FAULTY,
    message: 'The service that this page names for its payments cannot be one. No money has moved.',
    saysMoved: true,
  },
  'unknown-recipient': {
    ...ENDED,
    message: 'There is no such recipient. No money has moved.',
    saysMoved: true,
    http: 404,
  },
  'paymail-unavailable': {
    ...FAILED,
    message: 'The recipient’s paymail host cannot be reached right now. No money has moved.',
    saysMoved: true,
  },
  'paymail-mismatch': {
    ...FAILED,
    message: 'The recipient’s paymail host answered something that makes no sense. No money has moved.',
    saysMoved: true,
  },
  'invalid-amount': { ...FAULTY_OUTPUT, message: 'The amount is not a positive decimal number.', http: 400 },
  'invalid-currency': { ...FAULTY_OUTPUT, message: 'The currency is not known.' },
  'amount-too-small': { ...FAULTY_OUTPUT, message: 'The amount is less than one satoshi.' },
  'invalid-operation': { ...FAULTY, message: 'What is to be signed, encrypted or decrypted is malformed.' },
  'operation-failed': { ...ENDED, message: 'This cannot be decrypted with your key.' },
  'forbidden-data': { ...FAULTY, message: 'This is not data that a site may have signed.' },
  'operation-refused': { ...ENDED, message: 'You refused. Nothing was signed or decrypted.' },
  'mixed-currencies': { ...FAULTY, message: 'All outputs of one payment use the same currency.', http: 422 },
  'data-too-large': { ...FAULTY, message: 'The data to write is too large.' },
  'request-id-reused': { ...ENDED, message: 'This request was already used for a different payment.' },
  // The wallet's answer to it
  'no-wallet': NO_WALLET,
  'wallet-not-set-up': { ...NOT_YET, message: 'Your wallet is not set up yet. No money has moved.', saysMoved: true },
  'wallet-outdated': {
    ...NOT_YET,
    message:
      'A newer version of this wallet has been used in this browser profile. Update the extension; or remove it, install it again and restore your wallet from your recovery words. No money has moved.',
    saysMoved: true,
  },
  'wallet-locked': { ...NOT_YET, message: 'Your wallet is locked. No money has moved.', saysMoved: true },
  busy: { ...NOT_YET, message: 'A payment is already waiting for your decision. No money has moved.', saysMoved: true },
  'too-many-requests': RELAY_ERRORS['too-many-requests'],
  refused: { ...ENDED, message: 'You refused the payment. No money has moved.', saysMoved: true },
  'approval-closed': { ...ENDED, message: 'The payment window was closed. No money has moved.', saysMoved: true },
  'page-gone': { ...ENDED, message: 'The page that asked was closed. No money has moved.', saysMoved: true },
  'allowance-refused': { ...ENDED, message: 'You gave this site no allowance.' },
  'sign-in-refused': { ...ENDED, message: 'You did not sign in here.' },
  'click-first': { ...NOT_YET, message: 'Press a button on the page yourself, then try again.' },
  'site-blocked': { ...ENDED, message: 'You blocked this site in your wallet. No money has moved.', saysMoved: true },
  'approval-expired': {
    ...ENDED,
    message: 'The payment was not confirmed in time. No money has moved.',
    saysMoved: true,
    quoteAgain: true,
  },
  'not-paid': { ...FAILED, message: 'The payment could not be made. No money has moved.', saysMoved: true },
  'insufficient-funds': {
    ...ENDED,
    message: 'There is not enough money in your wallet. No money has moved.',
    saysMoved: true,
  },
  'amount-too-many-coins': {
    ...ENDED,
    message:
      'Your money is in too many small coins for an amount like this. Pay a part of it to yourself first. No money has moved.',
    saysMoved: true,
  },
  'rate-unavailable': {
    ...FAILED,
    message: 'The exchange rate is not available right now. No money has moved.',
    saysMoved: true,
    http: 503,
  },
  'rates-differ': {
    ...FAILED,
    message: 'The two sources of the exchange rate differ by more than 5%. No money has moved.',
    saysMoved: true,
  },
  'network-unavailable': {
    message: 'The payment network cannot be reached right now.',
    moved: 'no',
    final: false,
    blame: 'network',
    http: 503,
  },
  'payment-pending': {
    message: 'Your payment is signed and will be sent as soon as the network can be reached. Do not pay again.',
    saysMoved: true,
    moved: 'yes',
    final: false,
    blame: 'network',
  },
  'payment-contested': {
    message:
      'The network has not accepted your payment, but may still do so. Cancel it in your wallet before you pay another way.',
    saysMoved: true,
    moved: 'unknown',
    final: false,
    blame: 'user',
  },
  'fee-changed': {
    ...ENDED,
    message: 'The network fee changed. Look at the payment again. No money has moved.',
    saysMoved: true,
    quoteAgain: true,
  },
  'network-rejected': {
    ...FAILED,
    message: 'The network refused the transaction. No money has moved.',
    saysMoved: true,
  },
  'payment-cancelled': { ...ENDED, message: 'You cancelled the payment. No money has moved.', saysMoved: true },
  'payment-lost': {
    ...FAILED,
    message:
      'The block that held this payment was replaced, and another transaction has spent the same coins. The recipient was not paid.',
    saysMoved: true,
  },
  'wallet-disconnected': RELAY_ERRORS['wallet-disconnected'],
  // The wallet's own windows
  'wrong-password': { ...ENDED, message: 'That is not the right password.' },
  'wrong-passkey': { ...ENDED, message: 'This passkey does not open your wallet. Use your password.' },
  'weak-password': { ...ENDED, message: 'This password is too easy to guess.' },
  'invalid-words': { ...ENDED, message: 'These are not valid recovery words.' },
  'vault-exists': { ...ENDED, message: 'This browser already has a wallet.' },
  'approval-unknown': {
    message: 'This payment is no longer waiting for a decision.',
    moved: 'unknown',
    final: true,
    blame: 'user',
  },
  'too-soon': { ...NOT_YET, message: 'Take a moment to read before you decide.' },
  'wrong-network': { ...ENDED, message: 'This service runs on a different network than your wallet.', http: 422 },
  'invalid-service-address': {
    ...ENDED,
    message: 'The address of a service starts with https:// and has no path, for example https://example.com.',
  },
  'not-a-service': { ...FAILED, message: 'There is no service for this wallet at this address.' },
  'invalid-proof': {
    ...FAILED,
    message: 'A proof from the network is wrong. Your money was not touched.',
    saysMoved: true,
  },
  // The service
  'invalid-handle': {
    ...ENDED,
    message:
      'A handle has 3 to 30 characters: letters a to z and digits, at least one of them a letter, with dots and hyphens between them.',
    http: 400,
  },
  'handle-taken': { ...ENDED, message: 'This handle, or one that looks like it, is already taken.', http: 409 },
  'key-taken': { ...ENDED, message: 'This key already has an account.', http: 409 },
  'unknown-account': { ...NOT_YET, message: 'No account belongs to this key.', http: 404 },
  'invalid-challenge': {
    ...NOT_YET,
    message: 'The sign-in request has expired or was already used. Try again.',
    http: 401,
  },
  'invalid-signature': { ...NOT_ALLOWED, message: 'The signature does not fit.', http: 401 },
  unauthenticated: { ...NOT_ALLOWED, message: 'Sign in first.', http: 401 },
  'not-found': { ...NOT_ALLOWED, message: 'There is nothing here.', http: 404 },
  'payment-conflict': {
    message: 'Another payment already has this id.',
    moved: 'unknown',
    final: true,
    blame: 'page',
    declines: ['report', 'delivery'],
    http: 409,
  },
  'invalid-transaction': {
    ...FAILED,
    message: 'The transaction is malformed.',
    declines: ['report', 'delivery'],
    http: 422,
  },
  'payment-mismatch': {
    message: 'The transaction does not pay what was reported.',
    moved: 'unknown',
    final: true,
    blame: 'page',
    declines: ['report', 'delivery'],
    http: 422,
  },
  'not-accepted': {
    message: 'The network does not have this transaction.',
    moved: 'unknown',
    final: false,
    blame: 'network',
    http: 422,
  },
  'unknown-reference': {
    ...ENDED,
    message: 'No destination of this recipient has this reference.',
    declines: ['delivery'],
    http: 404,
  },
  'service-unavailable': {
    message: 'The service cannot be reached right now.',
    moved: 'no',
    final: false,
    blame: 'service',
    http: 503,
  },
  'too-large': { ...RELAY_ERRORS['too-large'], declines: ['report', 'delivery'] },
  internal: {
    message: 'Something went wrong on our side.',
    moved: 'unknown',
    final: false,
    blame: 'service',
    http: 500,
  },
} as const satisfies Record<string, ErrorRow>;

/** What only callers of the service's HTTP interface meet: no wallet shows it. */
export const API_ERRORS = {
  forbidden: { ...NOT_ALLOWED, message: 'This request did not come from a page of this service.', http: 403 },
  'insufficient-scope': { ...NOT_ALLOWED, message: 'This token does not allow that.', http: 403 },
  'idempotency-conflict': {
    ...FAULTY,
    message: 'This Idempotency-Key was already used for a different request.',
    http: 422,
  },
  'request-timeout': {
    message: 'The body of the request did not come in within 20 seconds.',
    moved: 'no',
    final: false,
    blame: 'network',
    http: 408,
  },
  'request-under-way': {
    ...NOT_ALLOWED,
    message: 'The same request is still being worked on. Ask again in a moment.',
    http: 409,
  },
  'unknown-application': { ...FAULTY, message: 'No such application.', http: 404 },
  'unrelated-payment': {
    message: 'Neither an application nor a recipient of this payment is at this service.',
    moved: 'unknown',
    final: true,
    blame: 'page',
    declines: ['report'],
    http: 422,
  },
  'too-many-applications': {
    ...NOT_YET,
    message: 'You have 50 applications, and cannot have more. Delete one that you do not need.',
    http: 409,
  },
} as const satisfies Record<string, ErrorRow>;
