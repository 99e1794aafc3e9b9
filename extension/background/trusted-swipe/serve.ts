/**
 * The two ports of a trusted swipe: a relay's, which asks for offers, and that of the frame which the relay made. Who may
 * say what: offers.ts.
 */
import browser, { type Runtime } from 'webextension-polyfill';
import { ServiceError } from '../../../protocol/errors.ts';
import type { PaymentOptions } from '../../../protocol/payment.ts';
import {
  frameMessage,
  relayMessage,
  type SwipeView,
  type ToFrame,
  type ToRelay,
} from '../../../protocol/swipe-messages.ts';
import { ANY_SITE } from '../allowances/any-site.ts';
import { readAllowance } from '../allowances/store.ts';
import { rateOrNull } from '../chain/rates.ts';
import { planSwipe } from '../payment/plan-swipe.ts';
import type { TrustedSwipe } from '../payment/trusted-swipe.ts';
import { randomId } from '../prompts/window.ts';
import { takeRequest } from '../rate-limit.ts';
import { recipientOf } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { isBlocked } from '../sites/site.ts';
import { readSite } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { createOffers, PLAN_LIFE_MS, type Asked, type Host } from './offers.ts';

/** What is shown is planned anew so often (milliseconds): before it is too old to be swiped over. */
const RENEW_MS = PLAN_LIFE_MS / 2;

const offers = createOffers(randomId, Date.now);
/** The port of each document's relay, by the object that stands for it. */
const relays = new WeakMap<object, (message: ToRelay) => void>();

/**
 * What a request was swiped over, if it was: once.
 * @param client stands for the document, as in its requests
 */
export function takeSwipe(client: object, options: PaymentOptions, service: string | null): TrustedSwipe | null {
  return offers.take(client, { options, service });
}

/**
 * Takes a message of a relay about its frames.
 * @param relay its document: the origin as the browser names it, and a port to answer by
 * @returns false where it is no such message
 */
export function serveRelay(
  message: unknown,
  { client, tab, origin, tell }: Omit<Host, 'scale'> & { tell: (message: ToRelay) => void },
): boolean {
  const parsed = relayMessage.safeParse(message);
  if (!parsed.success) return false;
  const said = parsed.data;
  if (said.swipe === 'offer') {
    relays.set(client, tell);
    const { button, options, service = null, scale } = said;
    void offer({ client, tab, origin, scale }, { options, service }).then(
      (made) => made && tell({ swipe: 'offered', button, ...made }),
      () => undefined, // the page's own track is there
    );
  } else if (said.swipe === 'intact') tellSwiped(client, offers.intact(client, said.id));
  else offers.end(client, said.id);
  return true;
}

/** A relay's document is gone. */
export const relayGone = (client: object): void => offers.gone(client);

function tellSwiped(client: object, id: string | null): void {
  if (id !== null) relays.get(client)?.({ swipe: 'swiped', id });
}

async function offer(host: Host, asked: Asked): Promise<{ id: string; secret: string } | null> {
  takeRequest(host.origin);
  if (!mayBeShown(asked) || !(await isReady(host.origin))) return null;
  return offers.make(host, asked);
}

/** What takes a window by its form alone is never covered. What its quote shows, the plan finds out. */
function mayBeShown({ options: { outputs, cryptoOperations } }: Asked): boolean {
  const [output, second] = outputs;
  return output !== undefined && second === undefined && !cryptoOperations && recipientOf(output).type !== 'SCRIPT';
}

/** May anything be paid by a swipe now? Limits are looked at when it is paid: a page must not find out about them. */
async function isReady(origin: string): Promise<boolean> {
  const limits = await readAllowance(ANY_SITE);
  if (!limits || limits.isOff) return false;
  return !(await vaultStatus()).locked && !isBlocked(await readSite(origin), Date.now());
}

/** Is this our own page for it, in a frame of a page that a person sees? */
function isSwipeFrame(
  sender: Runtime.MessageSender | undefined,
): sender is Runtime.MessageSender & { tab: { id: number } } {
  if (sender?.id !== browser.runtime.id || !sender.tab?.id || !sender.frameId || !sender.url) return false;
  const { documentLifecycle = 'active' } = sender as { documentLifecycle?: string };
  return documentLifecycle === 'active' && new URL(sender.url).pathname === '/extension/swipe/index.html';
}

/** Answers one port of a frame for as long as it is open. */
export function serveFrame(port: Runtime.Port): void {
  const { sender } = port;
  if (!isSwipeFrame(sender)) return port.disconnect();
  let isOpen = true;
  const tell = (message: ToFrame) => {
    if (isOpen) port.postMessage(message);
  };
  const end = () => {
    tell({ swipe: 'over' });
    if (isOpen) port.disconnect();
    close();
  };
  let shown: { host: Host; asked: Asked } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isHeld = false;
  const close = () => {
    isOpen = false;
    clearTimeout(timer);
    offers.gone(port);
  };
  const show = async ({ host, asked }: { host: Host; asked: Asked }) => {
    clearTimeout(timer);
    if (!(await isReady(host.origin))) return end();
    const planned = await planSwipe({ ...asked, origin: host.origin });
    const view = await viewOf(asked, planned);
    if (!isOpen) return;
    // What is under the hand stays as it is.
    if (!isHeld) {
      offers.plan(port, planned);
      tell({ swipe: 'show', view });
    }
    timer = setTimeout(() => void show({ host, asked }).catch(end), RENEW_MS);
  };
  port.onDisconnect.addListener(close);
  port.onMessage.addListener((message: unknown) => {
    const parsed = frameMessage.safeParse(message);
    if (!parsed.success) return;
    const said = parsed.data;
    if (said.swipe === 'bind') {
      const bound = shown ? null : offers.bind(said.secret, port, sender.tab.id);
      // The browser's word to the frame about who stands around it, and how large it is drawn.
      const isThere =
        bound !== null &&
        said.scale === bound.host.scale &&
        said.ancestors.every((origin) => origin === bound.host.origin);
      if (!isThere) return end();
      shown = bound;
      const { asked } = bound;
      void viewOf(asked, null).then((view) => tell({ swipe: 'show', view }), end);
      // Nobody's host is asked because a page was opened.
      if (recipientOf(asked.options.outputs[0] ?? {}).type === 'ADDRESS') void show(bound).catch(end);
    } else if (!shown) end();
    else if (said.swipe === 'near') {
      if (timer === undefined) void show(shown).catch(end);
    } else if (said.swipe === 'let-go') isHeld = false;
    else if (said.swipe === 'began') {
      isHeld = true;
      offers.began(port);
    } else {
      isHeld = false;
      const { client } = shown.host;
      tellSwiped(client, offers.swiped(port));
    }
  });
}

/** @throws ServiceError `internal`: it was never to be shown */
async function viewOf({ options }: Asked, planned: TrustedSwipe | null): Promise<SwipeView> {
  const [output] = options.outputs;
  const { type, text } = recipientOf(output ?? {});
  if (!output || type === 'SCRIPT') throw new ServiceError('internal');
  const { currency, theme, language } = await readSettings();
  const rate = await rateOrNull(currency);
  return {
    to: text,
    kind: type,
    amount: output.amount,
    currency: output.currency,
    totalSatoshis: planned && (planned.quote.satoshis + planned.feeSatoshis).toString(),
    feeSatoshis: planned && planned.feeSatoshis.toString(),
    own: rate?.sources === 2 ? { currency, price: rate.price } : null,
    theme,
    language,
  };
}
