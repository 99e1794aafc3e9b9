/**
 * Commits a payment in one database transaction: checks and debits the allowance, reserves the coins, and stores the
 * signed bytes, the wallet's outputs and the deliveries to recipients' hosts. If two payments chose the same coin, the
 * second one is planned again.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import type { Debit, FromAllowance } from '../../allowances/allowance.ts';
import { debit, grant } from '../../allowances/spend.ts';
import { reserveOutput } from '../../baskets/outputs.ts';
import { cachedPrice } from '../../chain/rates.ts';
import { outpoint } from '../../coins/coin.ts';
import { refuseBlocked } from '../../sites/store.ts';
import { storeUnsigned, storeSigned, refuseOnNetwork } from './store-signed.ts';
import { deliveriesOf } from '../outbox/deliver.ts';
import { endWaiting } from '../network/give-up.ts';
import { withheldChange, refuseUnknown } from './change-addresses.ts';
import { noteAgreed, rememberPaymails } from '../../paymail/known.ts';
import type { WriteTransaction } from '../../store/database.ts';
import { unsignedTransaction } from '../../transaction/sign.ts';
import { unlocksItself } from '../../transaction/unlocks.ts';
import { accountAt, readSettings } from '../../settings.ts';
import { randomId, promptIn, removePrompt } from '../../prompts/store.ts';
import { draftPayment } from './build.ts';
import type { Draft } from './draft.ts';
import { isOwnInput, signDraft, signPlan, type SignedDraft } from './sign.ts';
import { rivalsOf, sharesOf, voidOutputs } from '../network/conflicts.ts';
import { draftFromAllowance, type DraftFromAllowance } from './draft-from-allowance.ts';
import type { PaymentRecord, ServiceReport } from '../record.ts';
import { allowanceCost, allowanceKeyOf, isLive, reservesCoins } from '../move.ts';
import { isKnown } from '../network/on-network.ts';
import { paysTwice } from '../network/replace.ts';
import { promptKeyOf } from '../start.ts';
import { buttonServiceOf } from '../outbox/report.ts';
import { reservableSatoshis, newlyReserved } from '../set-aside.ts';
import { transition, getPayment, putPayment } from '../store.ts';
import { NOT_TRIED } from '../retry.ts';
import { isUsedSince } from '../../coins/addresses/records.ts';
import { getReceipt } from '../../coins/receipts/receipts.ts';
import { getCoin, hasCoins, changeCoin } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';

const MAX_TRIES = 20;

/**
 * Thrown if the coins, the limits or the payment to replace have changed since the draft. The payment is planned again.
 */
class DraftOutdated extends Error {}
/** Thrown if the prompt of a payment from an allowance was shown or withdrawn. This call then doesn't sign it. */
class PromptClosed extends Error {}

/** The allowance, fee limit and first draft of a payment without a prompt. */
export interface WithoutPrompt {
  from: FromAllowance;
  /** Maximum fee, in satoshis; null for no limit. */
  feeLimit: bigint | null;
  first: DraftFromAllowance;
}

/**
 * Signs an approved payment and stores it as `signed`. With `withoutPrompt`, signs a requested payment whose prompt is
 * withheld. If an application must also sign, reserves the coins, makes the debit, and stores the payment as
 * `signable`.
 * @param planned the transaction, if it was just planned. Everything that can change is checked again when it is
 * stored
 * @returns the payment, or null if it is no longer in the expected state
 * @throws ServiceError `wallet-locked`, `insufficient-funds`, `amount-too-many-coins`, `fee-changed`,
 * `network-unavailable`, `busy` (the coins changed during each of 20 tries), `not-paid` (it might repeat an earlier
 * payment, and the user was not warned); for a payment from an allowance also `not-paid` (it exceeds the allowance),
 * `rate-unavailable`, `site-blocked`
 */
export async function commitPayment(
  wallet: Wallet,
  requested: PaymentRecord,
  withoutPrompt?: WithoutPrompt,
  planned?: Draft,
): Promise<PaymentRecord | null> {
  if (withoutPrompt && requested.quote.asset)
    throw new ServiceError('not-paid', { detail: 'tokens need the user’s decision' });
  const record = withoutPrompt
    ? { ...requested, feeLimit: withoutPrompt.feeLimit, approvedAt: wallet.now() }
    : requested;
  const settings = await readSettings(wallet);
  const priceThen = await cachedPrice(wallet);
  const service = buttonServiceOf(record, settings);
  const isByAccount = service !== null && service === (await accountAt(wallet));
  const first = withoutPrompt?.first ?? (planned && { draft: planned, rate: null });
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { draft, rate } = first && tries === 0 ? first : await newDraft(wallet, record, withoutPrompt);
    const deliveries = deliveriesOf(record.quote);
    const signed = await signUnlessDeferred(wallet, draft, record, deliveries.length > 0, service);
    try {
      return await transition(
        wallet,
        record.id,
        withoutPrompt ? 'requested' : 'approved',
        async ({ grant: terms, quote }, tx) => {
          if (withoutPrompt) await closeWithheld(tx, record);
          if (record.action) await refuseBlocked(wallet, tx, record.origin);
          if (!record.mayPayTwice && (await paysTwice(wallet, tx, record, draft.plan)))
            throw new ServiceError('not-paid', { detail: 'the payment might be made twice' });
          const replacement = await markReplaced(wallet, tx, draft, record);
          await refuseSettingAside(
            wallet,
            tx,
            draft,
            record,
            withoutPrompt && rate ? { ...withoutPrompt.from, price: rate.price } : null,
          );
          const allowance = withoutPrompt
            ? await debitAllowance(wallet, tx, record, withoutPrompt.from, { draft, rate }, replacement)
            : null;
          const token = terms && (await grant(wallet, tx, allowanceKeyOf(record), terms, randomId(wallet)));
          await reserveInputs(wallet, tx, draft, record);
          const mayTakeLast =
            !reservesCoins(record) || newlyReserved(draft.plan.inputs) === 0n || record.action?.mayTakeLast;
          if (!mayTakeLast && !(await hasCoins(tx)))
            throw new ServiceError(withoutPrompt ? 'not-paid' : 'insufficient-funds', {
              detail: 'it would set aside all coins',
            });
          await rememberPaymails(
            wallet,
            tx,
            quote.outputs.flatMap(({ host }) => host ?? []),
          );
          noteAgreed(wallet, record.origin);
          const agreed = {
            ...(priceThen && { priceThen }),
            approvedAt: record.approvedAt,
            feeLimit: record.feeLimit,
            allowance,
            token,
            deliveries,
            ...replacement,
          };
          if (!signed) return { ...agreed, ...(await storeUnsigned(wallet, tx, draft, record)) };
          return {
            ...agreed,
            ...(await storeSigned(wallet, tx, { ...record, ...replacement }, draft, signed)),
            serviceReport: newServiceReport(service, signed.serviceProof, isByAccount ? 'by-account' : 'waiting'),
          };
        },
      );
    } catch (error) {
      if (error instanceof PromptClosed) return null;
      if (!(error instanceof DraftOutdated)) throw error;
    }
  }
  throw new ServiceError('busy');
}

/**
 * Signs the draft. Returns null if an application signs first.
 * @throws ServiceError `wallet-locked`, `unusable-input` (the application has unlocked an input with an invalid
 * signature, an input is the wallet's own, or the network has the transaction), `network-unavailable`
 */
async function signUnlessDeferred(
  wallet: Wallet,
  draft: Draft,
  record: PaymentRecord,
  toHosts: boolean,
  service: string | null,
): Promise<SignedDraft | null> {
  const { action } = record;
  if (!action) return signDraft(wallet, draft, record, toHosts, service);
  if (action.signLater) return null;
  if (!action.inputs.every(unlocksItself(unsignedTransaction(draft.plan)))) throw new ServiceError('unusable-input');
  const signed = await signPlan(wallet, draft.plan);
  if (draft.plan.inputs.length === 0) await refuseOnNetwork(wallet, signed.txid);
  for (const input of action.inputs) if (await isOwnInput(wallet, input)) throw new ServiceError('unusable-input');
  return signed;
}

async function debitAllowance(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  from: FromAllowance,
  { draft, rate }: { draft: Draft; rate: Rate | null },
  { group }: Pick<PaymentRecord, 'group'>,
): Promise<Debit> {
  const satoshis = allowanceCost(record, draft.plan.feeSatoshis);
  const rivals = sharesOf(await rivalsOf(tx, { id: record.id, group }));
  return debit(wallet, tx, from, { site: record.origin, satoshis, rate }, rivals);
}

function newServiceReport(
  service: string | null,
  proof: string | null,
  state: 'by-account' | 'waiting',
): ServiceReport | null {
  return service !== null && proof !== null ? { service, proof, state, ...NOT_TRIED } : null;
}

/** Plans the transaction to sign. For a payment from an allowance, also returns the debit's exchange rate. */
async function newDraft(
  wallet: Wallet,
  record: PaymentRecord,
  withoutPrompt: WithoutPrompt | undefined,
): Promise<{ draft: Draft; rate: Rate | null }> {
  if (withoutPrompt) return draftFromAllowance(wallet, record, withoutPrompt.from.currency);
  if (record.feeLimit === null) throw new ServiceError('fee-changed');
  return {
    draft: await draftPayment(wallet, record, record.feeLimit, { mostSetAside: record.action?.mostSetAside }),
    rate: null,
  };
}

/** Removes a withheld prompt. @throws PromptClosed if it was shown to the user or withdrawn */
async function closeWithheld(tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  const key = promptKeyOf(record);
  if ((await promptIn(tx, key))?.state !== 'withheld') throw new PromptClosed();
  await removePrompt(tx, key);
}

/**
 * Checks that the draft doesn't reserve more coins than the site may reserve.
 * @param from the allowance that pays; null if the user approves
 * @throws DraftOutdated if it does
 */
async function refuseSettingAside(
  wallet: Wallet,
  tx: WriteTransaction,
  { plan }: Draft,
  record: PaymentRecord,
  from: (FromAllowance & { price: string }) | null,
): Promise<void> {
  if (!reservesCoins(record)) return;
  const satoshis = newlyReserved(plan.inputs);
  if (satoshis === 0n) return;
  const { origin, action } = record;
  const most = from ? await reservableSatoshis(wallet, tx, { origin, ...from }) : (action?.mostSetAside ?? 0n);
  if (satoshis > most) throw new DraftOutdated();
}

/** Marks the payment to replace as replaced by the new one, if it is unchanged since the draft was made. */
async function markReplaced(
  wallet: Wallet,
  tx: WriteTransaction,
  { rival }: Draft,
  { id, replaces }: PaymentRecord,
): Promise<Pick<PaymentRecord, 'group' | 'replaces' | 'rival'>> {
  if (!rival) return {};
  const anchor = rival.anchor.outpoint;
  let spender: string | null = null;
  for (const before of rival.chain) {
    const now = await getPayment(tx, before.id);
    if (
      !now ||
      !isLive(now) ||
      now.trouble !== before.trouble ||
      now.state !== before.state ||
      now.replacedBy !== before.replacedBy
    )
      throw new DraftOutdated();
    await voidOutputs(wallet, tx, now);
    if (now.rival && (await getReceipt(tx, now.rival))?.spends?.includes(anchor)) spender = now.rival;
    const isLast = !now.replacedBy || now.id === replaces;
    await putPayment(wallet, tx, now, {
      ...(isLast && { replacedBy: id }),
      ...(now.id === rival.record.id && { group: rival.chain.length === 1 ? anchor : (now.group ?? anchor) }),
    });
  }
  return { replaces: rival.record.id, group: anchor, ...(spender && { rival: spender }) };
}

async function reserveInputs(
  wallet: Wallet,
  tx: WriteTransaction,
  { plan, change, rival, ends }: Draft,
  record: PaymentRecord,
): Promise<void> {
  const { id: paymentId, origin, action } = record;
  if (ends && !(await endWaiting(wallet, tx, ends))) throw new DraftOutdated();
  const kept = new Set(action?.noSendChange);
  await withheldChange(tx, [...kept]);
  const replaced = new Set(rival?.chain.map(({ id }) => id));
  for (const { outpoint: key } of plan.inputs) {
    const coin = await getCoin(tx, key);
    const isTheirs =
      typeof coin?.paymentId === 'string' &&
      replaced.has(coin.paymentId) &&
      (coin.status === 'reserved' || coin.status === 'spent') &&
      (await isKnown(tx, coin));
    const isKept = coin?.status === 'pending' && kept.has(key);
    if (!coin || (coin.status !== 'available' && !isTheirs && !isKept)) throw new DraftOutdated();
    await changeCoin(tx, coin, { event: 'reserve', paymentId });
  }
  const given = plan.given ?? [];
  await refuseUnknown(
    tx,
    origin,
    given.map(({ txid, vout }) => outpoint(txid, vout)),
  );
  for (const { txid, vout } of given)
    if (!(await reserveOutput(wallet, tx, outpoint(txid, vout), record)))
      throw new ServiceError('unusable-input', { detail: 'another payment is spending an input' });
  if (await isUsedSince(tx, change)) throw new DraftOutdated();
}
