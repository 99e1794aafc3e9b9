/** What a transaction's plan needs to know of an output that it spends. */
export interface Input {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex. */
  script: string;
}

/**
 * An output that an application has spent along with the wallet's coins: what it holds counts against what the outputs
 * take. The application unlocks it.
 */
export interface GivenInput extends Input {
  /** Most bytes of its unlocking script: the fee is worked out with them. */
  unlockingBytes: number;
  sequence: number;
  /** Null until the application has signed. */
  unlockingScript: Uint8Array | null;
}
