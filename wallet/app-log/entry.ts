/** Entries of the log of applications' data. */

/**
 * Data that restoring an application needs in addition to the recovery words. It contains no private keys. Script and
 * amount are read from the transaction.
 */
export type LogEntry =
  /** An output that is kept for an application, in its basket. */
  | {
      kind: 'output';
      outpoint: string;
      /** In satoshis. */
      satoshis: string;
      basket: string;
      tags: string[];
      customInstructions: string | null;
      origin: string;
      description: string;
    }
  /** The site's output was spent or relinquished. */
  | { kind: 'output-gone'; outpoint: string; origin: string }
  /** The same, from wallets whose entries had no site. It ends every site's entry that isn't newer. */
  | { kind: 'outpoint-gone'; outpoint: string }
  /** A transaction that an application had made. */
  | {
      kind: 'action';
      txid: string;
      origin: string;
      description: string;
      labels: string[];
      outputs: { vout: number; description: string }[];
      /** Milliseconds since 1970. */
      at: number;
      /** For an internalized one, as in `AppAction`, satoshis as text. Missing in entries of earlier versions. */
      incoming?: { satoshis: string; isProven: boolean; version: number; lockTime: number } | undefined;
    }
  /** A payment by derived key (BRC-29), until it is swept: money, which no site's call ends or replaces. */
  | {
      kind: 'wallet-payment';
      outpoint: string;
      derivationPrefix: string;
      derivationSuffix: string;
      senderIdentityKey: string;
      /** In satoshis. */
      satoshis: string;
    }
  /** The wallet has swept it. */
  | { kind: 'payment-gone'; outpoint: string };

export interface LoggedEntry {
  key: string;
  entry: LogEntry;
  /** Number of changes of the key's entry. If wallets with the same words disagree, the higher one wins. */
  version: number;
  /** When it was recorded (milliseconds since 1970). */
  at: number;
  /** 1 while the account's service does not have it. */
  unsent?: 1;
  /** For an entry read from a log: when it is next applied, in milliseconds since 1970. */
  unapplied?: number;
}

/**
 * The key of an entry: the outpoint or transaction, the kind, and its site. An entry replaces only one with the same
 * key, so no site can replace another's, or money.
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
      return goneKey(entry.outpoint);
  }
}

export const goneKey = (outpoint: string): string => `${outpoint} gone`;

/** The first and last possible key of sites' outputs at an outpoint. */
export const outputKeys = (outpoint: string): [first: string, last: string] => [
  `${outpoint} output `,
  `${outpoint} output \uffff`,
];

/** True for a note that something is gone. */
export const isGone = ({ kind }: LogEntry): boolean =>
  kind === 'output-gone' || kind === 'payment-gone' || kind === 'outpoint-gone';
