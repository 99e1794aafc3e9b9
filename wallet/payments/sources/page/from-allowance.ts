/**
 * Makes payments without a prompt. The decision is made here, but the allowance is debited only when the payment is
 * committed.
 */
import type { AllowanceKey } from '../../../allowances/allowance.ts';
import type { UserActivation } from '../../../../protocol/messages/page-messages.ts';
import { ANY_SITE, costAt, decide } from '../../../allowances/decide.ts';
import { withoutRivals } from '../../../allowances/spend.ts';
import { readAllowance } from '../../../allowances/records.ts';
import { vaultStatus } from '../../../vault/vault.ts';
import { readPrompt } from '../../../prompts/store.ts';
import { showPrompt } from '../../../prompts/show.ts';
import { promptKeyOf } from '../../start.ts';
import { commitPayment } from '../../plan/commit.ts';
import { sharesOf } from '../../network/conflicts.ts';
import { draftFromAllowance } from '../../plan/draft-from-allowance.ts';
import type { PaymentRecord } from '../../record.ts';
import { allowanceCost, allowanceKeyOf, reservesCoins } from '../../move.ts';
import { splitFor } from './split.ts';
import { isAsShown, maySwipe, type TrustedSwipe } from './trusted-swipe.ts';
import { part, type Wallet } from '../../../platform.ts';

/**
 * If the payment's prompt has not been shown yet, tries to pay from an allowance. Otherwise shows the prompt.
 * @returns the signed payment, or null if it isn't signed
 */
export async function payOrPrompt(
  wallet: Wallet,
  record: PaymentRecord,
  context: { userActivation: UserActivation; swiped?: TrustedSwipe },
): Promise<PaymentRecord | null> {
  const key = promptKeyOf(record);
  if ((await readPrompt(wallet, key))?.state === 'withheld') return payFromAllowance(wallet, record, context);
  await showPrompt(wallet, key);
  return null;
}

/**
 * Signs a requested payment whose prompt is withheld, if the site's allowance or the one for trusted swipes suffices.
 * Otherwise leaves the payment unchanged.
 * @returns the signed payment, or null if it isn't signed
 */
async function payFromAllowance(
  wallet: Wallet,
  record: PaymentRecord,
  { userActivation, swiped }: { userActivation: UserActivation; swiped?: TrustedSwipe },
): Promise<PaymentRecord | null> {
  // Tokens are never paid from allowances.
  if (record.quote.asset) return null;
  // If the recipient's key has changed or is unavailable, a third party may control the paymail, so the user must
  // decide.
  if (record.quote.outputs.some(({ host }) => host && (host.keyChangedSince !== null || host.keyUnavailable)))
    return null;
  const pay = (one: PaymentRecord) => decideAndCommit(wallet, allowanceKeyOf(one), one, userActivation, null);
  let paid = await pay(record);
  if (
    paid === 'undecided' &&
    reservesCoins(record) &&
    (await splitFor(wallet, record, async (split) => (await pay(split)) !== 'undecided'))
  )
    paid = await pay(record);
  if (paid === 'undecided' && swiped && !record.automatic && maySwipe(record) && isAsShown(record, swiped))
    paid = await decideAndCommit(wallet, ANY_SITE, record, userActivation, swiped.feeSatoshis);
  return paid === 'undecided' ? null : paid;
}

/**
 * @param feeLimit maximum fee, in satoshis, or null
 * @returns the signed payment, or null if its prompt was shown or withdrawn
 */
async function decideAndCommit(
  wallet: Wallet,
  key: AllowanceKey,
  record: PaymentRecord,
  userActivation: UserActivation,
  feeLimit: bigint | null,
): Promise<PaymentRecord | 'undecided' | null> {
  return enqueueCommit(wallet, async () => {
    const allowance = await readAllowance(wallet, key);
    if (!allowance) return 'undecided' as const;
    const first = await draftFromAllowance(wallet, { ...record, feeLimit }, allowance.currency);
    const { plan, rival } = first.draft;
    const { locked } = await vaultStatus(wallet);
    const now = wallet.now();
    const decision = decide({
      allowance: rival ? withoutRivals(allowance, sharesOf(rival.chain), now) : allowance,
      cost: costAt(allowanceCost(record, plan.feeSatoshis), first.rate),
      now,
      userActivation,
      kind: key[2],
      site: record.origin,
      locked,
    });
    if (decision.kind === 'prompt') return 'undecided' as const;
    const { id, currency } = allowance;
    return commitPayment(wallet, record, { from: { key, id, currency }, feeLimit, first });
  }).catch(() => 'undecided' as const); // after a failure, the user is prompted
}

const memoryOf = part(() => ({
  last: Promise.resolve() as Promise<unknown>,
}));

/** Runs commits from allowances one by one so that they don't compete for coins. */
function enqueueCommit<T>(wallet: Wallet, run: () => Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  const mine = memory.last.then(run, run);
  memory.last = mine.catch(() => undefined);
  return mine;
}
