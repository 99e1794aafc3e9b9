/**
 * Data that restores an application's outputs and actions, together with the recovery words. Contains no private keys.
 * Scripts and amounts are read from the transactions.
 */
export type LogEntry =
  /** An output in an application's basket. */
  | {
      kind: 'output';
      outpoint: string;
      satoshis: string;
      basket: string;
      tags: string[];
      customInstructions: string | null;
      origin: string;
      description: string;
    }
  /** A site's output that was spent or relinquished. */
  | { kind: 'output-gone'; outpoint: string; origin: string }
  /** A deletion by an older wallet version, which recorded no site. Deletes all sites' entries that aren't newer. */
  | { kind: 'outpoint-gone'; outpoint: string }
  /** A transaction created or internalized by an application. */
  | {
      kind: 'action';
      txid: string;
      origin: string;
      description: string;
      labels: string[];
      outputs: { vout: number; description: string }[];
      /** Milliseconds since 1970. */
      at: number;
      /** For an internalized transaction: as in `AppAction`, with satoshis as a string. Missing in older entries. */
      incoming?: { satoshis: string; isProven: boolean; version: number; lockTime: number } | undefined;
    }
  /**
   * A payment to a derived key (BRC-29) that is unswept, or whose sweep a reorganization could still undo. It is the
   * user's money, so no site can delete or replace the entry.
   */
  | {
      kind: 'wallet-payment';
      outpoint: string;
      derivationPrefix: string;
      derivationSuffix: string;
      senderIdentityKey: string;
      satoshis: string;
    }
  /** A payment to a derived key whose sweep is final, or that has a different transaction ID. */
  | { kind: 'payment-gone'; outpoint: string };

export interface LoggedEntry {
  key: string;
  entry: LogEntry;
  /**
   * Number of changes to the entry with this key. If wallets with the same recovery words disagree, the higher number
   * wins.
   */
  version: number;
  /** When it was recorded (milliseconds since 1970). */
  at: number;
  /** 1 if not yet stored on the account's service. */
  unsent?: 1;
  /** For an entry read from a log: when to apply it next (milliseconds since 1970). Missing once applied. */
  unapplied?: number;
  /** Number of consecutive lookups that didn't find its transaction. */
  misses?: number;
  /** For a payment that another wallet swept: the height of the sweep's block. */
  sweptHeight?: number;
}

/**
 * Returns an entry's key: its outpoint or transaction, its kind, and its site. An entry replaces only an entry with the
 * same key, so no site can replace another site's entry or a payment.
 */
export function keyOf(entry: LogEntry): string {
  switch (entry.kind) {
    case 'output':
    case 'output-gone':
      return `${entry.outpoint} output ${entry.origin}`;
    case 'action':
      return `${entry.txid} action ${entry.origin}`;
    case 'wallet-payment':
    case 'payment-gone':
      return `${entry.outpoint} payment`;
    case 'outpoint-gone':
      return deletionKey(entry.outpoint);
  }
}

export const deletionKey = (outpoint: string): string => `${outpoint} gone`;

/** Returns the first and last possible keys for sites' outputs at an outpoint. */
export const outputKeys = (outpoint: string): [first: string, last: string] => [
  `${outpoint} output `,
  `${outpoint} output \uffff`,
];

/** True for a deletion entry. */
export const isDeletion = ({ kind }: LogEntry): boolean =>
  kind === 'output-gone' || kind === 'payment-gone' || kind === 'outpoint-gone';
