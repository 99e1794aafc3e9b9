/**
 * Splits a coin of the wallet for an action that would set aside more than its site may, or the last coin: a transaction of
 * the wallet's own makes a piece that is just enough, and its fee comes out of the site's allowance.
 */
import { rateOf } from '../chain/rates.ts';
import { balance } from '../coins/store.ts';
import { inTransaction } from '../database.ts';
import { nextChange } from '../events.ts';
import { removePrompt } from '../prompts/store.ts';
import { readAllowance } from '../allowances/store.ts';
import { sumOf, takenBy, type ActionPart } from './action.ts';
import { draftPayment } from './build.ts';
import { processPayment } from './process.ts';
import { promptKeyOf, putPaymentPrompt } from './prompt.ts';
import { allowanceKeyOf, newPayment, newReport, type PaymentRecord } from './record.ts';
import { roomToSetAside, setAsideIn } from './set-aside.ts';
import { readPayment } from './transition.ts';

/** A piece is larger than what it is made for by so many satoshis: the next action may need a little more. */
const SPARE_SATOSHIS = 1000n;

/**
 * Splits a coin, if that is what an action lacks.
 * @param pay signs a payment from the site's allowance; tells whether it did
 * @returns whether there is a piece for the action now
 */
export async function splitFor(
  record: PaymentRecord,
  pay: (split: PaymentRecord) => Promise<boolean>,
): Promise<boolean> {
  const piece = await pieceFor(record).catch(() => null);
  if (piece === null) return false;
  const split = newPayment({
    requestId: `split ${crypto.randomUUID()}`,
    origin: record.origin,
    state: 'requested',
    automatic: record.automatic,
    options: { outputs: [] },
    quote: { outputs: [], amount: '0', currency: 'BSV', satoshis: 0n },
    report: newReport('none'),
    split: piece,
  });
  await inTransaction(async (tx) => {
    await tx.objectStore('payments').add(split);
    await putPaymentPrompt(tx, split, 'withheld');
  });
  if (await pay(split)) return isSent(split.id);
  await inTransaction(async (tx) => {
    const now = await tx.objectStore('payments').get(split.id);
    if (now?.state !== 'requested') return;
    await removePrompt(tx, promptKeyOf(split));
    await tx.objectStore('payments').delete(split.id);
  });
  return false;
}

/** How much a piece for an action has to hold, in satoshis; null where none would do, or none is needed. */
async function pieceFor(record: PaymentRecord): Promise<bigint | null> {
  const { origin } = record;
  const key = allowanceKeyOf(record);
  const allowance = await readAllowance(key);
  if (!allowance) return null;
  const { price } = await rateOf(allowance.currency);
  const room = await inTransaction((tx) => roomToSetAside(tx, { origin, key, price }));
  const { inputs, feeSatoshis } = (await draftPayment(record)).plan;
  const taken = inputs.filter(({ status }) => status === 'available').length;
  if (setAsideIn(inputs) <= room && (await balance()).available > taken) return null;
  const pending = sumOf(inputs.filter(({ status }) => status === 'pending'));
  const piece = takenBy(record.action as ActionPart) + feeSatoshis - pending + SPARE_SATOSHIS;
  return piece <= room ? piece : null;
}

/** Waits for the first try to give it to the network. @returns whether that has it, so that its piece can be spent */
async function isSent(id: string): Promise<boolean> {
  void processPayment(id);
  for (;;) {
    const change = nextChange(id);
    const record = await readPayment(id);
    if (record?.state !== 'signed') return record?.state === 'broadcast' || record?.state === 'settled';
    if (record.broadcast.attempts > 0) return false;
    await change;
  }
}
