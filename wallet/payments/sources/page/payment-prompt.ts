/** The prompt for a payment: computes the contents of its window, and carries out the user's decision. */
import { toWireError, ServiceError, type WireError } from '../../../../protocol/errors/service-error.ts';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import type { ApprovalView, Rate, ShownOutput } from '../../../../protocol/messages/wallet-messages.ts';
import { costAt, decide } from '../../../allowances/decide.ts';
import { allowanceRates, checkedTerms, viewOf } from '../../../allowances/allowance-store.ts';
import { readAllowance } from '../../../allowances/records.ts';
import { currenciesOf } from '../../../allowances/wanted.ts';
import { rateOrNull } from '../../../chain/rates.ts';
import { unusedAddress } from '../../../coins/addresses/addresses.ts';
import { awaitsChange } from '../../../coins/choose.ts';
import { balance } from '../../../coins/coin-store.ts';
import { finishInPayment } from './quoting.ts';
import { shownOperations } from '../../../crypto-operations/view.ts';
import { resolvePrompt, readAgain } from '../../../prompts/decide.ts';
import type { PromptKind } from '../../../prompts/kinds.ts';
import type { Prompt } from '../../../prompts/prompt.ts';
import { changePrompt } from '../../../prompts/store.ts';
import { accountAt, readSettings } from '../../../settings.ts';
import { publicKeys } from '../../../vault/vault.ts';
import { draftPayment } from '../../plan/build.ts';
import { rejectOwnInputs } from '../../plan/sign.ts';
import { shownOutputs } from './known-recipients.ts';
import { mayPayTwice } from '../../network/replace.ts';
import { signedOrFailed } from '../../runner/runner.ts';
import { appDataLocation, isFirstAppData } from '../../../app-log/backup-location.ts';
import { inputValue } from '../../action.ts';
import type { PaymentRecord } from '../../record.ts';
import { allowanceCost, allowanceKeyOf, costOf, reservesCoins, lastingError } from '../../move.ts';
import { approvedSplit, promptedReservation } from './split.ts';
import { anonymousServiceOf } from '../../outbox/report.ts';
import { type PaymentPromptDetails, startPayment } from '../../start.ts';
import { readPayment, deleteRequest, getPayment, putPayment } from '../../store.ts';
import type { Quote, QuotedAsset } from '../../../recipients/quote.ts';
import { spendableTokens } from '../../plan/token-coins.ts';
import { showsMore } from '../../../crypto-operations/run.ts';
import { cachedDraft } from '../../plan/kept-draft.ts';
import { part, type Wallet } from '../../../platform.ts';

export const paymentPrompt = part((wallet): PromptKind<PaymentPromptDetails, null, ApprovalView> => ({
  name: 'payment',
  approvedBy: 'pay',
  declined: 'refused',
  closed: 'approval-closed',

  /**
   * Computes the window's contents. The user approves the fee and the reserved amount as maximums, and accepts the
   * warning.
   */
  async view(prompt, locked) {
    let record = await paymentOf(wallet, prompt);
    let feeSatoshis: bigint | null = null;
    let aside: Pick<PaymentPromptDetails, 'setAside' | 'splitFirst' | 'takesLast'> = {};
    let twice = false;
    let problem: WireError | null = null;
    try {
      if (!locked) record = await finishInPayment(wallet, record);
      await rejectOwnInputs(wallet, record);
      const { plan } = await cachedDraft(wallet, record);
      twice = await mayPayTwice(wallet, record, plan, { isInWindow: true });
      if (reservesCoins(record)) aside = await promptedReservation(wallet, record, plan);
      feeSatoshis = plan.feeSatoshis + (aside.splitFirst?.feeSatoshis ?? 0n);
    } catch (error) {
      problem = toWireError(error);
    }
    const { details } = prompt;
    const warning = twice && { mayPayTwice: true as const };
    const { setAside, splitFirst } = aside;
    const shown = { feeSatoshis, ...(setAside && aside), ...warning };
    const isSame =
      details.feeSatoshis === feeSatoshis &&
      (details.setAside ?? 0n) === (setAside ?? 0n) &&
      details.splitFirst?.satoshis === splitFirst?.satoshis &&
      details.splitFirst?.feeSatoshis === splitFirst?.feeSatoshis &&
      details.takesLast === aside.takesLast &&
      (details.mayPayTwice ?? false) === twice;
    if (!isSame)
      await changePrompt<PaymentPromptDetails, null>(wallet, prompt, (now) => {
        if (now.window.id !== prompt.window.id) return {};
        const isMore = (twice && !now.details.mayPayTwice) || (setAside ?? 0n) > (now.details.setAside ?? 0n);
        return { details: shown, ...(isMore && readAgain(now)) };
      });
    const view = await viewOfPayment(wallet, record, feeSatoshis, problem);
    return { ...view, ...(setAside && { setAside: `${setAside}` }), ...warning };
  },

  /** @throws ServiceError `fee-changed`, `insufficient-funds` and other signing errors */
  async approve(prompt, { feeSatoshis, grant: terms }) {
    const grant = terms ? await checkedTerms(wallet, terms) : null;
    const asked = await paymentOf(wallet, prompt);
    // Allowances can't pay tokens, so a token payment can't grant one.
    if (grant && asked.quote.asset) throw new ServiceError('invalid-request');
    const record = await finishInPayment(wallet, asked);
    // The user must first read the new results.
    if (asked.operations && showsMore(asked.operations)) throw new ServiceError('too-soon');
    const latest = prompt.details.feeSatoshis;
    const seen = feeSatoshis === undefined ? null : BigInt(feeSatoshis);
    // The latest view may show a higher fee than the one that the user approved.
    const feeLimit = latest !== null && seen !== null && seen < latest ? seen : latest;
    await rejectOwnInputs(wallet, record);
    const { setAside: mostSetAside = 0n, splitFirst, takesLast, mayPayTwice: isTold } = prompt.details;
    const split = splitFirst && approvedSplit(wallet, record, splitFirst, isTold);
    // Throws early if the split can't be paid. The piece doesn't exist yet, so the action is planned without it.
    if (split) await draftPayment(wallet, split, splitFirst.feeSatoshis);
    const draft = await cachedDraft(wallet, record, feeLimit ?? undefined, split ? null : mostSetAside);
    if (!isTold && (await mayPayTwice(wallet, record, draft.plan, { isInWindow: true })))
      throw new ServiceError('too-soon'); // the user must first read the new warning
    if (feeLimit === null) throw new ServiceError('fee-changed');
    await resolvePrompt(wallet, prompt, async (tx) => {
      const now = await getPayment(tx, record.id);
      if (now?.state !== 'requested') throw new ServiceError('approval-unknown');
      const ownFee = feeLimit - (splitFirst?.feeSatoshis ?? 0n);
      const approved = { event: 'approve' as const, approvedAt: wallet.now(), grant, feeLimit: ownFee };
      const limits = {
        mostSetAside,
        ...(split && { splitFirst: split.id }),
        ...(takesLast && { mayTakeLast: takesLast }),
      };
      const action = now.action && { action: { ...now.action, ...limits } };
      if (split) await startPayment(wallet, tx, split);
      await putPayment(wallet, tx, now, { ...approved, ...(isTold && { mayPayTwice: true }), ...action });
      return null;
    });
    await signedOrFailed(wallet, record.id, split ? undefined : draft);
  },

  async record(tx, { message }, error, failed) {
    await deleteRequest(tx, message); // unquoted requests leave no record
    const record = await getPayment(tx, message);
    if (record?.state !== 'requested') return;
    await putPayment(wallet, tx, record, {
      event: failed ? 'fail' : 'refuse',
      error: lastingError(error),
      operations: null,
    });
  },
}));

async function paymentOf(wallet: Wallet, { message }: Prompt<PaymentPromptDetails, null>): Promise<PaymentRecord> {
  const record = await readPayment(wallet, message);
  if (record?.state !== 'requested') throw new ServiceError('approval-unknown');
  return record;
}

async function viewOfPayment(
  wallet: Wallet,
  record: PaymentRecord,
  feeSatoshis: bigint | null,
  problem: WireError | null,
): Promise<Omit<ApprovalView, 'origin' | 'locked' | 'network' | 'mayBlock'>> {
  const { quote, options, wanted = null } = record;
  const settings = await readSettings(wallet);
  const service = anonymousServiceOf(record, settings, await accountAt(wallet));
  const rate = await rateOrNull(wallet, settings.currency);
  const outputs = await shownOutputs(wallet, quote.outputs, settings.network);
  const rates = quote.asset ? [] : await allowanceRates(wallet, rate, wanted ? currenciesOf(wanted) : []);
  const waits = await awaitsChange(wallet, problem, totalOf(record, outputs, 0n));
  return {
    kind: 'payment',
    automatic: record.automatic,
    clientIdentifier: options.clientIdentifier ?? '',
    allowance: quote.asset ? null : await allowanceOf(wallet, record, outputs, feeSatoshis, rates),
    allowanceRates: rates,
    wanted,
    outputs,
    ...(quote.asset && { asset: await shownAsset(wallet, quote.asset, assetNameIn(quote)) }),
    data: shownData(options.opReturn),
    said: {
      label: options.label ?? null,
      buttonData: options.buttonData ?? null,
      payerNote: options.payerNote ?? null,
    },
    ...(options.choice && { choice: options.choice }),
    operations: shownOperations(wallet, options, record.operations ?? []),
    amount: quote.amount,
    currency: quote.currency,
    satoshis: quote.satoshis.toString(),
    feeSatoshis: feeSatoshis?.toString() ?? null,
    totalSatoshis: feeSatoshis === null ? null : totalOf(record, outputs, feeSatoshis).toString(),
    ...(record.action && { brought: inputValue(record.action).toString() }),
    ...(record.action && record.action.version > 1 && { hasChangeableId: true }),
    ...(keepsAppData(record) && (await isFirstAppData(wallet)) && { appDataKept: await appDataLocation(wallet) }),
    rate,
    quotedRate: quote.currency === 'BSV' ? null : (quote.rate ?? null),
    ...(service !== null && { reportedTo: new URL(service).host }),
    balanceSatoshis: (await balance(wallet)).satoshis.toString(),
    problem,
    ...(waits && { awaitsChange: true }),
    receiveAddress:
      problem?.code === 'insufficient-funds' && !waits
        ? (await unusedAddress(wallet, await publicKeys(wallet), settings.network, 'receive')).address
        : null,
  };
}

const assetNameIn = ({ outputs }: Quote) => outputs.find(({ token }) => token)?.currency ?? '';

/** Returns the paid asset and the wallet's balance of it. */
async function shownAsset(
  wallet: Wallet,
  { namedBy, ...asset }: QuotedAsset,
  name: string,
): Promise<NonNullable<ApprovalView['asset']>> {
  const coins = await spendableTokens(wallet, asset.id);
  return {
    ...asset,
    name,
    ...(namedBy !== null && { namedBy: new URL(namedBy).host }),
    held: coins.reduce((sum, { amt }) => sum + amt, 0n).toString(),
    word: coins.every(({ record }) => record?.verdict?.word === 'chain') ? asset.word : 'index',
  };
}

/** True if the application stores data with the payment that a restore from the recovery words would lose. */
function keepsAppData({ action }: PaymentRecord): boolean {
  return action !== undefined && (action.labels.length > 0 || action.outputs.some(({ basket }) => basket !== null));
}

/** Returns the satoshis that leave the wallet: only the fee if all outputs are the user's own. */
function totalOf(record: PaymentRecord, outputs: readonly ShownOutput[], fee: bigint): bigint {
  if (record.action) return costOf(record, fee);
  return (outputs.every(({ own }) => own) ? 0n : record.quote.satoshis) + fee;
}

/** The reasons that the window gives for an insufficient allowance. */
const SHORTS = ['too-much-at-once', 'used-up', 'above-ceiling', 'rate-moved'] as const;

/** Returns the allowance that applies to the payment, and the reason if it is insufficient. */
async function allowanceOf(
  wallet: Wallet,
  record: PaymentRecord,
  outputs: readonly ShownOutput[],
  fee: bigint | null,
  known: readonly Rate[],
): Promise<ApprovalView['allowance']> {
  const allowance = await readAllowance(wallet, allowanceKeyOf(record));
  if (!allowance) return null;
  const rate =
    known.find(({ currency }) => currency === allowance.currency) ?? (await rateOrNull(wallet, allowance.currency));
  // An automatic payment to the user's own addresses is debited in full, although the window shows only the fee as its
  // cost. Therefore, the window doesn't report that the allowance is insufficient.
  const isToUser = !record.action && outputs.every(({ own }) => own);
  const cost = rate && fee !== null ? costAt(isToUser ? fee : allowanceCost(record, fee), rate) : null;
  const decision = decide({
    allowance,
    cost,
    now: wallet.now(),
    userActivation: 'new',
    kind: record.automatic ? 'automatic' : 'swipe',
    site: record.origin,
    locked: false,
  });
  const short = decision.kind === 'prompt' ? (SHORTS.find((one) => one === decision.reason) ?? null) : null;
  return { ...viewOf(wallet, allowance), short };
}

function shownData(opReturn: string | undefined): ApprovalView['data'] {
  if (opReturn === undefined || opReturn === '') return null;
  const bytes = new TextEncoder().encode(opReturn);
  return { text: opReturn, hex: toHex(bytes), bytes: bytes.length };
}
