/** Where the change of a transaction goes, so that the words find it whatever becomes of other transactions. */
import { ServiceError } from '../../../protocol/errors.ts';
import { freeAddresses, lastFound, MAX_AHEAD, reachOf } from '../coins/addresses.ts';
import type { Address } from '../coins/address.ts';
import type { Coin } from '../coins/coin.ts';
import { hasFree } from '../coins/put-address.ts';
import { database, type WriteTransaction } from '../database.ts';
import { readSettings } from '../settings.ts';
import { publicKeys } from '../vault/vault.ts';
import type { ActionPart } from './action.ts';
import type { Rival } from './replace.ts';

/** How far what applications keep from the network may go: the rest is left for the user's own payments. */
const MAX_SET_ASIDE_AHEAD = 10;

/** Addresses for change. */
export interface ChangeAddresses {
  /** At least one. */
  addresses: Address[];
  /** No address is left that an application may keep from the network: there must be no change. */
  isExhausted?: boolean;
}

/**
 * At most `pieces` addresses for change: those of the payment that is replaced, of which at most one is mined, then the
 * lowest that aren't taken. If there are none, one that the words find already, so that no payment fails by this; but what an
 * application keeps from the network goes on at the address of the change that it spends, or nowhere.
 * @param rival the payment that is replaced
 * @param inputs what is spent
 * @param isSetAside an application keeps it from the network
 * @throws ServiceError `wallet-not-set-up`
 */
export async function changeAddresses(
  pieces: number,
  rival: Rival | null,
  inputs: readonly Coin[],
  isSetAside = false,
): Promise<ChangeAddresses> {
  const before = rival ? await changeOf(rival) : [];
  const [keys, { network }] = [await publicKeys(), await readSettings()];
  const ahead = isSetAside ? MAX_SET_ASIDE_AHEAD : MAX_AHEAD;
  const missing = pieces - before.length;
  const free = missing > 0 ? await freeAddresses(keys, network, 'change', missing, ahead) : [];
  const addresses = [...before, ...free].slice(0, pieces);
  if (addresses.length > 0) return { addresses };
  if (!isSetAside) return { addresses: [(await firstFound(inputs)) ?? (await lastFound('change'))] };
  const kept = await firstFound(inputs.filter(({ status }) => status === 'pending'));
  return kept ? { addresses: [kept] } : { addresses: [await lastFound('change')], isExhausted: true };
}

/**
 * Checks that an address is left for one more transaction that an application keeps from the network: no window opens for
 * what can't be.
 * @throws ServiceError `too-many-unsent`
 */
export async function checkAddressLeft(
  tx: WriteTransaction,
  { signLater, noSend, noSendChange }: SetAside,
): Promise<void> {
  if ((!signLater && !noSend) || noSendChange.length > 0) return;
  const requested = await tx.objectStore('payments').index('state').getAll('requested');
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

/** Where the change of a replaced payment, and of those that it has replaced, was to go. */
async function changeOf({ chain }: Rival): Promise<Address[]> {
  const coins = (await database()).transaction('coins').store;
  const keys = chain.flatMap(({ signed }) => signed?.ownOutputs ?? []);
  const found = await Promise.all(keys.map((key) => coins.get(key)));
  return within(
    found.filter((coin) => coin?.chain === 'change' && coin.status !== 'spent' && coin.status !== 'reserved'),
  );
}

/** The first address of these coins that the words find. */
async function firstFound(coins: readonly Coin[]): Promise<Address | undefined> {
  return (await within(coins))[0];
}

/** The addresses of coins, each once, as far as the words find what they are paid. */
async function within(coins: readonly (Coin | undefined)[]): Promise<Address[]> {
  const db = await database();
  const found = new Map<string, Address>();
  for (const coin of coins) {
    if (!coin || coin.index > (await reachOf(coin.chain)) + MAX_AHEAD) continue;
    const address = await db.get('addresses', coin.script);
    if (address) found.set(address.script, address);
  }
  return [...found.values()];
}
