/** The permissions of a site in addition to payments (BRC-116, 4). With one, it needn't request approval again. */

/** One permission. Names are trimmed and in lower case. */
export type Permission =
  /** Access to any response: keys of level 0 (BRC-43), the lock, earlier actions. Others include it. */
  | { kind: 'connect' }
  /** To know the identity key, which is the same everywhere. */
  | { kind: 'identity' }
  /**
   * To use keys of a protocol (BRC-43). Level 2 is for one counterparty (`self`, `anyone` or a public key, hex), level
   * 1 for all (null). Level 0 only needs a connection.
   */
  | { kind: 'protocol'; level: 1 | 2; protocol: string; counterparty: string | null }
  /** To see, add and remove a basket's outputs (BRC-46). */
  | { kind: 'basket'; basket: string };

export const CONNECT = { kind: 'connect' } as const satisfies Permission;

/** The protocol of payments to a person's key (BRC-29), whose name is not readable. */
export const PAYMENT_PROTOCOL = '3241645161d8';
/** The same with its level: a key for each counterparty. */
export const PAYMENT_PROTOCOL_ID = [2, PAYMENT_PROTOCOL] as const;

/** Baskets of the wallet itself: its money, and its one-satoshi coins (BRC-147). */
const OWN_BASKETS = ['default', '1sat'];

/** Names that no site gets: the wallet's own, and those that are kept for later (BRC-116, 6.2). */
export function isReserved(permission: Permission): boolean {
  if (permission.kind === 'connect' || permission.kind === 'identity') return false;
  const name = (permission.kind === 'basket' ? permission.basket : permission.protocol).trim().toLowerCase();
  return /^(?:admin|p )/.test(name) || (permission.kind === 'basket' && OWN_BASKETS.includes(name));
}

/** A unique name of a permission within its site, under which it is stored and requested. */
export function permissionName(permission: Permission): string {
  switch (permission.kind) {
    case 'connect':
    case 'identity':
      return permission.kind;
    case 'protocol':
      // The name is last because it may contain spaces.
      return `protocol ${permission.level} ${permission.counterparty ?? '*'} ${permission.protocol}`;
    case 'basket':
      return `basket ${permission.basket}`;
  }
}
