/** Paths, examples and errors used to declare the paymail host's routes. */

export const PATHS = {
  pki: '/bsvalias/id/{alias}@{domain.tld}',
  paymentDestination: '/bsvalias/address/{alias}@{domain.tld}',
  verifyPublicKey: '/bsvalias/verify/{alias}@{domain.tld}/{pubkey}',
  publicProfile: '/bsvalias/public-profile/{alias}@{domain.tld}',
  p2pDestination: '/bsvalias/p2p-payment-destination/{alias}@{domain.tld}',
  receiveTransaction: '/bsvalias/receive-transaction/{alias}@{domain.tld}',
  receiveBeef: '/bsvalias/receive-beef/{alias}@{domain.tld}',
  ordinalDestination: '/bsvalias/ordinal-p2p-payment-destination/{alias}@{domain.tld}',
  receiveOrdinal: '/bsvalias/receive-ordinal-tx/{alias}@{domain.tld}',
  asset: '/api/v2/assets/{alias}@{domain.tld}',
} as const;

/** Converts a URL template to a path with one parameter for the whole paymail. */
export const pathOf = (template: string) => template.replace('{alias}@{domain.tld}', '{paymail}') as `/${string}`;
export const KEY = `02${'4f'.repeat(32)}`;
export const SCRIPT = `76a914${'a1'.repeat(20)}88ac`;
export const DELIVERY = {
  reference: 'mJ9cVq2yV1s0b8J3n4kP5w',
  metadata: { sender: 'bob@other.example', note: 'For the roses' },
};
export const shared = { tag: 'Paymail', by: 'anybody' } as const;
export const OF_RECIPIENT = ['unknown-recipient', 'invalid-request'] as const;
export const OF_DELIVERY = [
  ...OF_RECIPIENT,
  'invalid-signature',
  'unknown-reference',
  'payment-conflict',
  'too-large',
  'invalid-transaction',
  'payment-mismatch',
  'not-accepted',
  'network-unavailable',
  'service-unavailable',
  'request-timeout',
] as const;
