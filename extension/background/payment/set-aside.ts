/**
 * What sites set aside: the wallet's coins that are reserved for actions which wait for an application's signatures, or
 * which it keeps from the network. Such an action costs a fee of some satoshis, and takes whole coins from the user.
 */
import type { SetAsideView } from '../../../protocol/wallet-messages.ts';
import { at, type AllowanceKey } from '../allowances/allowance.ts';
import { satoshisLeft } from '../allowances/ceiling.ts';
import { NOTHING, type BalanceTotals } from '../coins/balance-totals.ts';
import { isKeptApart, type Coin } from '../coins/coin.ts';
import { inTransaction, type WriteTransaction } from '../database.ts';
import { lightPayment } from '../light-payment.ts';
import { recentlySetAside } from '../sites/store.ts';
import { sumOf, type ActionPart } from './action.ts';
import type { PaymentRecord } from './record.ts';

/** A site sets aside at most so many times what its allowance has left. */
const TIMES_ALLOWANCE = 3n;

/** An action that the user approves sets aside at most so many times the total that its window shows. */
export const TIMES_SHOWN = 3n;

/** Does it keep coins of the wallet until its application goes on? */
export const setsAside = ({ action }: { action?: Pick<ActionPart, 'signLater' | 'noSend'> | undefined }): boolean =>
  action !== undefined && (action.signLater || action.noSend);

/** What coins that an action spends set aside, in satoshis. Change of the site's own kept actions is so already. */
export const setAsideIn = (inputs: readonly Coin[]): bigint =>
  sumOf(inputs.filter(({ status }) => status !== 'pending'));

/** Is it an unfinished action that keeps coins? One that was given up does until something takes its place. */
function keepsCoins({ state, trouble, replacedBy }: PaymentRecord): boolean {
  return state === 'signable' || (state === 'signed' && !replacedBy && (trouble === 'held' || trouble === 'aborted'));
}

/** Unfinished actions of a site that keep coins of the wallet. */
async function unfinishedActions(tx: WriteTransaction, origin: string): Promise<PaymentRecord[]> {
  const site = tx.objectStore('payments').index('site');
  const all = [...(await site.getAll([origin, 'signable'])), ...(await site.getAll([origin, 'signed']))];
  return all.filter((one) => one.action && keepsCoins(one));
}

/** The wallet's coins that an unfinished action reserves, without change of another kept action. */
export async function reservedCoins(
  tx: WriteTransaction,
  { id, signed, action }: Pick<PaymentRecord, 'id' | 'signed' | 'action'>,
): Promise<Coin[]> {
  const keys = signed?.inputs ?? action?.unsigned?.coins ?? [];
  const coins = await Promise.all(keys.map((key) => tx.objectStore('coins').get(key)));
  return withoutKeptChange(
    tx,
    coins.filter((coin) => coin !== undefined).filter((coin) => coin.status === 'reserved' && coin.paymentId === id),
  );
}

async function withoutKeptChange(tx: WriteTransaction, reserved: readonly Coin[]): Promise<Coin[]> {
  const coins: Coin[] = [];
  for (const coin of reserved) {
    const maker = await tx.objectStore('payments').index('txid').getKey(coin.txid);
    const isKept = maker !== undefined && (await lightPayment<PaymentRecord>(tx, maker))?.state === 'signed';
    if (!isKept) coins.push(coin);
  }
  return coins;
}

/**
 * How much more a site may set aside by its allowance, in satoshis. What it has set aside and not spent counts for an hour,
 * so that giving up and beginning again keeps no more.
 */
export async function roomToSetAside(
  tx: WriteTransaction,
  { origin, key, price }: { origin: string; key: AllowanceKey; price: string },
): Promise<bigint> {
  const allowance = await tx.objectStore('allowances').get(key);
  if (!allowance) return 0n;
  let taken = await recentlySetAside(tx, origin, Date.now());
  for (const record of await unfinishedActions(tx, origin)) taken += sumOf(await reservedCoins(tx, record));
  return TIMES_ALLOWANCE * satoshisLeft(at(allowance, Date.now()), price) - taken;
}

/** Whether a coin is left that can be spent. An action never sets aside the last one, unless it needs all there is. */
export async function hasCoins(tx: WriteTransaction): Promise<boolean> {
  return (((await tx.objectStore('totals').get('coins')) as BalanceTotals | undefined) ?? NOTHING).available > 0;
}

/** A waiting action whose coins another payment may take. */
interface Waiting {
  id: string;
  coins: Coin[];
}

/**
 * Actions that wait for their application's signatures, with the coins that they would free; those with most first.
 * @param except the site whose own are left alone
 */
export async function waitingActions(except?: string): Promise<Waiting[]> {
  return inTransaction(async (tx) => {
    const waiting: Waiting[] = [];
    for (const record of await tx.objectStore('payments').index('state').getAll('signable')) {
      if (record.origin === except) continue;
      const coins = (await reservedCoins(tx, record)).filter((coin) => !isKeptApart(coin));
      if (coins.length > 0) waiting.push({ id: record.id, coins });
    }
    return waiting.toSorted((a, b) => Number(sumOf(b.coins) - sumOf(a.coins)));
  });
}

/** What each site has set aside, most first. Reads no payments where no coin is reserved, and no large ones whole. */
export async function setAsideBySite(): Promise<SetAsideView[]> {
  return inTransaction(async (tx) => {
    const reserved = await tx.objectStore('coins').index('status').getAll('reserved');
    const sites = new Map<string, { satoshis: bigint; unfinished: number; givenUp: number }>();
    for (const id of new Set(reserved.flatMap(({ paymentId }) => paymentId ?? []))) {
      const record = await lightPayment<PaymentRecord>(tx, id);
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
