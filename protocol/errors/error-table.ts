/**
 * Lists every stable error code with its meaning, for the button, windows, retries, HTTP responses and docs/errors.md.
 */
import { MISSING_FUNCTION, NO_WALLET, RELAY_ERRORS } from './page-side-errors.ts';

export interface ErrorMeaning {
  /**
   * Whether money moved. `no`: the payment wasn't made, `yes`: it is signed and will be broadcast, `unknown`: it may
   * have been paid.
   */
  moved: 'no' | 'yes' | 'unknown';
  /** True if the request has ended and repeating it is pointless. Otherwise, the request may still succeed. */
  final: boolean;
  /** The party that can fix the error: the page's author, the user, the network or the service. */
  blame: 'page' | 'user' | 'network' | 'service';
  /** Set if the error concerns an output's recipient, amount or currency, which a visitor might have typed. */
  about?: 'output';
}

/** Messages that a wallet resends until they are accepted: payment reports, and deliveries to paymail hosts. */
export type Sent = 'report' | 'delivery';

export interface ErrorRow extends ErrorMeaning {
  /** The default message for users. */
  message: string;
  /** Set if the message already states whether money moved. */
  saysMoved?: true;
  /**
   * Messages that are rejected permanently if the response is this error (docs/errors.md). Missing if there are none.
   */
  declines?: readonly Sent[];
  /** Set if the same payment may be retried immediately with a new quote. */
  quoteAgain?: true;
  /**
   * HTTP status (RFC 9110). Missing for codes that HTTP endpoints must never return. Returning such a code is a bug and
   * yields 500.
   */
  http?: number;
}

/** The request itself is invalid. Only the page's author can fix it. */
const FAULTY = { moved: 'no', final: true, blame: 'page' } as const;
const FAULTY_OUTPUT = { ...FAULTY, about: 'output' } as const;
/** The request ended without a payment, by the user's choice or for a reason that the user can fix. */
const ENDED = { moved: 'no', final: true, blame: 'user' } as const;
/** The request wasn't processed or is still in progress. The user can make it succeed. */
const NOT_YET = { moved: 'no', final: false, blame: 'user' } as const;
/** The request ended without a payment because of a response from a node, index or host. */
const FAILED = { moved: 'no', final: true, blame: 'network' } as const;
/** The same request might succeed with different credentials. */
const NOT_ALLOWED = { moved: 'no', final: false, blame: 'page' } as const;

/** Errors that a wallet can display. */
export const SHOWN_ERRORS = {
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
    message: 'This recipient’s host can’t accept payments from this wallet.',
    http: 422,
  },
  'invalid-service': {
    ...FAULTY,
    message: 'This page names an invalid service for its payments. No money has moved.',
    saysMoved: true,
  },
  'unknown-recipient': {
    ...ENDED,
    message: 'This recipient doesn’t exist. No money has moved.',
    saysMoved: true,
    http: 404,
  },
  'paymail-unavailable': {
    ...FAILED,
    message: 'We can’t reach the recipient’s paymail host right now. No money has moved.',
    saysMoved: true,
  },
  'paymail-mismatch': {
    ...FAILED,
    message: 'The recipient’s paymail host gave an invalid answer. No money has moved.',
    saysMoved: true,
  },
  'invalid-amount': { ...FAULTY_OUTPUT, message: 'The amount must be a positive decimal number.', http: 400 },
  'invalid-currency': { ...FAULTY_OUTPUT, message: 'This currency isn’t supported.' },
  'unknown-asset': { ...FAULTY_OUTPUT, message: 'There is no token of this name.' },
  'asset-unavailable': {
    ...FAILED,
    message: 'We can’t look this token up right now. No money has moved.',
    saysMoved: true,
  },
  'amount-too-precise': { ...FAULTY_OUTPUT, message: 'The amount has more decimals than this token.' },
  'amount-too-small': { ...FAULTY_OUTPUT, message: 'The amount is less than one satoshi.' },
  'invalid-operation': { ...FAULTY, message: 'The data to sign, encrypt or decrypt is malformed.' },
  'operation-failed': { ...ENDED, message: 'This can’t be decrypted with your key.' },
  'forbidden-data': { ...FAULTY, message: 'Sites can’t request a signature for this data.' },
  'operation-refused': { ...ENDED, message: 'You refused. Nothing was signed or decrypted.' },
  'mixed-currencies': { ...FAULTY, message: 'All outputs of a payment must use the same currency.', http: 422 },
  'data-too-large': { ...FAULTY, message: 'The data to write is too large.' },
  'request-id-reused': { ...ENDED, message: 'This request has already been used for a different payment.' },
  'no-wallet': NO_WALLET,
  'missing-function': {
    ...MISSING_FUNCTION,
    message: 'The page has no function of the name that it wants called. No money has moved.',
    saysMoved: true,
  },
  'wallet-not-set-up': { ...NOT_YET, message: 'Your wallet isn’t set up yet. No money has moved.', saysMoved: true },
  'wallet-outdated': {
    ...NOT_YET,
    message:
      'A newer version of this wallet has been used in this browser profile. Update the extension, or reinstall it and restore your wallet from your recovery words. No money has moved.',
    saysMoved: true,
  },
  'wallet-unreadable': {
    ...NOT_YET,
    message: 'Your wallet’s data can’t be opened. Restore it from your words. No money has moved.',
    saysMoved: true,
  },
  'disk-full': { ...ENDED, message: 'This computer’s disk is full. Free some space, then try again.' },
  'wallet-locked': { ...NOT_YET, message: 'Your wallet is locked. No money has moved.', saysMoved: true },
  busy: { ...NOT_YET, message: 'A payment is already waiting for your decision. No money has moved.', saysMoved: true },
  'too-many-requests': RELAY_ERRORS['too-many-requests'],
  refused: { ...ENDED, message: 'You refused the payment. No money has moved.', saysMoved: true },
  'approval-closed': { ...ENDED, message: 'The payment window was closed. No money has moved.', saysMoved: true },
  'page-gone': { ...ENDED, message: 'The page that requested this was closed. No money has moved.', saysMoved: true },
  'allowance-refused': { ...ENDED, message: 'You didn’t give this site an allowance.' },
  'sign-in-refused': { ...ENDED, message: 'You didn’t sign in.' },
  'permission-refused': { ...ENDED, message: 'You didn’t give this site permission.' },
  'reserved-name': { ...FAULTY, message: 'Protocols and baskets of this name are reserved for the wallet.' },
  'click-first': { ...NOT_YET, message: 'Press a button on the page yourself, then try again.' },
  'site-blocked': { ...ENDED, message: 'You blocked this site in your wallet. No money has moved.', saysMoved: true },
  'approval-expired': {
    ...ENDED,
    message: 'The payment wasn’t confirmed in time. No money has moved.',
    saysMoved: true,
    quoteAgain: true,
  },
  'action-aborted': { ...ENDED, message: 'The site gave up this payment. No money has moved.', saysMoved: true },
  'action-ended': {
    ...ENDED,
    message: 'This payment was ended before the site finished it. No money has moved.',
    saysMoved: true,
  },
  'action-expired': {
    ...ENDED,
    message: 'The site didn’t finish this payment in time. No money has moved.',
    saysMoved: true,
  },
  'baskets-full': {
    ...NOT_ALLOWED,
    message: 'This site keeps too much in your wallet already. No money has moved.',
    saysMoved: true,
  },
  'too-many-unsent': {
    ...NOT_ALLOWED,
    message: 'Too many payments in your wallet wait to be sent. No money has moved.',
    saysMoved: true,
  },
  'own-input': {
    ...FAULTY,
    message: 'This site wants to spend your own money as if it were its own. No money has moved.',
    saysMoved: true,
  },
  'unusable-input': {
    ...FAULTY,
    message: 'The site tried to spend a coin it can’t spend. No money has moved.',
    saysMoved: true,
  },
  'not-paid': { ...FAILED, message: 'The payment didn’t go through. No money has moved.', saysMoved: true },
  'insufficient-funds': {
    ...ENDED,
    message: 'There isn’t enough money in your wallet. No money has moved.',
    saysMoved: true,
  },
  'insufficient-assets': {
    ...ENDED,
    message: 'You don’t have that much of this asset, or not all of it has been checked. Nothing was sent.',
    saysMoved: true,
  },
  'amount-too-many-coins': {
    ...ENDED,
    message:
      'Your money is in too many small coins for this amount. Send part of it to yourself first. No money has moved.',
    saysMoved: true,
  },
  'rate-unavailable': {
    ...FAILED,
    message: 'The exchange rate is unavailable right now. No money has moved.',
    saysMoved: true,
    http: 503,
  },
  'clock-ahead': {
    moved: 'no',
    final: true,
    blame: 'user',
    message: "Your computer's clock is ahead. Set it right, then try again. No money has moved.",
    saysMoved: true,
  },
  'rates-differ': {
    ...FAILED,
    message: 'The two exchange rate sources differ by more than 5%. No money has moved.',
    saysMoved: true,
  },
  'network-unavailable': {
    message: 'We can’t reach the payment network right now.',
    moved: 'no',
    final: false,
    blame: 'network',
    http: 503,
  },
  'payment-pending': {
    message: 'Your payment is signed and will be sent as soon as the network can be reached. Don’t pay again.',
    saysMoved: true,
    moved: 'yes',
    final: false,
    blame: 'network',
  },
  'payment-contested': {
    message:
      'The network hasn’t accepted your payment, but still might. Cancel it in your wallet before you pay another way.',
    saysMoved: true,
    moved: 'unknown',
    final: false,
    blame: 'user',
  },
  'fee-changed': {
    ...ENDED,
    message: 'The network fee has changed. Review the payment again. No money has moved.',
    saysMoved: true,
    quoteAgain: true,
  },
  'network-rejected': {
    ...FAILED,
    message: 'The network rejected the transaction. No money has moved.',
    saysMoved: true,
  },
  'payment-cancelled': { ...ENDED, message: 'You canceled the payment. No money has moved.', saysMoved: true },
  'payment-lost': {
    ...FAILED,
    message:
      'The block that held this payment was replaced, and another transaction has spent the same coins. The recipient wasn’t paid.',
    saysMoved: true,
  },
  'wallet-disconnected': RELAY_ERRORS['wallet-disconnected'],
  // The wallet's own windows
  'wrong-password': { ...ENDED, message: 'Wrong password.' },
  'wrong-passkey': { ...ENDED, message: 'This passkey doesn’t unlock your wallet. Use your password.' },
  'weak-password': { ...ENDED, message: 'This password is too easy to guess.' },
  'invalid-words': { ...ENDED, message: 'These recovery words aren’t valid.' },
  'vault-exists': { ...ENDED, message: 'This browser already has a wallet.' },
  'approval-unknown': {
    message: 'This payment is no longer waiting for you.',
    moved: 'unknown',
    final: true,
    blame: 'user',
  },
  'too-soon': { ...NOT_YET, message: 'Take a moment to read before you decide.' },
  'wrong-network': { ...ENDED, message: 'This service runs on a different network from your wallet.', http: 422 },
  'invalid-service-address': {
    ...ENDED,
    message: 'A service address starts with https:// and has no path, for example https://example.com.',
  },
  'not-a-service': { ...FAILED, message: 'There’s no service for this wallet at this address.' },
  'invalid-proof': {
    ...FAILED,
    message: 'A proof from the network is invalid. Your money hasn’t been touched.',
    saysMoved: true,
  },
  // The service
  'invalid-handle': {
    ...ENDED,
    message:
      'A handle has 3 to 30 characters: lowercase letters and digits, at least one of them a letter. Dots and hyphens are allowed in between.',
    http: 400,
  },
  'handle-taken': { ...ENDED, message: 'This handle, or one that looks like it, is already taken.', http: 409 },
  'key-taken': { ...ENDED, message: 'This key already has an account.', http: 409 },
  'unknown-account': { ...NOT_YET, message: 'No account belongs to this key.', http: 404 },
  'invalid-challenge': {
    ...NOT_YET,
    message: 'The sign-in request has expired or has already been used. Try again.',
    http: 401,
  },
  'invalid-signature': { ...NOT_ALLOWED, message: 'The signature isn’t valid.', http: 401 },
  unauthenticated: { ...NOT_ALLOWED, message: 'Sign in first.', http: 401 },
  'not-found': { ...NOT_ALLOWED, message: 'Not found.', http: 404 },
  'payment-conflict': {
    message: 'Another payment already has this ID.',
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
    message: 'The transaction doesn’t pay what was reported.',
    moved: 'unknown',
    final: true,
    blame: 'page',
    declines: ['report', 'delivery'],
    http: 422,
  },
  'not-accepted': {
    message: 'The network doesn’t have this transaction.',
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
    message: 'We can’t reach the service right now.',
    moved: 'no',
    final: false,
    blame: 'service',
    http: 503,
  },
  'too-large': { ...RELAY_ERRORS['too-large'], declines: ['report', 'delivery'] },
  'app-log-full': {
    ...NOT_YET,
    message: 'Your service has no room for more applications’ data. Your money isn’t affected.',
    http: 409,
  },
  'app-log-damaged': {
    ...ENDED,
    message: 'This file is damaged or incomplete. Nothing was taken from it.',
  },
  'app-log-other-words': {
    ...ENDED,
    message: 'This file belongs to other recovery words. Nothing was taken from it.',
  },
  'asset-mismatch': {
    message: 'This token isn’t the one that the asset describes, or your wallet didn’t mint it.',
    moved: 'unknown',
    final: true,
    blame: 'user',
    declines: ['report'],
    http: 422,
  },
  'asset-conflict': {
    message: 'The asset already has a token, or this token already belongs to another asset.',
    moved: 'unknown',
    final: true,
    blame: 'user',
    declines: ['report'],
    http: 409,
  },
  internal: {
    message: 'Something went wrong on our side.',
    moved: 'unknown',
    final: false,
    blame: 'service',
    http: 500,
  },
} as const satisfies Record<string, ErrorRow>;

/** Errors that only clients of the service's HTTP API receive. Wallets never display them. */
export const API_ERRORS = {
  forbidden: { ...NOT_ALLOWED, message: 'This request didn’t come from a page of this service.', http: 403 },
  'insufficient-scope': { ...NOT_ALLOWED, message: 'This token doesn’t allow that.', http: 403 },
  'idempotency-conflict': {
    ...FAULTY,
    message: 'This Idempotency-Key has already been used for a different request.',
    http: 422,
  },
  'request-timeout': {
    message: 'The request body didn’t arrive within 20 seconds.',
    moved: 'no',
    final: false,
    blame: 'network',
    http: 408,
  },
  'request-under-way': {
    ...NOT_ALLOWED,
    message: 'The same request is still being processed. Try again in a moment.',
    http: 409,
  },
  'app-log-conflict': {
    ...FAULTY,
    message: 'Another block has this writer and sequence.',
    http: 409,
  },
  'unknown-application': { ...FAULTY, message: 'Application not found.', http: 404 },
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
    message: 'You have 50 applications, the maximum. Delete one you don’t need.',
    http: 409,
  },
  'too-many-assets': {
    ...NOT_YET,
    message: 'You have 100 assets, the maximum. Delete one that you haven’t minted.',
    http: 409,
  },
} as const satisfies Record<string, ErrorRow>;
