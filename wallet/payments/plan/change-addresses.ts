/**
 * Chooses change addresses that a restore from the recovery words finds, even if other transactions are never mined.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { freeAddresses, lastFound, MAX_AHEAD, reachOf } from '../../coins/addresses/addresses.ts';
import type { Address } from '../../coins/addresses/address.ts';
import type { Coin } from '../../coins/coin.ts';
import { hasFree, getAddress } from '../../coins/addresses/records.ts';
import { database, type WriteTransaction, readTransaction } from '../../store/database.ts';
import { readSettings } from '../../settings.ts';
import { publicKeys } from '../../vault/vault.ts';
import type { ActionPart } from '../action.ts';
import type { ReplacementTarget } from '../network/replace.ts';
import { lightIn, paymentMaking, paymentsMaking } from '../store.ts';
import { readCoins, getCoin } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';
import { isOnNetwork } from '../move.ts';

/**
 * The equivalent of `MAX_AHEAD` for applications' unbroadcast actions. It is lower, to leave some addresses for the
 * user.
 */
const MAX_SET_ASIDE_AHEAD = 10;

export interface ChangeAddresses {
  /** At least one address. */
  addresses: Address[];
  /**
   * True if applications' unbroadcast transactions have used up their share of addresses, in which case there must be
   * no change.
   */
  isExhausted?: boolean;
}

/**
 * Returns up to `pieces` change addresses. First reuses the replaced payment's addresses, because at most one of the
 * two payments is mined, then takes the lowest free ones. If none is free, reuses an address within the gap limit
 * instead of failing the payment. A withheld action reuses the address of the change that it spends, or must have no
 * change.
 * @param rival the replaced payment
 * @param inputs the coins to spend
 * @param isSetAside true if an application withholds the transaction from the network
 * @throws ServiceError `wallet-not-set-up`
 */
export async function changeAddresses(
  wallet: Wallet,
  pieces: number,
  rival: ReplacementTarget | null,
  inputs: readonly Coin[],
  isSetAside = false,
): Promise<ChangeAddresses> {
  const before = rival ? await changeOf(wallet, rival) : [];
  const [keys, { network }] = [await publicKeys(wallet), await readSettings(wallet)];
  const ahead = isSetAside ? MAX_SET_ASIDE_AHEAD : MAX_AHEAD;
  const missing = pieces - before.length;
  const free = missing > 0 ? await freeAddresses(wallet, keys, network, 'change', missing, ahead) : [];
  const addresses = [...before, ...free].slice(0, pieces);
  if (addresses.length > 0) return { addresses };
  if (!isSetAside) return { addresses: [(await firstFound(wallet, inputs)) ?? (await lastFound(wallet, 'change'))] };
  const kept = await firstFound(
    wallet,
    inputs.filter(({ status }) => status === 'pending'),
  );
  return kept ? { addresses: [kept] } : { addresses: [await lastFound(wallet, 'change')], isExhausted: true };
}

/**
 * Checks, before a window opens, that a change address is left for an application's next unbroadcast transaction.
 * @throws ServiceError `too-many-unsent`
 */
export async function checkAddressLeft(
  wallet: Wallet,
  tx: WriteTransaction,
  { signLater, noSend, noSendChange }: SetAside,
): Promise<void> {
  if ((!signLater && !noSend) || noSendChange.length > 0) return;
  const requested = await lightIn(tx, 'requested');
  const others = requested.filter(({ action }) => action && (action.signLater || action.noSend));
  if (!(await hasFree(wallet, tx, 'change', others.length + 1, MAX_SET_ASIDE_AHEAD)))
    throw new ServiceError('too-many-unsent');
}

type SetAside = Pick<ActionPart, 'signLater' | 'noSend' | 'noSendChange'>;

/**
 * Checks that there is an address for the change of an application's withheld transaction.
 * @throws ServiceError `too-many-unsent`
 */
export function checkChange({ isExhausted }: ChangeAddresses, { changeIndexes }: { changeIndexes: number[] }): void {
  if (isExhausted && changeIndexes.length > 0) throw new ServiceError('too-many-unsent');
}

async function changeOf(wallet: Wallet, { chain }: ReplacementTarget): Promise<Address[]> {
  const keys = chain.flatMap(({ signed }) => signed?.ownOutputs ?? []);
  const found = await readCoins(wallet, keys);
  return within(
    wallet,
    found.filter((coin) => coin?.chain === 'change' && coin.status !== 'spent' && coin.status !== 'reserved'),
  );
}

async function firstFound(wallet: Wallet, coins: readonly Coin[]): Promise<Address | undefined> {
  return (await within(wallet, coins))[0];
}

/** Returns the distinct addresses of the coins, if they are within the gap limit. */
async function within(wallet: Wallet, coins: readonly (Coin | undefined)[]): Promise<Address[]> {
  const found = new Map<string, Address>();
  for (const coin of coins) {
    if (!coin || coin.index > (await reachOf(wallet, coin.chain)) + MAX_AHEAD) continue;
    const address = await getAddress(readTransaction(await database(wallet)), coin.script);
    if (address) found.set(address.script, address);
  }
  return [...found.values()];
}

/**
 * Returns the change coins of a site's unbroadcast actions that another action of the site can spend. The transactions
 * that create the coins must be accepted, on their way to the network, or withheld.
 * @param outpoints the change's outpoints
 * @throws ServiceError `unusable-input` if a coin is spent, or its transaction was given up, refused or replaced
 */
export async function withheldChange(tx: WriteTransaction, outpoints: readonly string[]): Promise<Coin[]> {
  const coins: Coin[] = [];
  for (const key of outpoints) {
    const coin = await getCoin(tx, key);
    const isThere = coin?.status === 'available' || (coin?.status === 'pending' && (await isComing(tx, coin)));
    if (!isThere) throw new ServiceError('unusable-input', { detail: 'the change is spent or missing' });
    coins.push(coin);
  }
  return coins;
}

async function isComing(tx: WriteTransaction, { txid }: Pick<Coin, 'txid'>): Promise<boolean> {
  const maker = await paymentMaking(tx, txid);
  return maker !== undefined && !maker.replacedBy && (maker.trouble === 'held' || maker.trouble === null);
}

/**
 * Rejects an action that spends an output of one of the wallet's transactions that the network doesn't have, unless
 * that transaction is from the same site and is broadcast together with the action.
 * @throws ServiceError `unusable-input`
 */
export async function refuseUnknown(tx: WriteTransaction, origin: string, outpoints: readonly string[]): Promise<void> {
  for (const txid of new Set(outpoints.map((key) => key.slice(0, 64)))) {
    const makers = await paymentsMaking(tx, txid);
    if (makers.length === 0 || makers.some(isOnNetwork)) continue;
    if (!makers.some((one) => one.origin === origin && one.state === 'signed') || !(await isComing(tx, { txid })))
      throw new ServiceError('unusable-input', { detail: 'the network does not have the input’s transaction' });
  }
}
