/** Money that came in: one transaction that paid us and that this wallet did not make. */

/** One receipt as stored. `createdAt` is when it was first seen, milliseconds since 1970. */
export interface Receipt {
  txid: string;
  satoshis: bigint;
  /** The first of our addresses that it paid. */
  address: string;
  createdAt: number;
  height: number | null;
  /** Who says to have sent it by paymail, whether that one's host vouches for it, and the note. Missing where it was found on the chain alone. */
  sender?: { paymail: string; verified: boolean } | null;
  note?: string | null;
  /** The user was told of it by the browser, or did not want to be. Of what came in by paymail alone. */
  told?: boolean;
  /** 1 until a checked proof places it in a block: for the database's index. */
  unconfirmed: 0 | 1;
}
