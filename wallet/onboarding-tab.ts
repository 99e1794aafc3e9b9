/** Opens the tab for setting up the wallet, and then returns to the page that requested the wallet. */
import type { Runtime, Tabs } from 'webextension-polyfill';
import { part, type Wallet } from './platform.ts';

/** Key in `storage.session` for the requesting pages. */
export const ONBOARDING_CLIENTS = 'onboarding-clients';
/** Maximum number of times that a site can open or focus the tab within {@link OPENINGS_MS}. */
const MAX_OPENINGS = 3;
const OPENINGS_MS = 600_000;

/**
 * `client`: the page to return to. Its `seen` is when the user last visited it (milliseconds since 1970), or null if
 * the user requested the wallet there. `openings`: the sites that opened the tab, and when (milliseconds since 1970).
 */
interface Clients {
  client: { tab: number; origin: string; seen: number | null } | null;
  openings: { origin: string; at: number }[];
}

const originOf = (url: string | undefined) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : null);

async function readClients(wallet: Wallet): Promise<Clients> {
  const kept = (await wallet.sessionStorage.get(ONBOARDING_CLIENTS))[ONBOARDING_CLIENTS] as Clients | undefined;
  return kept ?? { client: null, openings: [] };
}

const writeClients = (wallet: Wallet, clients: Clients) => wallet.sessionStorage.set({ [ONBOARDING_CLIENTS]: clients });

const memoryOf = part(() => ({
  // Serializes calls, so concurrent pages share one tab.
  last: Promise.resolve() as Promise<unknown>,
}));

function inTurn(wallet: Wallet, task: () => Promise<void>): Promise<void> {
  const memory = memoryOf(wallet);
  const done = memory.last.then(task);
  memory.last = done.catch(() => undefined);
  return done;
}

/** Opens the tab after a user gesture on a page. @param sender the page, as identified by the browser */
export const openForPage = (
  wallet: Wallet,
  sender: Runtime.MessageSender | undefined,
  now = wallet.now(),
): Promise<void> => inTurn(wallet, () => open(wallet, sender?.tab, now));

/**
 * While there is no wallet, stores a page with a button, such as the page that led to the installation. The user
 * returns to the page visited last, unless they requested the wallet on a different page.
 * @param service origin of the wallet's service. The user visits its download page after the shop's page, so pages of
 * this origin have the lowest priority
 */
export const notePage = (wallet: Wallet, sender: Runtime.MessageSender | undefined, service: string): Promise<void> =>
  inTurn(wallet, async () => {
    const tab = sender?.tab;
    const origin = originOf(tab?.url);
    if (tab?.id === undefined || origin === null || sender?.frameId !== 0) return;
    const seen = origin === service ? 0 : (tab.lastAccessed ?? 1);
    const { client, openings } = await readClients(wallet);
    const isKept =
      client !== null && (client.seen === null || client.seen > seen) && (await clientTab(wallet)) !== null;
    if (!isKept) await writeClients(wallet, { client: { tab: tab.id, origin, seen }, openings });
  });

async function open(wallet: Wallet, tab: Tabs.Tab | undefined, now: number): Promise<void> {
  const origin = originOf(tab?.url);
  if (tab?.id === undefined || origin === null) return;
  const openings = (await readClients(wallet)).openings.filter(({ at }) => Math.abs(now - at) < OPENINGS_MS);
  if (openings.filter((one) => one.origin === origin).length >= MAX_OPENINGS) return;
  await writeClients(wallet, {
    client: { tab: tab.id, origin, seen: null },
    openings: [...openings, { origin, at: now }],
  });
  const url = wallet.runtime.getURL('extension/onboarding/index.html');
  const there = (await wallet.tabs.query({})).find((one) => one.url?.split(/[?#]/)[0] === url);
  if (there) await bringToFront(wallet, there);
  else await wallet.tabs.create({ url });
}

/** Returns the tab of the requesting page, or null if the tab no longer shows that site. */
async function clientTab(wallet: Wallet): Promise<Tabs.Tab | null> {
  const { client } = await readClients(wallet);
  const tab = client && (await wallet.tabs.get(client.tab).catch(() => null));
  return tab && originOf(tab.url) === client?.origin ? tab : null;
}

/** Returns the site to return to; null if there is none, or if the user has left or closed its page. */
export async function clientOrigin(wallet: Wallet): Promise<string | null> {
  return originOf((await clientTab(wallet))?.url);
}

/** Returns to the requesting page if it still exists. The page receives no data. */
export async function returnToClient(wallet: Wallet): Promise<void> {
  const tab = await clientTab(wallet);
  await writeClients(wallet, { ...(await readClients(wallet)), client: null });
  if (tab) await bringToFront(wallet, tab);
}

async function bringToFront(wallet: Wallet, { id, windowId }: Tabs.Tab): Promise<void> {
  await wallet.tabs.update(id, { active: true });
  if (windowId !== undefined) await wallet.windows.update(windowId, { focused: true });
}
