/**
 * Splits a coin for an action that would otherwise reserve the last coin, or more than its site is allowed to. A
 * separate transaction creates a piece that is just large enough. The user approves the split's fee, or the site's
 * allowance is debited.
 */
import { ServiceError, toWireError } from '../../../../protocol/errors/service-error.ts';
import { rateOf } from '../../../chain/rates.ts';
import type { Coin } from '../../../coins/coin.ts';
import { balance } from '../../../coins/coin-store.ts';
import { inTransaction } from '../../../store/database.ts';
import { removePrompt } from '../../../prompts/store.ts';
import { readAllowance } from '../../../allowances/records.ts';
import { netOutputValue, type ActionPart } from '../../action.ts';
import { sumOf } from '../../../transaction/plan.ts';
import { draftPayment } from '../../plan/build.ts';
import type { Draft } from '../../plan/draft.ts';
import { isBroadcast } from '../../runner/runner.ts';
import { promptKeyOf, putPaymentPrompt, type SplitFirst, ownPayment, startPayment } from '../../start.ts';
import type { PaymentRecord } from '../../record.ts';
import { allowanceKeyOf, costOf } from '../../move.ts';
import { reservableSatoshis, newlyReserved, TIMES_SHOWN } from '../../set-aside.ts';
import { deletePayment, getPayment } from '../../store.ts';
import type { Wallet } from '../../../platform.ts';

/** Satoshis added to a piece, because the action's next plan may cost slightly more. */
const SPARE_SATOSHIS = 1000n;

/**
 * Splits a coin if an action needs a piece.
 * @param pay signs a payment from the site's allowance; returns whether it was signed
 * @returns true if the piece is available
 */
export async function splitFor(
  wallet: Wallet,
  record: PaymentRecord,
  pay: (split: PaymentRecord) => Promise<boolean>,
): Promise<boolean> {
  const piece = await pieceFor(wallet, record).catch(() => null);
  if (piece === null) return false;
  const split = newSplit(wallet, record, { state: 'requested', split: piece });
  await inTransaction(wallet, async (tx) => {
    await putPaymentPrompt(wallet, tx, split, 'withheld');
    await startPayment(wallet, tx, split);
  });
  if (await pay(split)) return isBroadcast(wallet, split.id);
  await inTransaction(wallet, async (tx) => {
    const now = await getPayment(tx, split.id);
    if (now?.state !== 'requested') return;
    await removePrompt(tx, promptKeyOf(split));
    await deletePayment(tx, split.id);
  });
  return false;
}

/** Returns the size of the piece that an action needs, in satoshis, or null if a piece is useless or unnecessary. */
async function pieceFor(wallet: Wallet, record: PaymentRecord): Promise<bigint | null> {
  const { origin } = record;
  const key = allowanceKeyOf(record);
  const allowance = await readAllowance(wallet, key);
  if (!allowance) return null;
  const { price } = await rateOf(wallet, allowance.currency);
  const room = await inTransaction(wallet, (tx) => reservableSatoshis(wallet, tx, { origin, key, price }));
  const { inputs, feeSatoshis } = (await draftPayment(wallet, record)).plan;
  const setAside = newlyReserved(inputs);
  // If the action reserves no coin, a piece is useless even if earlier reservations exceed the limit.
  if (setAside === 0n || (setAside <= room && !(await takesLast(wallet, inputs)))) return null;
  const piece = enoughFor(record, inputs, feeSatoshis);
  return piece > 0n && piece <= room ? piece : null;
}

const newSplit = (
  wallet: Wallet,
  { origin, automatic }: PaymentRecord,
  given: Pick<PaymentRecord, 'state' | 'split'> & Partial<PaymentRecord>,
): PaymentRecord => ownPayment(wallet, 'split', { origin, automatic, approvedAt: null, ...given });

async function takesLast(wallet: Wallet, inputs: readonly Coin[]): Promise<boolean> {
  return (await balance(wallet)).available <= inputs.filter(({ status }) => status === 'available').length;
}

/** Returns the size of the piece that an action needs for its outputs and this fee, in satoshis. */
function enoughFor({ action }: PaymentRecord, inputs: readonly Coin[], fee: bigint): bigint {
  const pending = sumOf(inputs.filter(({ status }) => status === 'pending'));
  return netOutputValue(action as ActionPart) + fee - pending + SPARE_SATOSHIS;
}

/** The amount that an action reserves once the user approves its window. */
interface PromptedSetAside {
  setAside: bigint;
  splitFirst?: SplitFirst;
  takesLast?: true;
}

/**
 * Plans the amount that an action reserves after a prompt: at most a small multiple of the total shown in its window.
 * The last coins are reserved only if no coin can be split.
 * @param plan the action's plan without a split
 * @throws ServiceError `insufficient-funds` (no coin can be split), and those of {@link draftPayment}
 */
export async function promptedReservation(
  wallet: Wallet,
  record: PaymentRecord,
  { inputs, feeSatoshis }: Draft['plan'],
): Promise<PromptedSetAside> {
  const setAside = newlyReserved(inputs);
  const isTooMuch = setAside > TIMES_SHOWN * costOf(record, feeSatoshis) + SPARE_SATOSHIS;
  const isLast = setAside > 0n && (await takesLast(wallet, inputs));
  if (!isTooMuch && !isLast) return { setAside };
  const piece = enoughFor(record, inputs, feeSatoshis);
  try {
    const { plan } = await draftPayment(wallet, newSplit(wallet, record, { state: 'requested', split: piece }));
    if (piece > 0n && piece < setAside && plan.changeIndexes.length > 0)
      return { setAside: piece, splitFirst: { satoshis: piece, feeSatoshis: plan.feeSatoshis } };
  } catch (error) {
    if (toWireError(error).code !== 'insufficient-funds') throw error;
  }
  if (isTooMuch) throw new ServiceError('insufficient-funds');
  return { setAside, takesLast: true };
}

/**
 * Creates the split that is approved with an action.
 * @param mayPayTwice set if the window warned of a double payment
 */
export function approvedSplit(
  wallet: Wallet,
  record: PaymentRecord,
  { satoshis, feeSatoshis }: SplitFirst,
  mayPayTwice?: true,
): PaymentRecord {
  const warning = mayPayTwice && { mayPayTwice };
  return newSplit(wallet, record, {
    state: 'approved',
    approvedAt: wallet.now(),
    split: satoshis,
    feeLimit: feeSatoshis,
    ...warning,
  });
}
