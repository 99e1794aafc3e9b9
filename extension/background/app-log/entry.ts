/** What the log of applications' data is made of. */

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
  /** It was spent or relinquished; a payment was swept. */
  | { kind: 'output-gone'; outpoint: string }
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
  /** A payment by derived key (BRC-29), until it is swept. */
  | {
      kind: 'wallet-payment';
      outpoint: string;
      derivationPrefix: string;
      derivationSuffix: string;
      senderIdentityKey: string;
      /** In satoshis. */
      satoshis: string;
    };

/** The newest entry about one output or one transaction. */
export interface LoggedEntry {
  /** The outpoint, or the transaction's id. */
  key: string;
  entry: LogEntry;
  /** How many entries there were about it: of two wallets with the same words, the higher one counts. */
  version: number;
  /** When it was recorded, in milliseconds since 1970. */
  at: number;
  /** 1 while the account's service does not have it. */
  unsent?: 1;
  /** Of one that was read from a log: when it is applied next, in milliseconds since 1970. */
  unapplied?: number;
}

/** What an entry is about. Pure. */
export function keyOf(entry: LogEntry): string {
  return entry.kind === 'action' ? entry.txid : entry.outpoint;
}
