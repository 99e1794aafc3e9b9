/**
 * Names of BRC-100 errors that share the number 1, as in the reference wallet. In a separate file, because the relay
 * runs in every page and needs only these names.
 */
export const ERROR_NAMES = {
  page: 'WERR_BAD_REQUEST',
  user: 'WERR_UNAUTHORIZED',
  network: 'WERR_NETWORK_CHAIN',
  service: 'WERR_INTERNAL',
} as const;
