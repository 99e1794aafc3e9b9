/** The wallet's findings about an output with an asset. */

/** Source of a finding: `chain` for transactions that the wallet has read itself, `index` for unverified reports. */
export type Word = 'chain' | 'index';

/** Whether an output holds the token that it names. `unknown`: no source has an answer yet. */
export interface Verdict {
  state: 'valid' | 'invalid' | 'unknown';
  word: Word;
  /** When it was checked (milliseconds since 1970). */
  at: number;
}

/** The terms of a token's mint. The symbol is unverified, and anyone can use any. */
export interface Mint {
  symbol: string | null;
  decimals: number;
  /** In its smallest unit; null if unknown. */
  supply: bigint | null;
  /** The outpoint of its picture: `txid_vout`. */
  icon: string | null;
  word: Word;
}

export interface AssetRecord {
  /** `txid:vout` */
  outpoint: string;
  verdict?: Verdict;
  mint?: Mint;
  /** The first output of its satoshi (`txid_vout`), according to the index. */
  origin?: string;
  /** It, or its transaction, was too large to be stored (milliseconds since 1970). */
  tooLargeAt?: number;
}
