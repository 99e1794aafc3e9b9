/**
 * Errors before a request reaches the wallet. Separate from `error-table.ts`, which documents the columns, because
 * button and relay run in pages, where every byte counts.
 */

/** The button's own response without a relay. */
export const NO_WALLET = {
  message: 'No wallet was found in this browser.',
  moved: 'no',
  final: false,
  blame: 'user',
} as const;

/** The button's own response if a callback of the payment is missing. */
export const MISSING_FUNCTION = { moved: 'no', final: false, blame: 'page' } as const;

/** The relay's response once the extension is gone. */
export const WALLET_DISCONNECTED = {
  message: 'The wallet was updated or switched off. Reload the page and try again.',
  moved: 'unknown',
  final: false,
  blame: 'user',
} as const;

/** The relay's own errors. */
export const RELAY_ERRORS = {
  'invalid-request': { message: 'The request is malformed.', moved: 'no', final: true, blame: 'page', http: 400 },
  'unsupported-method': { message: 'This request isn’t supported.', moved: 'no', final: true, blame: 'page' },
  'too-large': { message: 'The request is too large.', moved: 'no', final: true, blame: 'page', http: 413 },
  'too-many-requests': {
    message: 'Too many requests. Wait a moment and try again.',
    moved: 'no',
    final: false,
    blame: 'page',
    http: 429,
  },
  'wallet-disconnected': WALLET_DISCONNECTED,
} as const;
