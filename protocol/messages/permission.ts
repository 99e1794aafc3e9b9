/**
 * Defines the permissions that a site can have in addition to payments (BRC-116, section 4). The user isn't prompted
 * again for permitted actions.
 */

/** A permission. Names are trimmed and in lower case. */
export type Permission =
  /**
   * Receive any results, such as level-0 keys (BRC-43), the lock state and earlier actions. Every other permission
   * includes `connect`.
   */
  | { kind: 'connect' }
  /** Read the identity key, which is the same on every site. */
  | { kind: 'identity' }
  /**
   * Use a protocol's keys (BRC-43). Level 2 is for one counterparty (`self`, `anyone` or a public key, hex), level 1
   * for all counterparties (null). Level 0 requires only `connect`.
   */
  | { kind: 'protocol'; level: 1 | 2; protocol: string; counterparty: string | null }
  /** List, add and remove a basket's outputs (BRC-46). */
  | { kind: 'basket'; basket: string };

export const CONNECT = { kind: 'connect' } as const satisfies Permission;

/** Name of the BRC-29 protocol for payments to a person's key. The name isn't human-readable. */
export const PAYMENT_PROTOCOL = '3241645161d8';
/** Protocol ID of {@link PAYMENT_PROTOCOL}. Level 2 derives separate keys for each counterparty. */
export const PAYMENT_PROTOCOL_ID = [2, PAYMENT_PROTOCOL] as const;

/** The wallet's own baskets: its money, and its one-satoshi coins (BRC-147). */
const OWN_BASKETS = ['default', '1sat'];

/** True for names that no site may use: the wallet's own names, and the reserved names (BRC-116, section 6.2). */
export function isReserved(permission: Permission): boolean {
  if (permission.kind === 'connect' || permission.kind === 'identity') return false;
  const name = (permission.kind === 'basket' ? permission.basket : permission.protocol).trim().toLowerCase();
  return /^(?:admin|p )/.test(name) || (permission.kind === 'basket' && OWN_BASKETS.includes(name));
}

/** Returns a permission's identifier, unique within its site, for storage and requests. */
export function permissionName(permission: Permission): string {
  switch (permission.kind) {
    case 'connect':
    case 'identity':
      return permission.kind;
    case 'protocol':
      // The protocol's name comes last because the name can contain spaces.
      return `protocol ${permission.level} ${permission.counterparty ?? '*'} ${permission.protocol}`;
    case 'basket':
      return `basket ${permission.basket}`;
  }
}
