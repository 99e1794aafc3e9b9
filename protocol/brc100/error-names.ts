/**
 * Names of errors in the BSV wallet interface (BRC-100) that have no number of their own there, by who can do something
 * about them: as the reference wallet names them. They stand apart because the relay needs them, in pages.
 */
export const ERROR_NAMES = {
  page: 'WERR_BAD_REQUEST',
  user: 'WERR_UNAUTHORIZED',
  network: 'WERR_NETWORK_CHAIN',
  service: 'WERR_INTERNAL',
} as const;
