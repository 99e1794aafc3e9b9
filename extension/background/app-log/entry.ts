/** Entries of the log of applications' data. */

/**
 * What restoring an application's data takes beside the recovery words. Nothing in it is a private key. The locking
 * script is not in it, whose size an application chooses: it is read from the transaction, as the amount is.
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
  /** The same, from wallets whose entries had no site: it ends every site's entry that is not newer. */
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
      /** Of one that was brought in, as `AppAction` has it; its satoshis as text. Missing in entries of earlier versions. */
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

/** The newest entry of its key. */
export interface LoggedEntry {
  /** See {@link keyOf}. */
  key: string;
  entry: LogEntry;
  /** How many entries the key has had. If wallets with the same words disagree, the higher one wins. */
  version: number;
  /** When it was recorded, in milliseconds since 1970. */
  at: number;
  /** 1 while the account's service does not have it. */
  unsent?: 1;
  /** Of one that was read from a log: when it is applied next, in milliseconds since 1970. */
  unapplied?: number;
}

/**
 * The key of an entry: the outpoint or transaction, what is said of it, and the site that says so. An entry replaces only
 * one of the same key, so no site's entry replaces another's, or money.
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

/** The key of an `outpoint-gone`. */
export const goneKey = (outpoint: string): string => `${outpoint} gone`;

/** The first and last possible key of what sites keep at an outpoint. */
export const outputKeys = (outpoint: string): [first: string, last: string] => [
  `${outpoint} output `,
  `${outpoint} output \uffff`,
];

/** True for a note that something is gone. */
export const isGone = ({ kind }: LogEntry): boolean =>
  kind === 'output-gone' || kind === 'payment-gone' || kind === 'outpoint-gone';
