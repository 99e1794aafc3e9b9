/** Payments that nobody is asked about: decided here, and debited where they are committed. */
import type { AllowanceKey } from '../allowances/allowance.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';
import { ANY_SITE } from '../allowances/any-site.ts';
import { costAt, decide } from '../allowances/decide.ts';
import { withoutRivals } from '../allowances/spend.ts';
import { readAllowance } from '../allowances/store.ts';
import { readPrompt } from '../prompts/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { commitPayment } from './commit.ts';
import { sharesOf } from './conflicts.ts';
import { draftFromAllowance } from './draft-from-allowance.ts';
import { promptKeyOf } from './prompt.ts';
import { allowanceCost, allowanceKeyOf, type PaymentRecord } from './record.ts';
import { setsAside } from './set-aside.ts';
import { splitFor } from './split.ts';
import { isAsShown, maySwipe, type TrustedSwipe } from './trusted-swipe.ts';

/**
 * Signs a requested payment whose prompt is withheld, paid from its site's allowance, or from the one for trusted swipes,
 * if there is one and it has room; else leaves it as it is.
 */
export async function payFromAllowance(
  record: PaymentRecord,
  { userActivation, swiped }: { userActivation: UserActivation; swiped?: TrustedSwipe },
): Promise<void> {
  if ((await readPrompt(promptKeyOf(record)))?.state !== 'withheld') return;
  // No allowance is for tokens.
  if (record.quote.asset) return;
  // Another key than before, or one that is kept from us: somebody else may have the paymail now. That is for the user
  // to see.
  if (record.quote.outputs.some(({ host }) => host && (host.keyChangedSince !== null || host.keyUnavailable))) return;
  const pay = (one: PaymentRecord) => paidFrom(allowanceKeyOf(one), one, userActivation, null);
  if (await pay(record)) return;
  if (setsAside(record) && (await splitFor(record, pay)) && (await pay(record))) return;
  if (swiped && !record.automatic && maySwipe(record) && isAsShown(record, swiped))
    await paidFrom(ANY_SITE, record, userActivation, swiped.feeSatoshis);
}

/**
 * @param feeLimit the most that the fee may be (satoshis), or null for whatever it has to be
 * @returns whether it is decided: signed, or withdrawn meanwhile
 */
async function paidFrom(
  key: AllowanceKey,
  record: PaymentRecord,
  userActivation: UserActivation,
  feeLimit: bigint | null,
): Promise<boolean> {
  if (!(await readAllowance(key))) return false;
  return oneAfterTheOther(async () => {
    const allowance = await readAllowance(key);
    if (!allowance) return false;
    const first = await draftFromAllowance({ ...record, feeLimit }, allowance.currency);
    const { plan, rival } = first.draft;
    const { locked } = await vaultStatus();
    const now = Date.now();
    const decision = decide({
      allowance: withoutRivals(allowance, sharesOf(rival?.chain ?? []), now),
      cost: costAt(allowanceCost(record, plan.feeSatoshis), first.rate),
      now,
      userActivation,
      kind: key[2],
      site: record.origin,
      locked,
    });
    if (decision.kind === 'ask') return false;
    const { id, currency } = allowance;
    await commitPayment(record, { from: { key, id, currency }, feeLimit, first });
    return true;
  }).catch(() => false); // what cannot be paid without asking, the user is asked about
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs commits from allowances one after the other, so that they do not fight for coins. That they never spend more
 * than the user allowed is not held by this but by the transaction that debits.
 */
export function oneAfterTheOther<T>(run: () => Promise<T>): Promise<T> {
  const mine = last.then(run, run);
  last = mine.catch(() => undefined);
  return mine;
}
