/** The states of a coin, and the events that move it from one to another. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Coin, CoinStatus } from './coin.ts';

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
