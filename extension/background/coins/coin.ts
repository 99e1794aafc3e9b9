/** A coin: an unspent output that this wallet's keys can spend. */
import type { Chain } from '../vault/keys.ts';

/**
 * `void` coins are outputs of our own transaction whose place another one takes, or has taken: they come back if it is mined
 * after all. `pending` coins are outputs of our own transaction that the network has not taken yet; `reserved` coins
 * belong to a signed payment that the network has not definitely answered; `spent` ones to a payment that it took, or
 * to another wallet with the same words; of `gone` coins the own transaction is gone.
 */
export type CoinStatus = 'void' | 'pending' | 'available' | 'reserved' | 'spent' | 'gone';

/** One coin as stored. `height` is the block that holds it, null while no checked proof places it in one. */
export interface Coin {
  /** `txid:vout` */
  outpoint: string;
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex: P2PKH of one of our addresses, of one satoshi also with an inscription beside it. */
  script: string;
  chain: Chain;
  index: number;
  status: CoinStatus;
  /** The payment that reserved or spent it, where it was one of ours. */
  paymentId: string | null;
  height: number | null;
  /**
   * Number of transactions, its own included, in the longest unconfirmed chain that leads to it; 0 once a block
   * contains it. Payments from others count as 1. It is an upper bound: ancestors may have been mined meanwhile.
   */
  depth: number;
  /** True once the network's index has shown it: only then does its absence there mean anything. */
  seen: boolean;
  /**
   * No part of the balance until the network has it: an application's transaction makes it, and the wallet's own coins in
   * that hold less.
   */
  isUnproven?: true;
  /** The account's service named its address, further than the words find: no money of ours before it was moved. */
  isUnfound?: true;
}

/**
 * From this depth on a coin is spent only where nothing else is left: nodes limit chains of unconfirmed transactions.
 */
const LONG_CHAIN = 20;

/**
 * 0 for confirmed coins, 1 for unconfirmed ones, 2 for those at the end of a long unconfirmed chain. Spent in that
 * order.
 */
export type Tier = 0 | 1 | 2;

/** The tier of the one-satoshi coins. No selection considers it. */
export const APART = 3;

/** The tier of coins that the words don't find. No selection considers it, either. */
export const UNFOUND = 4;

/**
 * A coin with what the database's index orders it by: `value` is its satoshis as a number (21 million BSV are below
 * 2^53).
 */
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
 * coins of exactly one satoshi, and are lost when such a coin is spent as money: it is no part of the balance and never
 * chosen.
 */
export function isKeptApart({ satoshis }: Pick<Coin, 'satoshis'>): boolean {
  return satoshis === 1n;
}

/** The block that a transaction is in: `time` is its own, seconds since 1970. */
export interface Block {
  hash: string;
  height: number;
  time: number;
}

/** `txid:vout` */
export function outpoint(txid: string, vout: number): string {
  return `${txid}:${vout}`;
}

/**
 * Marked as spent by another wallet with the same words, or as gone, according to the network, which may reverse that.
 */
export function mayReturn({ status, paymentId }: Coin): boolean {
  return status === 'gone' || (status === 'spent' && paymentId === null);
}
