export interface Input {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex. */
  script: string;
}

/** An output that an application spends along with the wallet's coins. The application signs this input itself. */
export interface GivenInput extends Input {
  /** Maximum number of bytes of its unlocking script, used to compute the fee. */
  unlockingBytes: number;
  sequence: number;
  /** Null until the application has signed. */
  unlockingScript: Uint8Array | null;
}
