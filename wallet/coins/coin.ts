/** A coin: an output that this wallet's keys can spend. Defines its states, and the totals of all coins. Pure. */
import type { Chain } from '../keys/keys.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';

/**
 * `void`: output of a wallet transaction that was replaced or has failed; available again if it is mined after all.
 * `pending`: output of a wallet transaction that the network hasn't accepted yet. `reserved`: input of a payment that
 * the network hasn't accepted yet. `spent`: input of an accepted payment, or of a transaction by another wallet with
 * the same recovery words. `gone`: output of an incoming transaction that was dropped or double-spent.
 */
export type CoinStatus = 'void' | 'pending' | 'available' | 'reserved' | 'spent' | 'gone';

/** A stored coin. `height` is its block's height, or null until a checked proof confirms the coin. */
export interface Coin {
  /** `txid:vout` */
  outpoint: string;
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex: P2PKH for one of the wallet's addresses. A one-satoshi coin may also have an inscription. */
  script: string;
  chain: Chain;
  index: number;
  status: CoinStatus;
  /** ID of the wallet's payment that reserved or spent the coin, or null. */
  paymentId: string | null;
  height: number | null;
  /**
   * Number of transactions, including its own, in the longest unconfirmed chain that leads to the coin. 0 once
   * confirmed. Payments from others count as 1. This is an upper bound, because ancestors may have been mined since.
   */
  depth: number;
  /** True once the index has listed the coin. Only then can its absence from the index mean that it was spent. */
  seen: boolean;
  /**
   * Excluded from the balance until the network accepts its transaction, because an application's inputs or missing
   * incoming money funds it, or the network has another transaction that spends the same coins.
   */
  isUnproven?: true;
  /**
   * True if it was paid to a service-issued address that a restore would miss. Excluded from the balance until the gap
   * before that address is closed.
   */
  isUnfound?: true;
}

/** Depth at which a coin becomes a last resort, because nodes limit chains of unconfirmed transactions. */
const LONG_CHAIN = 20;

/** Spending order: 0 for confirmed coins, 1 for unconfirmed ones, 2 for unconfirmed ones at the end of a long chain. */
export type Tier = 0 | 1 | 2;

/** The tier of one-satoshi coins. Coin selection ignores it. */
export const ONE_SAT_TIER = 3;

/** The tier of coins that a restore would miss. Coin selection ignores it. */
export const UNFOUND = 4;

/** A coin with its index keys. `value` is its satoshis as a number, because 21 million BSV are below 2^53 satoshis. */
export type RankedCoin = Coin & { tier: Tier | typeof ONE_SAT_TIER | typeof UNFOUND; value: number };

/** Returns a coin with its database index keys, as stored. */
export function ranked(coin: Coin): RankedCoin {
  return {
    ...coin,
    tier: mayCarryToken(coin)
      ? ONE_SAT_TIER
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
 * True if a coin may carry tokens. Token protocols (1Sat ordinals, BSV-21; BRC-147's basket `1sat`) use coins of
 * exactly one satoshi, and spending such a coin as money loses its tokens. Therefore it isn't part of the balance and
 * is never selected.
 */
export function mayCarryToken({ satoshis }: Pick<Coin, 'satoshis'>): boolean {
  return satoshis === 1n;
}

/** A block that contains a transaction. `time` is the block's timestamp, seconds since 1970. */
export interface Block {
  hash: string;
  height: number;
  time: number;
}

/** Returns the outpoint in the format `txid:vout`. */
export function outpoint(txid: string, vout: number): string {
  return `${txid}:${vout}`;
}

/**
 * True if a coin was marked as gone, or as spent by another wallet with the same recovery words. Both are reversible.
 */
export function mayReturn({ status, paymentId }: Coin): boolean {
  return status === 'gone' || (status === 'spent' && paymentId === null);
}

/** Converts an outpoint from BRC-100's `txid.vout` to `txid:vout`. */
export const fromDotted = (outpoint: string): string => outpoint.replace('.', ':');

/** Converts an outpoint from `txid:vout` to BRC-100's `txid.vout`. */
export const dotted = (outpoint: string): string => outpoint.replace(':', '.');

/** Events that change a coin's status, with their meanings. */
export const COIN_EVENTS = {
  reserve: 'a payment that the network doesn’t have yet spends it',
  spend: 'the network has a payment that spends it',
  'spend-elsewhere': 'the network has another transaction that spends it',
  release: 'the payment that spent it has ended',
  accept: 'the network has the payment that creates it',
  await: 'the payment that creates it must be broadcast again',
  void: 'the payment that creates it was replaced or has ended',
  vanish: 'the incoming transaction that creates it is gone',
  return: 'the incoming transaction exists after all',
  show: 'the index shows it as unspent, and no payment spends it',
} as const;
export type CoinEvent = keyof typeof COIN_EVENTS;

/** The status of an unspent coin. It depends on the transaction that created the coin. */
export type FreeStatus = Exclude<CoinStatus, 'reserved' | 'spent'>;

/** The next status. `free`: determined by the transaction that created the coin. */
type Next = CoinStatus | 'free';

/** Legal in every status, because a payment can be accepted or reinstated regardless of its coins' stored status. */
const HELD = { reserve: 'reserved', spend: 'spent' } as const;

/** The next status for each status and event. Events without an entry are illegal in that status. */
export const COIN_MOVES: Record<CoinStatus, { readonly [event in CoinEvent]?: Next }> = {
  void: { ...HELD, 'spend-elsewhere': 'spent', accept: 'available', await: 'pending', show: 'available' },
  pending: { ...HELD, 'spend-elsewhere': 'spent', accept: 'available', void: 'void', show: 'available' },
  available: { ...HELD, 'spend-elsewhere': 'spent', await: 'pending', void: 'void', vanish: 'gone' },
  reserved: { ...HELD, 'spend-elsewhere': 'spent', release: 'free', show: 'available' },
  spent: { ...HELD, 'spend-elsewhere': 'spent', release: 'free', show: 'available' },
  gone: { ...HELD, 'spend-elsewhere': 'spent', return: 'available', show: 'available' },
};

/** Events after which no payment holds the coin. */
const FREEING: readonly CoinEvent[] = ['spend-elsewhere', 'release', 'vanish', 'return', 'show'];

/** A payment's hold on a coin: `spend` once the network has the payment, otherwise `reserve`. */
export interface CoinHold {
  event: 'reserve' | 'spend';
  paymentId: string;
}

/** An event with its parameters. */
export type CoinMove =
  | CoinHold
  | { event: 'release'; free: FreeStatus }
  | { event: Exclude<CoinEvent, 'reserve' | 'spend' | 'release'> };

/**
 * Returns the coin after an event. Pure. No other function changes a coin's status.
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
 * Totals of the coins that the wallet can spend now, or will be able to spend once the network accepts the wallet's own
 * payments. Excludes one-satoshi coins and those that a restore would miss.
 */
export interface BalanceTotals {
  satoshis: bigint;
  /** The part of `satoshis` that isn't confirmed by a checked proof yet. */
  unconfirmed: bigint;
  available: number;
}

export const NOTHING: BalanceTotals = { satoshis: 0n, unconfirmed: 0n, available: 0 };

const isHeld = (coin: Coin) =>
  (coin.status === 'available' || (coin.status === 'pending' && !coin.isUnproven)) &&
  !mayCarryToken(coin) &&
  !coin.isUnfound;

/** Returns the totals after `after` replaces `before`. A new coin has no `before`, and a removed one has no `after`. */
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

/** Returns a payment's hold on its coins. */
export const heldAs = (isOnNetwork: boolean, paymentId: string): CoinHold => ({
  event: isOnNetwork ? 'spend' : 'reserve',
  paymentId,
});
