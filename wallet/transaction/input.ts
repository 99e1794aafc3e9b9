export interface Input {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex. */
  script: string;
}

/** An output that an application spends and unlocks along with the wallet's coins. */
export interface GivenInput extends Input {
  /** Maximum number of bytes of its unlocking script, from which the fee is computed. */
  unlockingBytes: number;
  sequence: number;
  /** Null until the application has signed. */
  unlockingScript: Uint8Array | null;
}
