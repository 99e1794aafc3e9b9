/**
 * Exchanges messages with relays about swipes: which buttons they can cover with a frame, and when. offers.ts explains
 * the trust between the parties.
 */
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { lookAlike } from '../../protocol/text/look-alike.ts';
import { relayMessage, type ToRelay } from '../../protocol/messages/swipe-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { ANY_SITE } from '../allowances/decide.ts';
import { readAllowance } from '../allowances/records.ts';
import type { TrustedSwipe } from '../payments/sources/page/trusted-swipe.ts';
import { countRequest } from '../request-limits/rate-limit.ts';
import { recipientOf } from '../recipients/resolve.ts';
import { readSite, isBlocked } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { offers, type ButtonRequest, type Host } from './offers.ts';
import { receipts } from './receipts.ts';
import { viewOf } from './view.ts';
import { readPayment } from '../payments/store.ts';
import { part, type Wallet } from '../platform.ts';

/** The relay of a page's document, as identified by the browser, with a function that sends it messages. */
export interface Relay extends Omit<Host, 'scale'> {
  tell(message: ToRelay): void;
}

/** The relays that have requested offers, and whether swipes were last reported to them as possible. */
const relays = part(() => new Map<object, { relay: Relay; isOn: boolean }>());

/** Notifies a document's relay, if it still exists. */
export const notifyRelay = (wallet: Wallet, client: object, message: ToRelay): void =>
  relays(wallet).get(client)?.relay.tell(message);

export interface SwipedPlan {
  swipe: TrustedSwipe;
  /** Must be called when the request has been answered. If the swipe paid, the relay can then show a receipt. */
  answered(payment: string): void;
}

/**
 * Returns the plan that was swiped for a request, only once; null if there is none.
 * @param client identifies the document, as `PageSender.client` does
 */
export function consumeSwipe(
  wallet: Wallet,
  client: object,
  options: PaymentOptions,
  service: string | null,
): SwipedPlan | null {
  const asked = { options, service };
  const taken = offers(wallet).take(client, asked);
  if (!taken) return null;
  const { id, swipe } = taken;
  return {
    swipe,
    answered: (payment) => void showPaid(wallet, client, id, payment, asked, swipe).catch(() => undefined),
  };
}

/** Offers the relay a frame with the receipt, unless a window or the site's own allowance approved the payment. */
async function showPaid(
  wallet: Wallet,
  client: object,
  id: string,
  payment: string,
  asked: ButtonRequest,
  swipe: TrustedSwipe,
): Promise<void> {
  const record = await readPayment(wallet, payment);
  const relay = relays(wallet).get(client)?.relay;
  if (record?.allowance?.key[2] !== 'any-site' || !relay) return;
  const view = await viewOf(wallet, asked, swipe);
  if (relays(wallet).has(client))
    relay.tell({ swipe: 'paid', id, secret: receipts(wallet).make({ client, tab: relay.tab, id, payment, view }) });
}

/** Handles a relay's message about its frames. @returns false for any other message */
export function serveRelay(wallet: Wallet, message: unknown, relay: Relay): boolean {
  const parsed = relayMessage.safeParse(message);
  if (!parsed.success) return false;
  const request = parsed.data;
  if (request.swipe === 'offer') {
    const { button, options, service = null, scale } = request;
    void answerOffer(wallet, relay, button, scale, { options, service }).catch(() =>
      relay.tell({ swipe: 'refused', button }),
    );
  } else if (request.swipe === 'end') offers(wallet).end(relay.client, request.id);
  else if (offers(wallet).intact(relay.client, request.id)) relay.tell({ swipe: 'swiped', id: request.id });
  return true;
}

export function removeRelay(wallet: Wallet, client: object): void {
  relays(wallet).delete(client);
  offers(wallet).gone(client);
  receipts(wallet).gone(client);
}

/** Answers a request for an offer. @throws ServiceError `too-many-requests` */
async function answerOffer(
  wallet: Wallet,
  relay: Relay,
  button: number,
  scale: number,
  asked: ButtonRequest,
): Promise<void> {
  countRequest(wallet, relay.origin);
  const known = relays(wallet).get(relay.client) ?? { relay, isOn: true };
  relays(wallet).set(relay.client, known);
  known.isOn = await isReady(wallet, relay.origin);
  if (!relays(wallet).has(relay.client)) return; // the document was unloaded
  if (!known.isOn) return relay.tell({ swipe: 'off' });
  const { client, tab, origin } = relay;
  const made = mayBeShown(asked) ? offers(wallet).make({ client, tab, origin, scale }, asked) : null;
  relay.tell(made ? { swipe: 'offered', button, ...made } : { swipe: 'refused', button });
}

/**
 * False for requests that always need a window. For all other requests, the quote determines whether a window is
 * needed.
 */
function mayBeShown({ options: { outputs, cryptoOperations } }: ButtonRequest): boolean {
  const [output, second] = outputs;
  if (!output || second || cryptoOperations || isAssetName(output.currency)) return false;
  const { type, text } = recipientOf(output);
  return type !== 'SCRIPT' && lookAlike(text) === null;
}

/**
 * True if swipes are currently possible on a site. Spending limits are checked only when paying, so they aren't
 * revealed to pages.
 */
export async function isReady(wallet: Wallet, origin: string): Promise<boolean> {
  const limits = await readAllowance(wallet, ANY_SITE);
  if (!limits || limits.isOff) return false;
  return !(await vaultStatus(wallet)).locked && !isBlocked(await readSite(wallet, origin), wallet.now());
}

/** Notifies the relays affected by locking, unlocking, blocking, and switching swipes on or off. */
export async function notifyRelays(wallet: Wallet): Promise<void> {
  for (const known of relays(wallet).values()) {
    const isOn = await isReady(wallet, known.relay.origin);
    if (isOn === known.isOn) continue;
    known.isOn = isOn;
    if (!isOn) offers(wallet).gone(known.relay.client);
    known.relay.tell({ swipe: isOn ? 'on' : 'off' });
  }
}
