/** A coin: an unspent output that this wallet's keys can spend. */
import type { Chain } from '../vault/keys.ts';

/**
 * `pending` coins are outputs of our own transaction that the network has not taken yet; `reserved` coins belong to a signed payment that the network has not definitely answered; `spent` ones to a payment
 * that it took, or to another wallet with the same words.
 */
export type CoinStatus = 'pending' | 'available' | 'reserved' | 'spent';

/** One coin as stored. `height` is the block that holds it, null while no checked proof places it in one. */
export interface Coin {
  /** `txid:vout` */
  outpoint: string;
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex. Always P2PKH of one of our addresses. */
  script: string;
  chain: Chain;
  index: number;
  status: CoinStatus;
  /** The payment that reserved or spent it, where it was one of ours. */
  paymentId: string | null;
  height: number | null;
  /** True once the network's index has shown it: only then does its absence there mean anything. */
  seen: boolean;
}

/** `txid:vout` */
export function outpoint(txid: string, vout: number): string {
  return `${txid}:${vout}`;
}

/** Marked as spent by another wallet with the same words, which the index may take back. */
export function isSpentElsewhere({ status, paymentId }: Coin): boolean {
  return status === 'spent' && paymentId === null;
}
