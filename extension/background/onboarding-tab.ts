/** The tab in which the wallet is set up, and the way back to the last page that requested it. */
import browser, { type Runtime, type Tabs } from 'webextension-polyfill';

/** Name in `storage.session` of the data about the requesting pages. */
export const ONBOARDING_CLIENTS = 'onboarding-clients';
/** How often a site may open the tab or bring it to the front within this time (milliseconds). */
const MOST_OPENINGS = 3;
const OPENINGS_MS = 600_000;

/**
 * The page to return to: its tab, the tab's origin, and when the user last went there (milliseconds); null if the user
 * requested the wallet there. `openings`: for whom, and when (milliseconds).
 */
interface Clients {
  client: { tab: number; origin: string; seen: number | null } | null;
  openings: { origin: string; at: number }[];
}

const originOf = (url: string | undefined) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : null);

async function readClients(): Promise<Clients> {
  const kept = (await browser.storage.session.get(ONBOARDING_CLIENTS))[ONBOARDING_CLIENTS] as Clients | undefined;
  return kept ?? { client: null, openings: [] };
}

const writeClients = (clients: Clients) => browser.storage.session.set({ [ONBOARDING_CLIENTS]: clients });

// Serialized, so that two concurrent pages share the tab.
let last: Promise<unknown> = Promise.resolve();

function inTurn(task: () => Promise<void>): Promise<void> {
  const done = last.then(task);
  last = done.catch(() => undefined);
  return done;
}

/** Handles a user gesture on a page without a wallet. @param sender the page, as the browser identifies it */
export const openForPage = (sender: Runtime.MessageSender | undefined, now = Date.now()): Promise<void> =>
  inTurn(() => open(sender?.tab, now));

/**
 * Remembers a page with a button while there is no wallet, such as the one from which the extension was installed. The
 * user returns to the one visited last, unless they requested the wallet on another.
 * @param service origin of the wallet's service, whose page with the download was visited later than the shop's
 */
export const notePage = (sender: Runtime.MessageSender | undefined, service: string): Promise<void> =>
  inTurn(async () => {
    const tab = sender?.tab;
    const origin = originOf(tab?.url);
    if (tab?.id === undefined || origin === null || sender?.frameId !== 0) return;
    const seen = origin === service ? 0 : (tab.lastAccessed ?? 1);
    const { client, openings } = await readClients();
    const isKept = client !== null && (client.seen === null || client.seen > seen) && (await clientTab()) !== null;
    if (!isKept) await writeClients({ client: { tab: tab.id, origin, seen }, openings });
  });

async function open(tab: Tabs.Tab | undefined, now: number): Promise<void> {
  const origin = originOf(tab?.url);
  if (tab?.id === undefined || origin === null) return;
  const openings = (await readClients()).openings.filter(({ at }) => Math.abs(now - at) < OPENINGS_MS);
  if (openings.filter((one) => one.origin === origin).length >= MOST_OPENINGS) return;
  await writeClients({ client: { tab: tab.id, origin, seen: null }, openings: [...openings, { origin, at: now }] });
  const url = browser.runtime.getURL('extension/onboarding/index.html');
  const there = (await browser.tabs.query({})).find((one) => one.url?.split(/[?#]/)[0] === url);
  if (there) await bringToFront(there);
  else await browser.tabs.create({ url });
}

/** The tab of the last requesting page, if it still shows that site. */
async function clientTab(): Promise<Tabs.Tab | null> {
  const { client } = await readClients();
  const tab = client && (await browser.tabs.get(client.tab).catch(() => null));
  return tab && originOf(tab.url) === client?.origin ? tab : null;
}

/** The site to return to; null if there was none, or its page was left or closed. */
export async function clientOrigin(): Promise<string | null> {
  return originOf((await clientTab())?.url);
}

/** Returns to the requesting page, if it is still there. The page receives no data. */
export async function returnToClient(): Promise<void> {
  const tab = await clientTab();
  await writeClients({ ...(await readClients()), client: null });
  if (tab) await bringToFront(tab);
}

async function bringToFront({ id, windowId }: Tabs.Tab): Promise<void> {
  await browser.tabs.update(id, { active: true });
  if (windowId !== undefined) await browser.windows.update(windowId, { focused: true });
}
