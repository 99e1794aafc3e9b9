/**
 * Limits the coins that sites' unfinished actions reserve while they await an application's signatures or the
 * application withholds them. Such an action costs only a small fee but blocks the user's coins.
 */
import type { SetAsideView } from '../../protocol/messages/wallet-messages.ts';
import { at, type AllowanceKey } from '../allowances/allowance.ts';
import { satoshisLeft } from '../allowances/decide.ts';
import { mayCarryToken, type Coin } from '../coins/coin.ts';
import { inTransaction, type WriteTransaction } from '../store/database.ts';
import { reservedRecently } from '../sites/store.ts';
import { sumOf } from '../transaction/plan.ts';
import type { LightPayment, PaymentRecord } from './record.ts';
import { getLight, idMaking, paymentsIn, paymentsOfSite } from './store.ts';
import { getAllowance } from '../allowances/records.ts';
import { coinsWith, getCoin } from '../coins/records.ts';
import type { Wallet } from '../platform.ts';

/** Maximum value that a site may reserve, as a multiple of the remaining allowance. */
const TIMES_ALLOWANCE = 3n;

/** Maximum value that an approved action may reserve, as a multiple of the total shown in its window. */
export const TIMES_SHOWN = 3n;

/** Returns the satoshis that an action newly reserves. Change from the site's withheld actions is already counted. */
export const newlyReserved = (inputs: readonly Coin[]): bigint =>
  sumOf(inputs.filter(({ status }) => status !== 'pending'));

/** True if the action is unfinished and reserves coins. An aborted action reserves its coins until it is replaced. */
function keepsCoins({ state, trouble, replacedBy }: LightPayment): boolean {
  return state === 'signable' || (state === 'signed' && !replacedBy && (trouble === 'held' || trouble === 'aborted'));
}

async function unfinishedActions(tx: WriteTransaction, origin: string): Promise<PaymentRecord[]> {
  const all = [...(await paymentsOfSite(tx, origin, 'signable')), ...(await paymentsOfSite(tx, origin, 'signed'))];
  return all.filter((one) => one.action && keepsCoins(one));
}

/** Returns the wallet's coins that an unfinished action reserves, excluding change from other withheld actions. */
export async function reservedCoins(
  tx: WriteTransaction,
  { id, signed, action }: Pick<PaymentRecord, 'id' | 'signed' | 'action'>,
): Promise<Coin[]> {
  const keys = signed?.inputs ?? action?.unsigned?.coins ?? [];
  const coins = await Promise.all(keys.map((key) => getCoin(tx, key)));
  return withoutKeptChange(
    tx,
    coins.filter((coin) => coin !== undefined).filter((coin) => coin.status === 'reserved' && coin.paymentId === id),
  );
}

async function withoutKeptChange(tx: WriteTransaction, reserved: readonly Coin[]): Promise<Coin[]> {
  const coins: Coin[] = [];
  for (const coin of reserved) {
    const maker = await idMaking(tx, coin.txid);
    const isKept = maker !== undefined && (await getLight(tx, maker))?.state === 'signed';
    if (!isKept) coins.push(coin);
  }
  return coins;
}

/**
 * Returns the satoshis that a site may still reserve. Amounts that were released unspent still count for an hour after
 * they were reserved.
 */
export async function reservableSatoshis(
  wallet: Wallet,
  tx: WriteTransaction,
  { origin, key, price }: { origin: string; key: AllowanceKey; price: string },
): Promise<bigint> {
  const allowance = await getAllowance(tx, key);
  if (!allowance) return 0n;
  let taken = await reservedRecently(tx, origin, wallet.now());
  for (const record of await unfinishedActions(tx, origin)) taken += sumOf(await reservedCoins(tx, record));
  return TIMES_ALLOWANCE * satoshisLeft(at(allowance, wallet.now()), price) - taken;
}

/** An action that awaits signatures and whose coins another payment can use. */
export interface Waiting {
  id: string;
  coins: Coin[];
}

/**
 * Returns actions that await signatures and the coins they would free, largest first.
 * @param except the site to exclude
 */
export async function waitingActions(wallet: Wallet, except?: string): Promise<Waiting[]> {
  return inTransaction(wallet, async (tx) => {
    const waiting: Waiting[] = [];
    for (const record of await paymentsIn(tx, 'signable')) {
      if (record.origin === except) continue;
      const coins = (await reservedCoins(tx, record)).filter((coin) => !mayCarryToken(coin));
      if (coins.length > 0) waiting.push({ id: record.id, coins });
    }
    return waiting.toSorted((a, b) => Number(sumOf(b.coins) - sumOf(a.coins)));
  });
}

/**
 * Returns reserved amounts by site, largest first. Reads no large records, and no records at all if no coin is
 * reserved.
 */
export async function reservedBySite(wallet: Wallet): Promise<SetAsideView[]> {
  return inTransaction(wallet, async (tx) => {
    const reserved = await coinsWith(tx, 'reserved');
    const sites = new Map<string, { satoshis: bigint; unfinished: number; givenUp: number }>();
    for (const id of new Set(reserved.flatMap(({ paymentId }) => paymentId ?? []))) {
      const record = await getLight(tx, id);
      if (!record?.action || !keepsCoins(record)) continue;
      const site = sites.get(record.origin) ?? { satoshis: 0n, unfinished: 0, givenUp: 0 };
      const coins = reserved.filter(({ paymentId }) => paymentId === id);
      site.satoshis += sumOf(await withoutKeptChange(tx, coins));
      site[record.trouble === 'aborted' ? 'givenUp' : 'unfinished'] += 1;
      sites.set(record.origin, site);
    }
    return [...sites]
      .toSorted(([, one], [, other]) => Number(other.satoshis - one.satoshis))
      .map(([origin, { satoshis, ...counts }]) => ({ origin, satoshis: satoshis.toString(), ...counts }));
  });
}
