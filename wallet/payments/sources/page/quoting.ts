/**
 * Stores and quotes a page's request before it becomes a payment. A request that can't be quoted isn't shown to the
 * user and leaves no record. Otherwise, a page could fill the disk with such records.
 */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { UserActivation } from '../../../../protocol/messages/page-messages.ts';
import { isAssetName } from '../../../../protocol/assets/asset-name.ts';
import type { PaymentOptions, RequestedOutput } from '../../../../protocol/payments/payment.ts';
import { inDollars, rateOf } from '../../../chain/rates.ts';
import { hasKey, inTransaction } from '../../../store/database.ts';
import { announceChange, signalChange } from '../../../events.ts';
import { promptPrepared, promptNameOf, removePrompt, promptIn, updatePrompt } from '../../../prompts/store.ts';
import type { Quote } from '../../../recipients/quote.ts';
import { resolveOutputs, dataOutput, refuseClaims } from '../../../recipients/resolve.ts';
import { readSettings } from '../../../settings.ts';
import { ANY_SITE } from '../../../allowances/decide.ts';
import { assertServiceForm, checkServiceNetwork } from '../../outbox/button-service.ts';
import { promptKeyOf, startPayment, startPrompt, newPayment } from '../../start.ts';
import { quoteWith, resolveTokens } from '../../plan/token-outputs.ts';
import type { PaymentRecord, PaymentRequest } from '../../record.ts';
import { allowanceKeyOf } from '../../move.ts';
import type { TrustedSwipe } from './trusted-swipe.ts';
import {
  addRequest,
  deletePayment,
  deleteRequest,
  hasRequest,
  paymentOfRequest,
  requestOf,
  transition,
} from '../../store.ts';
import { getAllowance } from '../../../allowances/records.ts';
import type { Wallet } from '../../../platform.ts';
import { readOperations } from '../../../crypto-operations/read.ts';
import { finishOperations, withPlaceholders, begin, showsMore } from '../../../crypto-operations/run.ts';
import { refuseUnknown, requoted, substitute } from '../../../crypto-operations/substitute.ts';
import { readAgain } from '../../../prompts/decide.ts';
import { areFinished, type Outcome } from '../../../crypto-operations/outcome.ts';

/** How a page requests a payment: automatically or not, and the user activation that the relay observed. */
export interface RequestContext {
  automatic: boolean;
  userActivation: UserActivation;
  /** The allowance that the page suggests for such payments. */
  wanted?: NonNullable<PaymentRequest['wanted']>;
  service?: string;
  /** The payment on which the user swiped in the wallet's own overlay. Never reported by a page. */
  swiped?: TrustedSwipe;
}

/**
 * Returns the payment for a request. Stores and quotes the request unless an earlier call has done so.
 * @throws ServiceError `page-gone` if the request was withdrawn, and any errors from quoting
 */
export async function quotedPayment(
  wallet: Wallet,
  origin: string,
  requestId: string,
  options: PaymentOptions,
  context: RequestContext,
): Promise<PaymentRecord> {
  const found = await findOrStore(wallet, origin, requestId, options, context);
  if ('quote' in found) return found;
  try {
    // The wallet may have been removed since the caller's check, and its removal may have missed the request.
    if (!(await hasKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
    return await makePayment(
      wallet,
      found,
      context.swiped ? { quote: context.swiped.quote, operations: null } : await quoteOf(wallet, found),
    );
  } catch (error) {
    await forget(wallet, found);
    throw error;
  }
}

/**
 * Finds or stores the request, in one database transaction. If an allowance might pay the request, its prompt doesn't
 * open a window yet. Otherwise, the prompt counts toward the window limit.
 */
async function findOrStore(
  wallet: Wallet,
  origin: string,
  requestId: string,
  options: PaymentOptions,
  { automatic, userActivation, wanted, service, swiped }: RequestContext,
): Promise<PaymentRecord | PaymentRequest> {
  const settings = await readSettings(wallet);
  return inTransaction(wallet, async (tx) => {
    const begun = await requestOf(tx, origin, requestId);
    if (begun) return begun;
    const known = await paymentOfRequest(tx, origin, requestId);
    if (known && !isRequestedAgain(known, userActivation)) return known;
    if (await promptIn(tx, { origin, message: promptNameOf(requestId) })) throw new ServiceError('request-id-reused');
    // The user must approve signing, decryption and token payments, so no allowance applies to them.
    const allowance =
      options.cryptoOperations || paysAsset(options)
        ? undefined
        : ((await getAllowance(tx, allowanceKeyOf({ origin, options, automatic }))) ??
          (swiped && (await getAllowance(tx, ANY_SITE))));
    const hasWindow = !(allowance && (automatic ? userActivation !== 'embedded' : userActivation === 'new'));
    const request: PaymentRequest = {
      id: wallet.randomUUID(),
      requestId,
      origin,
      options,
      createdAt: wallet.now(),
      automatic,
      ...(wanted && { wanted }),
      service: service ?? null,
    };
    await startPrompt(wallet, tx, request, { hasWindow, isQuoted: false, userActivation });
    if (service !== undefined) assertServiceForm(service, settings);
    if (known) await deletePayment(tx, known.id);
    await addRequest(tx, request);
    return request;
  });
}

/** True if the page was closed before the user decided, and now repeats the request with a new user gesture. */
function isRequestedAgain({ state, error }: PaymentRecord, userActivation: UserActivation): boolean {
  return userActivation === 'new' && state === 'refused' && error?.code === 'page-gone';
}

/** Quotes a request. Contacts recipients' hosts, but stores nothing. */
export async function quoteOf(
  wallet: Wallet,
  { options, origin, service }: Pick<PaymentRequest, 'options' | 'origin' | 'service'>,
): Promise<Pick<PaymentRecord, 'quote' | 'operations'>> {
  dataOutput(options.opReturn);
  const { network } = await readSettings(wallet);
  const by: Pick<Quote, 'rate'> = {};
  const { outputs, operations } = await withOperations(wallet, options, origin);
  const priceOf = async (currency: string) => {
    by.rate = await rateOf(wallet, currency);
    return by.rate.price;
  };
  const isAsset = ({ currency }: RequestedOutput) => isAssetName(currency);
  const [assets, money] = [outputs.filter(isAsset), outputs.filter((output) => !isAsset(output))];
  const [tokens, resolved] = await Promise.all([
    assets.length > 0 ? resolveTokens(wallet, assets, network, origin, service) : null,
    money.length > 0 || assets.length === 0 ? resolveOutputs(wallet, money, network, priceOf, origin, service) : null,
    service === null ? null : checkServiceNetwork(wallet, service, origin),
  ]);
  const quote = tokens ? quoteWith(outputs, resolved, tokens) : (resolved as Quote);
  refuseClaims(quote, options.opReturn);
  // Includes only money, because a token's value isn't that of the satoshi that carries it.
  const amountUsd = resolved ? await inDollars(wallet, resolved.satoshis) : null;
  return { quote: { ...quote, ...by, amountUsd }, operations };
}

/**
 * Creates the payment for a request in one database transaction, if the request still exists.
 * @throws ServiceError `page-gone`, `busy` (no window is available)
 */
async function makePayment(
  wallet: Wallet,
  request: PaymentRequest,
  quoted: Pick<PaymentRecord, 'quote' | 'operations'>,
): Promise<PaymentRecord> {
  const record = newPayment(wallet, { ...request, ...quoted, state: 'requested' });
  await inTransaction(wallet, async (tx) => {
    if (!(await hasRequest(tx, request.id))) throw new ServiceError('page-gone');
    await promptPrepared(tx, promptKeyOf(request));
    await deleteRequest(tx, request.id);
    await startPayment(wallet, tx, record);
  });
  signalChange(wallet, request.id);
  announceChange(wallet);
  return record;
}

/** Deletes a request and its prompt. Does nothing if the request has become a payment or was withdrawn. */
async function forget(wallet: Wallet, { id, origin }: PaymentRequest): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    if (!(await hasRequest(tx, id))) return;
    await deleteRequest(tx, id);
    await removePrompt(tx, promptKeyOf({ id, origin }));
  });
  signalChange(wallet, id);
  announceChange(wallet); // this frees its window slot for other requests
}

/** Returns the outputs of a request with the results of its finished operations, and placeholders for the rest. */
export async function withOperations(
  wallet: Wallet,
  options: PaymentOptions,
  origin: string,
): Promise<{ outputs: RequestedOutput[]; operations: Outcome[] | null }> {
  // Before contacting any host, rejects scripts that refer to missing operations.
  refuseUnknown(options.outputs, options.cryptoOperations ?? []);
  if (!options.cryptoOperations) return { outputs: substitute(options.outputs, []), operations: null };
  const { operations, outcomes } = await begin(wallet, options, origin);
  const outputs = substitute(options.outputs, withPlaceholders(operations, outcomes));
  return { outputs, operations: outcomes };
}

/**
 * Finishes the operations of a payment that awaits the user's decision. New contents restart the reading time.
 * @returns the updated payment
 * @throws ServiceError `approval-unknown` if it no longer awaits a decision, and those of {@link finishOperations}
 */
export async function finishInPayment(wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord> {
  const { options, operations: begun } = record;
  if (!begun || areFinished(begun)) return record;
  const operations = readOperations(wallet, options.cryptoOperations ?? []);
  const outcomes = await finishOperations(wallet, operations, begun);
  const finished = await transition(wallet, record.id, 'requested', async ({ quote }, tx) => {
    const prompt = await promptIn(tx, promptKeyOf(record));
    if (prompt && showsMore(begun)) await updatePrompt(tx, prompt, readAgain(prompt));
    return { operations: outcomes, quote: requoted(quote, options.outputs, outcomes) };
  });
  if (!finished) throw new ServiceError('approval-unknown');
  return finished;
}

/** True if an output pays an asset, in which case the user is prompted regardless of allowances. */
export function paysAsset({ outputs }: Pick<PaymentOptions, 'outputs'>): boolean {
  return outputs.some(({ currency }) => isAssetName(currency));
}
