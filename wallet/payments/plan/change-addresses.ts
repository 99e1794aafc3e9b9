/**
 * Chooses the addresses of a transaction's change so that the recovery words find it, regardless of other transactions.
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
import type { Rival } from '../network/replace.ts';
import { paymentsIn, paymentMaking, paymentsMaking } from '../store.ts';
import { readCoins, getCoin } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';
import { isOnNetwork } from '../move.ts';

/** Maximum addresses ahead for unbroadcast actions of applications. The rest is for the user's payments. */
const MAX_SET_ASIDE_AHEAD = 10;

export interface ChangeAddresses {
  /** At least one. */
  addresses: Address[];
  /** No address is left for unbroadcast transactions of applications, so there must be no change. */
  isExhausted?: boolean;
}

/**
 * At most `pieces` addresses for change: those of the replaced payment, since at most one of the two is mined, then the
 * lowest free ones. If there are none, an address that the words find already, so that no payment fails for lack of
 * one. Unbroadcast change of an application reuses the address of the change that it spends, or is left out.
 * @param rival the payment that is replaced
 * @param inputs the coins that are spent
 * @param isSetAside an application keeps it from the network
 * @throws ServiceError `wallet-not-set-up`
 */
export async function changeAddresses(
  wallet: Wallet,
  pieces: number,
  rival: Rival | null,
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
 * Checks that an address is left for one more unbroadcast transaction of an application, because no window opens for
 * one that can't be made.
 * @throws ServiceError `too-many-unsent`
 */
export async function checkAddressLeft(
  tx: WriteTransaction,
  { signLater, noSend, noSendChange }: SetAside,
): Promise<void> {
  if ((!signLater && !noSend) || noSendChange.length > 0) return;
  const requested = await paymentsIn(tx, 'requested');
  const others = requested.filter(({ action }) => action && (action.signLater || action.noSend));
  if (!(await hasFree(tx, 'change', others.length + 1, MAX_SET_ASIDE_AHEAD))) throw new ServiceError('too-many-unsent');
}

type SetAside = Pick<ActionPart, 'signLater' | 'noSend' | 'noSendChange'>;

/**
 * Checks that change which an application keeps from the network has an address.
 * @throws ServiceError `too-many-unsent`
 */
export function checkChange({ isExhausted }: ChangeAddresses, { changeIndexes }: { changeIndexes: number[] }): void {
  if (isExhausted && changeIndexes.length > 0) throw new ServiceError('too-many-unsent');
}

/** The change addresses of a replaced payment, and of those that it has replaced. */
async function changeOf(wallet: Wallet, { chain }: Rival): Promise<Address[]> {
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

/** The addresses of coins, each once, if the words find them. */
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
 * The coins of change of a site's unbroadcast actions, while another action of the site can spend them: their
 * transaction is withheld, on its way to the network or there.
 * @param outpoints of change
 * @throws ServiceError `unusable-input`, if one is spent, or its transaction was given up, refused or replaced
 */
export async function keptChange(tx: WriteTransaction, outpoints: readonly string[]): Promise<Coin[]> {
  const coins: Coin[] = [];
  for (const key of outpoints) {
    const coin = await getCoin(tx, key);
    const isThere = coin?.status === 'available' || (coin?.status === 'pending' && (await isComing(tx, coin)));
    if (!isThere) throw new ServiceError('unusable-input', { detail: 'the change is gone' });
    coins.push(coin);
  }
  return coins;
}

async function isComing(tx: WriteTransaction, { txid }: Pick<Coin, 'txid'>): Promise<boolean> {
  const maker = await paymentMaking(tx, txid);
  return maker !== undefined && !maker.replacedBy && (maker.trouble === 'held' || maker.trouble === null);
}

/**
 * Rejects an action that spends an output of another transaction of the wallet which the network doesn't have, unless
 * that one is of the same site and is sent with it.
 * @throws ServiceError `unusable-input`
 */
export async function refuseUnknown(tx: WriteTransaction, origin: string, outpoints: readonly string[]): Promise<void> {
  for (const txid of new Set(outpoints.map((key) => key.slice(0, 64)))) {
    const makers = await paymentsMaking(tx, txid);
    if (makers.length === 0 || makers.some(isOnNetwork)) continue;
    if (!makers.some((one) => one.origin === origin && one.state === 'signed') || !(await isComing(tx, { txid })))
      throw new ServiceError('unusable-input', { detail: 'the network does not have what makes it' });
  }
}
