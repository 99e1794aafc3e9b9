/** Tokens and ordinals, as the windows show them. */

/** Source of a statement: `chain` (verified by the wallet) or `index` (the index of ordinals). */
export type AssetWord = 'chain' | 'index';

/** A token that the wallet holds. Amounts are decimal text with the token's decimals. */
export interface TokenView {
  /** The output that minted it: `txid_vout`. */
  id: string;
  /** The mint's name for it (unverified). */
  symbol: string | null;
  decimals: number;
  amount: string;
  spendable: string;
  supply: string | null;
  /** Source of the statement that the outputs are valid. */
  word: AssetWord;
  /** Some of it is unconfirmed. */
  isUnconfirmed: boolean;
  /** The output with its picture, by the mint. */
  icon: string | null;
}

export interface OrdinalView {
  /** Its current output: `txid_vout`. */
  outpoint: string;
  /** The first output of its satoshi, by the index; null if the index didn't report it. */
  origin: string | null;
  /** The type of its own inscription, '' if it has none. */
  contentType: string;
  canSend: boolean;
  isUnconfirmed: boolean;
}

export interface AssetsView {
  tokens: TokenView[];
  ordinals: OrdinalView[];
  /** Coins that name a token but hold none, and coins for which that is still unknown. */
  invalid: number;
  unchecked: number;
  /** Outputs that the last refresh found and that are too large to store. */
  tooLarge: number;
  /** The index's address, and whether the user has chosen it. */
  index: { url: string; isChosen: boolean };
}

/** An output's content, if it can be shown: plain text, or a still picture as a `data:` URL. */
export interface AssetContent {
  contentType: string;
  text: string | null;
  picture: string | null;
}

/** A sent or received asset. `units` is the amount in the token's smallest unit. */
export type HeldAsset =
  | { type: 'token'; id: string; symbol: string | null; decimals: number; units: string }
  | { type: 'ordinal'; outpoint: string; contentType: string };

/** The whole supply of a new token, whose id is `<txid>_0`. */
export interface MintedAsset {
  type: 'mint';
  symbol: string;
  decimals: number;
  units: string;
}

/** An asset that a transaction sends or mints. */
export type SentAsset = HeldAsset | MintedAsset;
