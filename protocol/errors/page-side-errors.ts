/**
 * Errors that occur before a request reaches the wallet. In a separate file, because the button and the relay run in
 * pages and must stay small. `error-table.ts` documents the columns.
 */

/** The button's error if the page has no relay. */
export const NO_WALLET = {
  message: 'No wallet was found in this browser.',
  moved: 'no',
  final: false,
  blame: 'user',
} as const;

/** The button's error if the payment's callback is missing. */
export const MISSING_FUNCTION = { moved: 'no', final: false, blame: 'page' } as const;

/** The relay's error if the extension was updated, disabled or removed. */
export const WALLET_DISCONNECTED = {
  message: 'The wallet was updated or switched off. Reload the page and try again.',
  moved: 'unknown',
  final: false,
  blame: 'user',
} as const;

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
