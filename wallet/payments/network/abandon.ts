/**
 * Actions that spend none of the user's money and that the network doesn't have. They can be neither replaced nor
 * canceled, so the user ends them: the wallet gives up their outputs and no longer watches them. A block may still
 * contain one, because its application has the bytes; its debit is never refunded, and it is watched again once the
 * index shows it.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { outputsAt } from '../../baskets/outputs.ts';
import { outpoint } from '../../coins/coin.ts';
import { inTransaction, type WriteTransaction } from '../../store/database.ts';
import { announceChange, signalChange } from '../../events.ts';
import { letGo, voidOutputs } from './conflicts.ts';
import { reinstate } from './reorg.ts';
import type { PaymentRecord, SignedPart } from '../record.ts';
import { isAbandoned, isLive } from '../move.ts';
import { getLight, getPayment, idsSpendingOutputs, idsUnfinished, paymentsMaking, putPayment } from '../store.ts';
import { hasCoin } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';

type Actions = Map<string, PaymentRecord>;

const partOf = ({ signed }: PaymentRecord) => signed as SignedPart;
const makersOf = (record: PaymentRecord) => partOf(record).inputs.map((key) => key.slice(0, 64));

/** Whether the network may not have it. One without trouble may wait for another that the network doesn't have. */
function isStuck(record: PaymentRecord): boolean {
  const { action, trouble, state, height, replacedBy } = record;
  if (!action || !isLive(record) || height !== null || replacedBy) return false;
  return trouble === null ? state === 'signed' : trouble !== 'slow';
}

/**
 * The actions that can be ended this way, within a larger transaction: those that spend only their application's inputs
 * and one another's change, and whose outputs no other payment spends.
 * @param origin of one site; null for all sites
 */
async function abandonable(tx: WriteTransaction, origin: string | null): Promise<Actions> {
  const actions: Actions = new Map();
  for (const id of await idsUnfinished(tx)) {
    const light = await getLight(tx, id);
    if (!light || (origin !== null && light.origin !== origin) || !isStuck(light)) continue;
    actions.set(id, (await getPayment(tx, id)) as PaymentRecord);
  }
  for (let size = -1; size !== actions.size;) {
    size = actions.size;
    const txids = new Set([...actions.values()].map((one) => partOf(one).txid));
    for (const record of [...actions.values()])
      if (!(await spendsNothing(tx, record, txids)) || (await isSpent(tx, record, actions))) actions.delete(record.id);
  }
  return actions;
}

/** Whether it spends no coin of the wallet other than outputs of these transactions. */
async function spendsNothing(
  tx: WriteTransaction,
  record: PaymentRecord,
  txids: ReadonlySet<string>,
): Promise<boolean> {
  if (record.trouble === null && !makersOf(record).some((txid) => txids.has(txid))) return false;
  const given = givenTo(record);
  for (const key of partOf(record).inputs) {
    if (given.has(key) || txids.has(key.slice(0, 64))) continue;
    if (await hasCoin(tx, key)) return false;
  }
  return true;
}

const givenTo = ({ action }: PaymentRecord) => new Set(action?.inputs.map(({ txid, vout }) => outpoint(txid, vout)));

/** Whether a payment that isn't one of these spends an output of it. */
async function isSpent(tx: WriteTransaction, record: PaymentRecord, actions: Actions): Promise<boolean> {
  const { txid } = partOf(record);
  for (const id of await idsSpendingOutputs(tx, txid)) {
    if (actions.has(id)) continue;
    const spender = await getLight(tx, id);
    if (spender && isLive(spender)) return true;
  }
  return false;
}

/** The selected ones, with those that depend on them or that they depend on. */
function withRelated(actions: Actions, isWanted: (record: PaymentRecord) => boolean): PaymentRecord[] {
  const all = [...actions.values()];
  const related = new Set(all.filter(isWanted));
  const areRelated = (one: PaymentRecord, other: PaymentRecord) => makersOf(one).includes(partOf(other).txid);
  for (const record of related)
    for (const other of all) if (areRelated(record, other) || areRelated(other, record)) related.add(other);
  return [...related];
}

/** Ends those of a site's actions that are selected, within a larger transaction. @returns their number */
export async function abandon(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  isWanted: (record: PaymentRecord) => boolean,
): Promise<number> {
  const ending = withRelated(await abandonable(tx, origin), isWanted);
  const { code, message } = new ServiceError('action-ended');
  for (const record of ending)
    await putPayment(wallet, tx, record, { event: 'abandon', trouble: 'aborted', error: { code, message } });
  for (const record of ending) {
    const given = givenTo(record);
    for (const key of partOf(record).inputs)
      if (!given.has(key) || (await outputsAt(tx, key)).length > 0) await letGo(wallet, tx, key, record.id);
  }
  // Now none of them spends another's output.
  for (const record of ending) {
    await voidOutputs(wallet, tx, record);
    signalChange(wallet, record.id);
  }
  return ending.length;
}

/**
 * Ends one for the user, with those that depend on it.
 * @throws ServiceError `approval-unknown` (it can't be ended, or no longer)
 */
export async function abandonOne(wallet: Wallet, id: string): Promise<void> {
  const ended = await inTransaction(wallet, async (tx) => {
    const record = await getPayment(tx, id);
    return record ? abandon(wallet, tx, record.origin, (one) => one.id === id) : 0;
  });
  if (ended === 0) throw new ServiceError('approval-unknown');
  announceChange(wallet);
}

/** Whether the user can end a payment this way. */
export async function isAbandonable(
  wallet: Wallet,
  { id, origin }: Pick<PaymentRecord, 'id' | 'origin'>,
): Promise<boolean> {
  return inTransaction(wallet, async (tx) => (await abandonable(tx, origin)).has(id));
}

export async function abandonableBySite(wallet: Wallet): Promise<Map<string, number>> {
  const sites = new Map<string, number>();
  const actions = await inTransaction(wallet, (tx) => abandonable(tx, null));
  for (const { origin } of actions.values()) sites.set(origin, (sites.get(origin) ?? 0) + 1);
  return sites;
}

/**
 * Watches an ended one again within a larger transaction, with those whose outputs it spends, because the network seems
 * to have it. Doesn't broadcast it.
 * @returns whether there was one
 */
export async function watchAgain(wallet: Wallet, tx: WriteTransaction, txid: string): Promise<boolean> {
  const record = (await paymentsMaking(tx, txid)).find(isAbandoned);
  if (!record) return false;
  await reinstate(wallet, tx, record);
  signalChange(wallet, record.id);
  return true;
}
