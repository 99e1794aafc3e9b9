/** What the wallet has found out about an output that carries something. */

/**
 * Whose word it is: `chain`, where the wallet has read it in transactions whose bytes hash to their ids; `index`, where it
 * has that from the index alone.
 */
export type Word = 'chain' | 'index';

/** Whether an output holds the token that it names. `unknown`: nobody has said so far. */
export interface Verdict {
  state: 'valid' | 'invalid' | 'unknown';
  word: Word;
  /** When it was looked at (milliseconds since 1970). */
  at: number;
}

/** What a token's mint says: nobody has checked the symbol, and anybody can use any. */
export interface Mint {
  symbol: string | null;
  decimals: number;
  /** In its smallest unit; null where that is not known. */
  supply: bigint | null;
  /** The outpoint of its picture: `txid_vout`. */
  icon: string | null;
  word: Word;
}

/** One output. */
export interface AssetRecord {
  /** `txid:vout` */
  outpoint: string;
  verdict?: Verdict;
  /** Where it is a mint. */
  mint?: Mint;
  /** The first output of its satoshi (`txid_vout`), by the index. */
  origin?: string;
  /** It, or its transaction, was too large to be taken in (milliseconds since 1970). */
  tooLargeAt?: number;
}
