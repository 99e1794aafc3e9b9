/** Money that came in: one transaction that paid us and that this wallet did not make. */

/** One receipt as stored. `createdAt` is when it was first seen, milliseconds since 1970. */
export interface Receipt {
  txid: string;
  satoshis: bigint;
  /** The first of our addresses that it paid. */
  address: string;
  createdAt: number;
  height: number | null;
  /** 1 until a checked proof places it in a block: for the database's index. */
  unconfirmed: 0 | 1;
}
