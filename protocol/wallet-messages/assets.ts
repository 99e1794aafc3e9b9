/** Tokens and ordinals, as the windows show them. */

/** Whose word it is: `chain`, what the wallet has read itself; `index`, what the index of ordinals says. */
export type AssetWord = 'chain' | 'index';

/** A token that the wallet holds. Amounts are decimal text with the token's decimals. */
export interface TokenView {
  /** The output that minted it: `txid_vout`. */
  id: string;
  /** What its mint calls it: nobody has checked that. */
  symbol: string | null;
  decimals: number;
  amount: string;
  /** What can be sent now. */
  spendable: string;
  supply: string | null;
  /** Whose word it is that the outputs hold what they say. */
  word: AssetWord;
  /** Some of it is in no block so far. */
  isUnconfirmed: boolean;
  /** The output with its picture, by the mint. */
  icon: string | null;
}

/** An ordinal that the wallet holds. */
export interface OrdinalView {
  /** Where it is now: `txid_vout`. */
  outpoint: string;
  /** The first output of its satoshi, by the index; null where the index has not said. */
  origin: string | null;
  /** Of its own inscription, '' where it has none. */
  contentType: string;
  canSend: boolean;
  isUnconfirmed: boolean;
}

/** Tokens and ordinals. */
export interface AssetsView {
  tokens: TokenView[];
  ordinals: OrdinalView[];
  /** Coins that name a token and hold none of it; and those of which that is not known so far. */
  invalid: number;
  unchecked: number;
  /** Outputs that the last look on the network found, and that are too large to be kept. */
  tooLarge: number;
  /** Where the index is, and whether the user has chosen it. */
  index: { url: string; isChosen: boolean };
}

/** What an output carries, if it can be shown: plain text, or a still picture as a `data:` URL. */
export interface AssetContent {
  contentType: string;
  text: string | null;
  picture: string | null;
}

/** What is sent, or came in. `units` is the amount in the token's smallest unit. */
export type HeldAsset =
  | { type: 'token'; id: string; symbol: string | null; decimals: number; units: string }
  | { type: 'ordinal'; outpoint: string; contentType: string };

/** All there will ever be of a new token, whose id is `<txid>_0`. */
export interface MintedAsset {
  type: 'mint';
  symbol: string;
  decimals: number;
  units: string;
}

/** What a transaction sends or mints. */
export type SentAsset = HeldAsset | MintedAsset;
