/** What a transaction's plan needs to know of an output that it spends. */
export interface Input {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex. */
  script: string;
}
