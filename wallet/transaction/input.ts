export interface Input {
  txid: string;
  vout: number;
  satoshis: bigint;
  script: string;
}

/** An input that an application adds to the wallet's coins and signs itself. */
export interface ApplicationInput extends Input {
  /** Maximum size of the input's unlocking script (bytes), for computing the fee. */
  unlockingBytes: number;
  sequence: number;
  /** Null until the application has signed the input. */
  unlockingScript: Uint8Array | null;
}
