/** A coin, an unspent output that this wallet's keys can spend: its states, and the totals of all. Pure. */
import type { Chain } from '../keys/keys.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';

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

/** Events that move a coin, and their meanings. */
export const COIN_EVENTS = {
  reserve: 'a payment spends it that the network doesn’t have yet',
  spend: 'the network has a payment that spends it',
  'spend-elsewhere': 'the network has another transaction that spends it',
  release: 'the payment that spent it has ended',
  accept: 'the network has the payment that makes it',
  await: 'the payment that makes it is to be broadcast again',
  void: 'the payment that makes it is replaced or has ended',
  vanish: 'the incoming transaction that makes it is gone',
  return: 'that transaction exists after all',
  show: 'the index shows it as unspent, and no payment spends it',
} as const;
export type CoinEvent = keyof typeof COIN_EVENTS;

/** The status of a coin that nothing spends, by the transaction that makes it. */
export type FreeStatus = Exclude<CoinStatus, 'reserved' | 'spent'>;

/** The next status. `free`: as the transaction that makes the coin is. */
type Next = CoinStatus | 'free';

/** A payment may be accepted or come back whatever its coins seemed to be. */
const HELD = { reserve: 'reserved', spend: 'spent' } as const;

/** The next status by status and event. Every other event is illegal in that status. */
export const COIN_MOVES: Record<CoinStatus, { readonly [event in CoinEvent]?: Next }> = {
  void: { ...HELD, 'spend-elsewhere': 'spent', accept: 'available', await: 'pending', show: 'available' },
  pending: { ...HELD, 'spend-elsewhere': 'spent', accept: 'available', void: 'void', show: 'available' },
  available: { ...HELD, 'spend-elsewhere': 'spent', await: 'pending', void: 'void', vanish: 'gone' },
  reserved: { ...HELD, 'spend-elsewhere': 'spent', release: 'free', show: 'available' },
  spent: { ...HELD, 'spend-elsewhere': 'spent', release: 'free', show: 'available' },
  gone: { ...HELD, 'spend-elsewhere': 'spent', return: 'available', show: 'available' },
};

/** Events after which no payment has the coin. */
const FREEING: readonly CoinEvent[] = ['spend-elsewhere', 'release', 'vanish', 'return', 'show'];

/** How a payment (id) holds a coin. */
export interface Held {
  event: 'reserve' | 'spend';
  paymentId: string;
}

/** An event, with what it needs. */
export type CoinMove =
  | Held
  | { event: 'release'; free: FreeStatus }
  | { event: Exclude<CoinEvent, 'reserve' | 'spend' | 'release'> };

/**
 * A coin after an event. Pure: every change of a coin's status is made here.
 * @throws ServiceError `internal` if the event is illegal in the coin's status
 */
export function moveCoin(coin: Coin, move: CoinMove): Coin {
  const { event } = move;
  const next = COIN_MOVES[coin.status][event];
  if (next === undefined)
    throw new ServiceError('internal', { detail: `the event ${event} is illegal for a coin that is ${coin.status}` });
  const status = next === 'free' ? (move as { free: FreeStatus }).free : next;
  const paymentId = 'paymentId' in move ? move.paymentId : FREEING.includes(event) ? null : coin.paymentId;
  const { isUnproven, ...proven } = coin;
  return { ...(status === 'available' ? proven : coin), status, paymentId };
}

export const changesStatus = (coin: Coin, move: CoinMove | null): move is CoinMove =>
  move !== null && moveCoin(coin, move).status !== coin.status;

/**
 * Satoshis that the wallet can spend, now or once the network has its own payment: without one-satoshi coins and those
 * beyond the words' reach.
 */
export interface BalanceTotals {
  satoshis: bigint;
  /** The part of `satoshis` that isn't in a checked block yet. */
  unconfirmed: bigint;
  available: number;
}

/** The totals of an empty wallet. */
export const NOTHING: BalanceTotals = { satoshis: 0n, unconfirmed: 0n, available: 0 };

const isHeld = (coin: Coin) =>
  (coin.status === 'available' || (coin.status === 'pending' && !coin.isUnproven)) &&
  !isKeptApart(coin) &&
  !coin.isUnfound;

/** The totals after `after` replaces `before`, or one of them is missing. */
export function counted(holdings: BalanceTotals, before: Coin | undefined, after: Coin | undefined): BalanceTotals {
  const next = { ...holdings };
  for (const [coin, sign] of [
    [before, -1n],
    [after, 1n],
  ] as const) {
    if (!coin || !isHeld(coin)) continue;
    next.satoshis += sign * coin.satoshis;
    if (coin.height === null) next.unconfirmed += sign * coin.satoshis;
    if (coin.status === 'available') next.available += Number(sign);
  }
  return next;
}

/** How a payment (id) holds its coins. */
export const heldAs = (isOnNetwork: boolean, paymentId: string): Held => ({
  event: isOnNetwork ? 'spend' : 'reserve',
  paymentId,
});
