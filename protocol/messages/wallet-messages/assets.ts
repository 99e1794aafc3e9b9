/** Types for tokens and ordinals as displayed by the windows. */

/** Source of a claim: `chain` (verified by the wallet) or `index` (reported by the ordinals index). */
export type AssetWord = 'chain' | 'index';

/** A token that the wallet holds. Amounts are decimal strings with the token's decimals. */
export interface TokenView {
  /** The minting output: `txid_vout`. */
  id: string;
  /** The symbol given by the mint (unverified). */
  symbol: string | null;
  decimals: number;
  amount: string;
  spendable: string;
  supply: string | null;
  /** Who verified that the token's outputs are valid. */
  word: AssetWord;
  /** True if part of the amount is unconfirmed. */
  isUnconfirmed: boolean;
  /** The output that contains the token's picture, as stated by the mint. */
  icon: string | null;
}

export interface OrdinalView {
  /** The ordinal's current output: `txid_vout`. */
  outpoint: string;
  /** The first output of the ordinal's satoshi, as reported by the index, or null. */
  origin: string | null;
  /** The content type of the output's own inscription, or ''. */
  contentType: string;
  canSend: boolean;
  isUnconfirmed: boolean;
}

export interface AssetsView {
  tokens: TokenView[];
  ordinals: OrdinalView[];
  /** Number of coins that falsely claim to hold a token. */
  invalid: number;
  /** Number of coins whose claim hasn't been checked yet. */
  unchecked: number;
  /** Number of outputs that the latest refresh found but that are too large to store. */
  tooLarge: number;
  /** The index's URL, and whether the user chose it. */
  index: { url: string; isChosen: boolean };
}

/** An output's displayable content: plain text, or a still picture as a `data:` URL. */
export interface AssetContent {
  contentType: string;
  text: string | null;
  picture: string | null;
}

/** A sent or received asset. `units` is the amount in the token's smallest unit. */
export type HeldAsset =
  | { type: 'token'; id: string; symbol: string | null; decimals: number; units: string }
  | { type: 'ordinal'; outpoint: string; contentType: string };

/** The whole supply of a new token, whose ID is `<txid>_0`. */
export interface MintedAsset {
  type: 'mint';
  symbol: string;
  decimals: number;
  units: string;
}

/** An asset that a transaction sends or mints. */
export type SentAsset = HeldAsset | MintedAsset;
