export interface Input {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex. */
  script: string;
}

/** An input that an application adds to the wallet's coins and signs itself. */
export interface ApplicationInput extends Input {
  /** Maximum number of bytes of its unlocking script, for the fee. */
  unlockingBytes: number;
  sequence: number;
  /** Null until the application has signed the input. */
  unlockingScript: Uint8Array | null;
}
