/**
 * Ends payments that spend none of the user's money and that the network doesn't have: actions that spend only their
 * application's inputs, and payments that spend only coins of incoming transactions that have disappeared from the
 * network, including transfers of an asset. They can't be replaced or canceled, so the wallet voids their outputs and
 * stops watching them. An ended payment can still be mined, because others have its bytes. The allowance debit is never
 * refunded, and the wallet watches the payment again once the index lists it.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { outputsAt } from '../../baskets/outputs.ts';
import { mayCarryToken, outpoint } from '../../coins/coin.ts';
import { inTransaction, type WriteTransaction } from '../../store/database.ts';
import { announceChange, signalChange } from '../../events.ts';
import { reinstateReplaced, releaseCoins, voidOutputs } from './conflicts.ts';
import { reinstate } from './reorg.ts';
import type { LightPayment, PaymentRecord, SignedPart } from '../record.ts';
import { isAbandoned, isLive } from '../move.ts';
import { getLight, getPayment, idsSpendingOutputs, idsUnfinished, paymentsMaking, putPayment } from '../store.ts';
import { hasCoin } from '../../coins/records.ts';
import { isFailed } from '../../coins/gone.ts';
import type { Wallet } from '../../platform.ts';

type Actions = Map<string, PaymentRecord>;

const partOf = ({ signed }: PaymentRecord) => signed as SignedPart;
const makersOf = (record: PaymentRecord) => partOf(record).inputs.map((key) => key.slice(0, 64));

/**
 * True if the network may not have the payment. A `signed` payment without trouble may be waiting for a parent that the
 * network hasn't accepted. A mint doesn't end, because the next request would then mint a second token.
 */
function isStuck(record: LightPayment): boolean {
  const { trouble, state, height, replacedBy, asset } = record;
  if (asset?.mint || !isLive(record) || height !== null || replacedBy) return false;
  return trouble === null ? state === 'signed' : trouble !== 'slow';
}

/**
 * Returns the payments that the user can end: those that spend only missing money, their application's inputs and one
 * another's change, if no other payment spends their outputs. Runs within the caller's database transaction.
 * @param origin the actions' site; null for all sites
 */
async function abandonable(wallet: Wallet, tx: WriteTransaction, origin: string | null): Promise<Actions> {
  const actions: Actions = new Map();
  for (const id of await idsUnfinished(tx)) {
    const light = await getLight(tx, id);
    if (!light || (origin !== null && light.origin !== origin) || !isStuck(light)) continue;
    actions.set(id, (await getPayment(tx, id)) as PaymentRecord);
  }
  const { parents, heirs } = relations(actions);
  const txids = new Set([...actions.values()].map((one) => partOf(one).txid));
  const removed: PaymentRecord[] = [];
  const remove = (record: PaymentRecord) => actions.delete(record.id) && removed.push(record);
  for (const record of [...actions.values()])
    if (!(await spendsNothing(tx, record, txids)) || (await isSpent(wallet, tx, record, actions))) remove(record);
  // Only related payments are checked again, because a site can have a thousand actions.
  for (const record of removed) {
    txids.delete(partOf(record).txid);
    for (const parent of parents(record)) remove(parent);
    for (const heir of heirs(record)) if (actions.has(heir.id) && !(await spendsNothing(tx, heir, txids))) remove(heir);
  }
  return actions;
}

/** Returns functions that list a payment's parents, and the payments that spend its outputs, among `actions`. */
function relations(actions: Actions) {
  const group = (keysOf: (record: PaymentRecord) => string[]) => {
    const groups = new Map<string, Set<PaymentRecord>>();
    for (const one of actions.values())
      for (const key of keysOf(one)) groups.set(key, (groups.get(key) ?? new Set()).add(one));
    return groups;
  };
  const makers = group((one) => [partOf(one).txid]);
  const spenders = group(makersOf);
  return {
    parents: (one: PaymentRecord) => [...new Set(makersOf(one))].flatMap((txid) => [...(makers.get(txid) ?? [])]),
    heirs: (one: PaymentRecord) => [...(spenders.get(partOf(one).txid) ?? [])],
  };
}

/**
 * True if a payment spends only missing money, inputs added by its application, and outputs of the given transactions.
 * Assets may be spent with missing money, because no cancellation can return them without other money. A sweep must
 * spend one of the wallet's coins. A restore can't find the coins of other sweeps, so the wallet keeps those sweeps.
 */
async function spendsNothing(
  tx: WriteTransaction,
  record: PaymentRecord,
  txids: ReadonlySet<string>,
): Promise<boolean> {
  if (record.trouble === null && !makersOf(record).some((txid) => txids.has(txid))) return false;
  const given = givenTo(record);
  const { inputs, inputSatoshis } = partOf(record);
  let [hasMissing, hasAsset, hasOwn] = [false, false, false];
  for (const [i, key] of inputs.entries()) {
    if (given.has(key)) continue;
    if (record.sweep) hasOwn ||= await hasCoin(tx, key);
    if (txids.has(key.slice(0, 64)) || (await isFailed(tx, key.slice(0, 64)))) hasMissing = true;
    else if (record.action && !(await hasCoin(tx, key))) continue;
    else if (mayCarryToken({ satoshis: inputSatoshis[i] as bigint })) hasAsset = true;
    else return false;
  }
  return (hasMissing || !hasAsset) && (hasOwn || !record.sweep);
}

const givenTo = ({ action }: PaymentRecord) => new Set(action?.inputs.map(({ txid, vout }) => outpoint(txid, vout)));

/** True if a live payment other than the given actions spends an output of the action. */
async function isSpent(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  actions: Actions,
): Promise<boolean> {
  const { txid } = partOf(record);
  for (const id of await idsSpendingOutputs(wallet, tx, txid)) {
    if (actions.has(id)) continue;
    const spender = await getLight(tx, id);
    if (spender && isLive(spender)) return true;
  }
  return false;
}

/** Returns the selected actions with their ancestors and descendants among `actions`. */
function withRelated(actions: Actions, isWanted: (record: PaymentRecord) => boolean): PaymentRecord[] {
  const { parents, heirs } = relations(actions);
  const related = new Set([...actions.values()].filter(isWanted));
  for (const record of related) for (const other of [...parents(record), ...heirs(record)]) related.add(other);
  return [...related];
}

/**
 * Ends the selected payments of a site or of all sites (`origin` null), within the caller's database transaction.
 * @returns the number of ended payments
 */
export async function abandon(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string | null,
  isWanted: (record: PaymentRecord) => boolean,
): Promise<number> {
  const ending = withRelated(await abandonable(wallet, tx, origin), isWanted);
  const { code, message } = new ServiceError('action-ended');
  for (const record of ending)
    await putPayment(wallet, tx, record, { event: 'abandon', trouble: 'aborted', error: { code, message } });
  for (const record of ending) {
    const given = givenTo(record);
    const held = [];
    for (const key of partOf(record).inputs)
      if (!given.has(key) || (await outputsAt(tx, key)).length > 0) held.push(key);
    await releaseCoins(wallet, tx, held, record.id);
  }
  // All inputs have been released, so none of the payments spends another's output any longer.
  const touched = new Set(ending.map(({ id }) => id));
  for (const record of ending) {
    await voidOutputs(wallet, tx, record);
    await reinstateReplaced(wallet, tx, record, touched);
  }
  for (const id of touched) signalChange(wallet, id);
  return ending.length;
}

/**
 * Ends a payment and its related payments at the user's request.
 * @throws ServiceError `approval-unknown` if it can't be ended
 */
export async function abandonOne(wallet: Wallet, id: string): Promise<void> {
  const ended = await inTransaction(wallet, (tx) => abandon(wallet, tx, null, (one) => one.id === id));
  if (ended === 0) throw new ServiceError('approval-unknown');
  announceChange(wallet);
}

/** True if the user can end the payment without a cancellation. */
export async function isAbandonable(wallet: Wallet, id: string): Promise<boolean> {
  return inTransaction(wallet, async (tx) => (await abandonable(wallet, tx, null)).has(id));
}

export async function abandonableBySite(wallet: Wallet): Promise<Map<string, number>> {
  const sites = new Map<string, number>();
  const actions = await inTransaction(wallet, (tx) => abandonable(wallet, tx, null));
  for (const { action, origin } of actions.values()) if (action) sites.set(origin, (sites.get(origin) ?? 0) + 1);
  return sites;
}

/**
 * Watches an ended action and its ended ancestors again, within the caller's database transaction, because the network
 * seems to have it. Broadcasts nothing.
 * @returns true if there was such an action
 */
export async function watchAgain(wallet: Wallet, tx: WriteTransaction, txid: string): Promise<boolean> {
  const record = (await paymentsMaking(tx, txid)).find(isAbandoned);
  if (!record) return false;
  await reinstate(wallet, tx, record);
  signalChange(wallet, record.id);
  return true;
}
