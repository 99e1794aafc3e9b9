/** A coin: an unspent output that this wallet's keys can spend. */
import type { Chain } from '../keys/keys.ts';

/**
 * `void`: outputs of a transaction of the wallet that another one replaces; they return if it is mined after all.
 * `pending`: outputs of its own transaction that the network hasn't accepted yet. `reserved`: coins of a signed payment
 * without a definite answer from the network. `spent`: coins of an accepted payment, or of another wallet with the same
 * words. `gone`: coins whose own transaction is gone.
 */
export type CoinStatus = 'void' | 'pending' | 'available' | 'reserved' | 'spent' | 'gone';

/** One coin as stored. `height` is the block that contains it, null until a checked proof places it in one. */
export interface Coin {
  /** `txid:vout` */
  outpoint: string;
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex: P2PKH of an address of the wallet, in one-satoshi coins possibly with an inscription. */
  script: string;
  chain: Chain;
  index: number;
  status: CoinStatus;
  /** The wallet's payment that reserved or spent it, if any. */
  paymentId: string | null;
  height: number | null;
  /**
   * Number of transactions, including its own, in the longest unconfirmed chain that leads to it; 0 once a block
   * contains it. Payments from others count as 1. It is an upper bound, because ancestors may have been mined since.
   */
  depth: number;
  /** True once the index has shown it. Before that, its absence there means nothing. */
  seen: boolean;
  /**
   * Not part of the balance until the network has it, because an application made it from inputs that are worth more.
   */
  isUnproven?: true;
  /**
   * The account's service named its address, beyond the words' reach, and none of the wallet's money was moved before
   * it.
   */
  isUnfound?: true;
}

/** From this depth on a coin is spent only as a last resort: nodes limit chains of unconfirmed transactions. */
const LONG_CHAIN = 20;

/** 0 for confirmed coins, 1 for unconfirmed ones, 2 for ends of long unconfirmed chains. Spent in that order. */
export type Tier = 0 | 1 | 2;

/** The tier of the one-satoshi coins. No selection considers it. */
export const APART = 3;

/** The tier of coins beyond the words' reach. No selection considers it either. */
export const UNFOUND = 4;

/** A coin with its index keys: `value` is its satoshis as a number (21 million BSV are below 2^53). */
export type RankedCoin = Coin & { tier: Tier | typeof APART | typeof UNFOUND; value: number };

/** A coin as it is to be stored. */
export function ranked(coin: Coin): RankedCoin {
  return {
    ...coin,
    tier: isKeptApart(coin)
      ? APART
      : coin.isUnfound
        ? UNFOUND
        : coin.height !== null
          ? 0
          : coin.depth < LONG_CHAIN
            ? 1
            : 2,
    value: Number(coin.satoshis),
  };
}

/**
 * Whether it may carry tokens. Tokens that are attached to coins (1Sat ordinals, BSV-21; BRC-147's basket `1sat`) use
 * coins of exactly one satoshi, and are lost when such a coin is spent as money. So it isn't part of the balance and is
 * never chosen.
 */
export function isKeptApart({ satoshis }: Pick<Coin, 'satoshis'>): boolean {
  return satoshis === 1n;
}

/** The block of a transaction: `time` is the block's, seconds since 1970. */
export interface Block {
  hash: string;
  height: number;
  time: number;
}

/** `txid:vout` */
export function outpoint(txid: string, vout: number): string {
  return `${txid}:${vout}`;
}

/** Marked as spent by another wallet with the same words, or as gone. The network may reverse that. */
export function mayReturn({ status, paymentId }: Coin): boolean {
  return status === 'gone' || (status === 'spent' && paymentId === null);
}

/** The BSV wallet interface's `txid.vout` (BRC-100) as `txid:vout`. */
export const fromDotted = (outpoint: string): string => outpoint.replace('.', ':');

/** `txid:vout` as the interface's `txid.vout`. */
export const dotted = (outpoint: string): string => outpoint.replace(':', '.');
