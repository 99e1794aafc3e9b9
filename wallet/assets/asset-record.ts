/** Stored data about an output with an asset. */

/** Source of the data: `chain` if the wallet read the transactions itself, `index` if only the index reports it. */
export type Word = 'chain' | 'index';

/** Whether an output really holds the token that it claims to hold; `unknown` if that couldn't be determined yet. */
export interface Verdict {
  state: 'valid' | 'invalid' | 'unknown';
  word: Word;
  /** When it was checked (milliseconds since 1970). */
  at: number;
}

/** A token's metadata, as set by its mint. The symbol is unverified and not unique. */
export interface Mint {
  symbol: string | null;
  decimals: number;
  /** In smallest units; null if unknown. */
  supply: bigint | null;
  /** The icon's outpoint: `txid_vout`. */
  icon: string | null;
  word: Word;
}

export interface AssetRecord {
  /** `txid:vout` */
  outpoint: string;
  verdict?: Verdict;
  mint?: Mint;
  /** The satoshi's first inscribed output (`txid_vout`), as reported by the index. */
  origin?: string;
  /** When the output or its transaction was found too large to store (milliseconds since 1970). */
  tooLargeAt?: number;
}
