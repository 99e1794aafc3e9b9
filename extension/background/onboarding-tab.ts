/**
 * The tab in which the wallet is set up: one for all who need it, and the way back to the page that asked last. Tabs are
 * known by the browser's word alone, and only while the browser runs.
 */
import browser, { type Runtime, type Tabs } from 'webextension-polyfill';

/** Name in `storage.session` of what is known about the pages that asked. */
export const ONBOARDING_CLIENTS = 'onboarding-clients';
/** A site opens the tab, or brings it to the front, so often within this time (milliseconds), however often it is acted on. */
const MOST_OPENINGS = 3;
const OPENINGS_MS = 600_000;

/** The page to go back to: its tab, and the origin that the tab showed. `openings`: for whom, and when (milliseconds). */
interface Clients {
  client: { tab: number; origin: string } | null;
  openings: { origin: string; at: number }[];
}

const originOf = (url: string | undefined) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : null);

async function readClients(): Promise<Clients> {
  const kept = (await browser.storage.session.get(ONBOARDING_CLIENTS))[ONBOARDING_CLIENTS] as Clients | undefined;
  return kept ?? { client: null, openings: [] };
}

const writeClients = (clients: Clients) => browser.storage.session.set({ [ONBOARDING_CLIENTS]: clients });

// One after the other: two pages that ask at once share the tab.
let last: Promise<unknown> = Promise.resolve();

/** A person acted on a page that needs a wallet, and there is none. @param sender the page, as the browser names it */
export function openForPage(sender: Runtime.MessageSender | undefined, now = Date.now()): Promise<void> {
  const opened = last.then(() => open(sender?.tab, now));
  last = opened.catch(() => undefined);
  return opened;
}

async function open(tab: Tabs.Tab | undefined, now: number): Promise<void> {
  const origin = originOf(tab?.url);
  if (tab?.id === undefined || origin === null) return;
  const openings = (await readClients()).openings.filter(({ at }) => Math.abs(now - at) < OPENINGS_MS);
  if (openings.filter((one) => one.origin === origin).length >= MOST_OPENINGS) return;
  await writeClients({ client: { tab: tab.id, origin }, openings: [...openings, { origin, at: now }] });
  const url = browser.runtime.getURL('extension/onboarding/index.html');
  const there = (await browser.tabs.query({})).find((one) => one.url?.split(/[?#]/)[0] === url);
  if (there) await bringToFront(there);
  else await browser.tabs.create({ url });
}

/** The tab of the page that asked last, if it still shows that site. */
async function clientTab(): Promise<Tabs.Tab | null> {
  const { client } = await readClients();
  const tab = client && (await browser.tabs.get(client.tab).catch(() => null));
  return tab && originOf(tab.url) === client?.origin ? tab : null;
}

/** The site to go back to; null if none asked, or its page was left or closed. */
export async function clientOrigin(): Promise<string | null> {
  return originOf((await clientTab())?.url);
}

/** Goes back to the page that asked, if it is still there. It gets nothing but the user's eyes. */
export async function returnToClient(): Promise<void> {
  const tab = await clientTab();
  await writeClients({ ...(await readClients()), client: null });
  if (tab) await bringToFront(tab);
}

async function bringToFront({ id, windowId }: Tabs.Tab): Promise<void> {
  await browser.tabs.update(id, { active: true });
  if (windowId !== undefined) await browser.windows.update(windowId, { focused: true });
}
