/**
 * A page's request before it is a payment: stored first, then quoted. What cannot be quoted never comes before the user
 * and leaves nothing: a page could fill the disk with it.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';
import { isAssetName } from '../../../protocol/asset-name.ts';
import type { PaymentOptions, RequestedOutput } from '../../../protocol/payment.ts';
import { inDollars, rateOf } from '../chain/rates.ts';
import { inTransaction } from '../database.ts';
import { announceChange, signalChange } from '../events.ts';
import { checkPromptLimits, promptPrepared } from '../prompts/limits.ts';
import { promptNameOf } from '../prompts/same-options.ts';
import { removePrompt } from '../prompts/store.ts';
import type { Quote } from '../recipients/quote.ts';
import { resolveOutputs } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { ANY_SITE } from '../allowances/any-site.ts';
import { refuseBlocked } from '../sites/store.ts';
import { dataOutput, refuseClaims } from './build.ts';
import { assertServiceForm, checkServiceNetwork } from './button-service.ts';
import { withOperations } from './operations.ts';
import { promptKeyOf, putPaymentPrompt } from './prompt.ts';
import { paysAsset, quoteWith, resolveTokens } from './token-outputs.ts';
import { dropOldest } from './prune.ts';
import { allowanceKeyOf, newPayment, type PaymentRecord, type PaymentRequest } from './record.ts';
import type { TrustedSwipe } from './trusted-swipe.ts';

/** How a page asks: to pay by itself, or with a person's hand as the relay saw it. */
export interface Manner {
  automatic: boolean;
  userActivation: UserActivation;
  /** What it would like an allowance for such payments to be. */
  wanted?: NonNullable<PaymentRequest['wanted']>;
  /** The service that its button belongs to, as the page says. */
  service?: string;
  /** A person swiped in the wallet's own surface, over exactly this. Never what a page says. */
  swiped?: TrustedSwipe;
}

/**
 * The payment of a request, which is stored and quoted now unless it was before.
 * @throws ServiceError what keeps it from being quoted; `page-gone` (it was withdrawn meanwhile)
 */
export async function quotedPayment(
  origin: string,
  requestId: string,
  options: PaymentOptions,
  manner: Manner,
): Promise<PaymentRecord> {
  const found = await findOrStore(origin, requestId, options, manner);
  if ('quote' in found) return found;
  try {
    return await makePayment(
      found,
      manner.swiped ? { quote: manner.swiped.quote, operations: null } : await quoteOf(found),
    );
  } catch (error) {
    await forget(found);
    throw error;
  }
}

/**
 * Finds or stores the request, in one database transaction. One that may be paid from an allowance needs no window yet;
 * any other takes its place among the windows here.
 */
async function findOrStore(
  origin: string,
  requestId: string,
  options: PaymentOptions,
  { automatic, userActivation, wanted, service, swiped }: Manner,
): Promise<PaymentRecord | PaymentRequest> {
  const settings = await readSettings();
  return inTransaction(async (tx) => {
    const [requests, payments] = [tx.objectStore('requests'), tx.objectStore('payments')];
    const begun = await requests.index('request').get([origin, requestId]);
    if (begun) return begun;
    const known = await payments.index('request').get([origin, requestId]);
    if (known && !isRequestedAgain(known, userActivation)) return known;
    if (await tx.objectStore('prompts').get([origin, promptNameOf(requestId)]))
      throw new ServiceError('request-id-reused');
    // What is signed or decrypted for a page, the user looks at: no allowance is for that.
    // Nor is one for tokens, which it says nothing of.
    const allowance =
      options.cryptoOperations || paysAsset(options)
        ? undefined
        : ((await tx.objectStore('allowances').get(allowanceKeyOf({ origin, options, automatic }))) ??
          (swiped && (await tx.objectStore('allowances').get(ANY_SITE))));
    const asking = !(allowance && (automatic ? userActivation !== 'embedded' : userActivation === 'new'));
    await (asking ? checkPromptLimits(tx, origin, userActivation) : refuseBlocked(tx, origin));
    if (service !== undefined) assertServiceForm(service, settings);
    if (known) await payments.delete(known.id);
    const request: PaymentRequest = {
      id: crypto.randomUUID(),
      requestId,
      origin,
      options,
      createdAt: Date.now(),
      automatic,
      ...(wanted && { wanted }),
      service: service ?? null,
    };
    await requests.add(request);
    await putPaymentPrompt(tx, request, asking ? 'preparing' : 'withheld');
    await dropOldest(tx, origin);
    return request;
  });
}

/** A page that was left while it asked comes back, and a person swipes again: that is a new wish under the old id. */
function isRequestedAgain({ state, error }: PaymentRecord, userActivation: UserActivation): boolean {
  return userActivation === 'new' && state === 'refused' && error?.code === 'page-gone';
}

/** What it comes to now. Asks hosts of recipients, and stores nothing. */
export async function quoteOf({
  options,
  origin,
  service,
}: Pick<PaymentRequest, 'options' | 'origin' | 'service'>): Promise<Pick<PaymentRecord, 'quote' | 'operations'>> {
  dataOutput(options.opReturn);
  const { network } = await readSettings();
  const by: Pick<Quote, 'rate'> = {};
  const { outputs, operations } = await withOperations(options, origin);
  const priceOf = async (currency: string) => {
    by.rate = await rateOf(currency);
    return by.rate.price;
  };
  const isAsset = ({ currency }: RequestedOutput) => isAssetName(currency);
  const [assets, money] = [outputs.filter(isAsset), outputs.filter((output) => !isAsset(output))];
  const [tokens, resolved] = await Promise.all([
    assets.length > 0 ? resolveTokens(assets, network, origin, service) : null,
    money.length > 0 || assets.length === 0 ? resolveOutputs(money, network, priceOf, origin, service) : null,
    service === null ? null : checkServiceNetwork(service, origin),
  ]);
  const quote = tokens ? quoteWith(outputs, resolved, tokens) : (resolved as Quote);
  refuseClaims(quote, options.opReturn);
  // A token's satoshi is not its worth.
  const amountUsd = resolved ? await inDollars(resolved.satoshis) : null;
  return { quote: { ...quote, ...by, amountUsd }, operations };
}

/**
 * Makes the payment of a request that is still there, in one database transaction.
 * @throws ServiceError `page-gone`, `busy` (no window is free for it any more)
 */
async function makePayment(
  request: PaymentRequest,
  quoted: Pick<PaymentRecord, 'quote' | 'operations'>,
): Promise<PaymentRecord> {
  const record = newPayment({ ...request, ...quoted, state: 'requested' });
  await inTransaction(async (tx) => {
    if (!(await tx.objectStore('requests').getKey(request.id))) throw new ServiceError('page-gone');
    await promptPrepared(tx, promptKeyOf(request));
    await tx.objectStore('requests').delete(request.id);
    await tx.objectStore('payments').add(record);
  });
  signalChange(request.id);
  announceChange();
  return record;
}

/** Takes a request out of the store with its prompt. Does nothing once it is a payment, or has been withdrawn. */
async function forget({ id, origin }: PaymentRequest): Promise<void> {
  await inTransaction(async (tx) => {
    if (!(await tx.objectStore('requests').getKey(id))) return;
    await tx.objectStore('requests').delete(id);
    await removePrompt(tx, promptKeyOf({ id, origin }));
  });
  signalChange(id);
  announceChange(); // its place among the windows is free
}
