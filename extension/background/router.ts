/**
 * The single entry point for messages to the background. Pages and the wallet's own windows have separate method
 * tables, and all other messages are rejected. The caller is identified by `MessageSender`, never by message content.
 */
import type { Runtime } from 'webextension-polyfill';
import { ServiceError, toPageError, toWireError } from '../../protocol/errors/service-error.ts';
import {
  pageMethods,
  type PageMethod,
  type PageReply,
  type PageResults,
} from '../../protocol/messages/page-messages.ts';
import { CHANNEL, USER_ACTIVATIONS, PAGE_PORT, SWIPE_PORT } from '../../protocol/messages/wire.ts';
import {
  WALLET_WINDOWS,
  walletMethods,
  type WalletMethod,
  type WalletReply,
  type WalletResults,
  type WalletWindow,
} from '../../protocol/messages/wallet-messages.ts';
import { checkClock } from '../../wallet/clock.ts';
import { hasKey } from '../../wallet/store/database.ts';
import { withdrawClient } from '../../wallet/prompts/request.ts';
import { notePage, openForPage } from '../../wallet/onboarding-tab.ts';
import { pageHandlers, type PageSender } from '../../wallet/page-handlers.ts';
import { isReachableLoopback, readSettings } from '../../wallet/settings.ts';
import { holdRequest, oweTime, countRequest, chargeTime } from '../../wallet/request-limits/rate-limit.ts';
import { serveFrame } from '../../wallet/trusted-swipe/frame.ts';
import { removeRelay, serveRelay, type Relay } from '../../wallet/trusted-swipe/relays.ts';
import { walletHandlers, type WindowSender } from '../../wallet/wallet-handlers.ts';
import { costOf, requestSize, responseCost } from '../../wallet/request-limits/request-cost.ts';
import type { Wallet } from '../../wallet/platform.ts';

/** Returns the origin of the page that opened a port, or null if it isn't a visible web page. */
export function pageOrigin(wallet: Wallet, sender: Runtime.MessageSender | undefined): string | null {
  if (!sender || sender.id !== wallet.runtime.id || !sender.tab || !sender.url) return null;
  // Documents with an opaque origin (sandboxed, data:) have the origin "null". The URL of such a document can contain
  // the site from which it was loaded, so the URL is never used instead of the origin.
  const { origin: named, documentLifecycle = 'active' } = sender as { origin?: string; documentLifecycle?: string };
  // Pages that are prerendered or in the back/forward cache aren't visible to the user.
  if (documentLifecycle !== 'active') return null;
  if (named === undefined || !URL.canParse(named)) return null;
  const { origin, protocol, hostname } = new URL(named);
  const secure = protocol === 'https:' || (protocol === 'http:' && isReachableLoopback(hostname));
  return secure ? origin : null;
}

/**
 * Returns the wallet window that sent a message. The sender must be a top-level frame with exactly that window's
 * document. Returns null for other senders.
 */
export function walletWindow(wallet: Wallet, sender: Runtime.MessageSender): WalletWindow | null {
  if (sender.id !== wallet.runtime.id || !sender.url || (sender.frameId !== undefined && sender.frameId !== 0))
    return null;
  const [document] = sender.url.split(/[?#]/);
  return WALLET_WINDOWS.find((name) => document === wallet.runtime.getURL(`extension/${name}/index.html`)) ?? null;
}

/** Used as the tab ID of pages that aren't in a tab. */
const NO_TAB = -1;
/**
 * Delay before a tab that has used up its computing time receives the error (milliseconds), so pages repeat their
 * requests less often.
 */
const HOLD_MS = 1000;

/** Serves the port of a page's relay or of an overlay frame. Closes any other port. */
export function servePort(wallet: Wallet, port: Runtime.Port): void {
  if (port.name === SWIPE_PORT) serveFrame(wallet, port);
  else servePage(wallet, port);
}

/** Serves the port of a page's relay until the port is closed. */
function servePage(wallet: Wallet, port: Runtime.Port): void {
  const origin = pageOrigin(wallet, port.sender);
  if (port.name !== PAGE_PORT || origin === null) {
    port.disconnect();
    return;
  }
  let open = true;
  const relay: Relay = {
    client: port,
    tab: port.sender?.tab?.id ?? NO_TAB,
    origin,
    tell: (message) => open && port.postMessage(message),
  };
  // A page in a frame can be masked by its embedder, so only top-level pages get overlay frames.
  const mayCover = port.sender?.frameId === 0;
  port.onDisconnect.addListener(() => {
    open = false;
    removeRelay(wallet, port);
    void withdrawClient(wallet, port);
  });
  port.onMessage.addListener((message: unknown) => {
    if (mayCover && serveRelay(wallet, message, relay)) return;
    void answerPage(wallet, message, { origin, client: port }, port.sender).then((reply) => {
      if (reply && open) port.postMessage(reply);
    });
  });
}

async function answerPage(
  wallet: Wallet,
  message: unknown,
  { origin, client }: Pick<PageSender, 'origin' | 'client'>,
  page: Runtime.MessageSender | undefined,
): Promise<PageReply | null> {
  const { id, method, params, userActivation } = (
    typeof message === 'object' && message !== null ? message : {}
  ) as Record<string, unknown>;
  if (typeof id !== 'string' || id.length > 100) return null;
  const reply = { channel: CHANNEL, to: 'page', id } as const;
  checkClock(wallet);
  let releaseRequest = () => {};
  try {
    if (typeof method !== 'string' || !Object.hasOwn(pageMethods, method)) throw new ServiceError('unsupported-method');
    countRequest(wallet, origin);
    const parsed = pageMethods[method as PageMethod].safeParse(params);
    if (!parsed.success) throw new ServiceError('invalid-request');
    const tab = page?.tab?.id ?? NO_TAB;
    const cost = costOf(method as PageMethod, parsed.data);
    // Requests that wait for computing time also use memory.
    releaseRequest = holdRequest(wallet, tab, origin, requestSize(parsed.data));
    await takeTimeOrWait(wallet, tab, cost);
    const handler = pageHandlers(wallet)[method as PageMethod] as (
      params: unknown,
      sender: PageSender,
    ) => Promise<PageResults[PageMethod]>;
    const sender: PageSender = {
      origin,
      client,
      message: id,
      userActivation: USER_ACTIVATIONS.find((one) => one === userActivation) ?? 'none',
      isTop: page?.frameId === 0,
    };
    const result = await handler(parsed.data, sender);
    if (method === 'brc100/call') oweTime(wallet, tab, responseCost(result));
    const isSetUp = await hasKey(wallet, 'vault');
    if (!isSetUp && method === 'wallet/hello')
      void readSettings(wallet)
        .then(({ serviceUrl }) => notePage(wallet, page, new URL(serviceUrl).origin))
        .catch(() => {});
    return { ...reply, ...(!isSetUp && { isSetUp }), result };
  } catch (error) {
    const reported = toPageError(error);
    const isSetUp = reported.code !== 'wallet-not-set-up';
    if (!isSetUp && userActivation === 'new') void openForPage(wallet, page).catch(() => {});
    return { ...reply, ...(!isSetUp && { isSetUp }), error: reported };
  } finally {
    releaseRequest();
  }
}

/** @throws ServiceError `too-many-requests`, delayed because an immediate error would trigger the next request */
async function takeTimeOrWait(wallet: Wallet, tab: number, ms: number): Promise<void> {
  try {
    chargeTime(wallet, tab, ms);
  } catch (refusal) {
    await new Promise((resolve) => wallet.setTimeout(resolve, HOLD_MS));
    throw refusal;
  }
}

/** Responds to messages from the wallet's windows. Returns undefined for other senders, which don't get a response. */
export function serveWindow(
  wallet: Wallet,
  message: unknown,
  sender: Runtime.MessageSender,
): Promise<WalletReply> | undefined {
  const window = walletWindow(wallet, sender);
  return window === null ? undefined : answerWindow(wallet, message, window, sender);
}

async function answerWindow(
  wallet: Wallet,
  message: unknown,
  window: WalletWindow,
  sender: Runtime.MessageSender,
): Promise<WalletReply> {
  checkClock(wallet);
  try {
    const { method, params } = (typeof message === 'object' && message !== null ? message : {}) as Record<
      string,
      unknown
    >;
    if (typeof method !== 'string' || !Object.hasOwn(walletMethods, method))
      throw new ServiceError('unsupported-method');
    const { callers, params: schema } = walletMethods[method as WalletMethod];
    if (!(callers as readonly WalletWindow[]).includes(window)) throw new ServiceError('unsupported-method');
    const parsed = schema.safeParse(params);
    if (!parsed.success) throw new ServiceError('invalid-request');
    // An approval window can only access its own approval.
    const named = (parsed.data as { approvalId?: string }).approvalId;
    if (named !== undefined && new URL(sender.url ?? '').searchParams.get('id') !== named)
      throw new ServiceError('approval-unknown');
    const handler = walletHandlers(wallet)[method as WalletMethod] as (
      params: unknown,
      from: WindowSender,
    ) => Promise<WalletResults[WalletMethod]>;
    return { result: await handler(parsed.data, { windowId: sender.tab?.windowId ?? null }) };
  } catch (error) {
    return { error: toWireError(error) };
  }
}
