/**
 * Compares a wallet with many payments to one with a thousandth as many: each request from a window, and the startup.
 */
import type { Page } from 'puppeteer-core';
import { setScene, type Scene } from '../e2e/drive/scene.ts';
import { fill } from './activity.ts';
import { median, type Row } from './row.ts';

const [RUNS, STARTS, SEARCHES] = [9, 5, 3];
const DAY_MS = 86_400_000;

/**
 * A window's requests, keyed by their description in the table. `middle` is the time of the payment halfway through.
 */
const questions = (middle: number, id: string): Record<string, [method: string, params: object]> => ({
  overview: ['wallet/overview', {}],
  'activity, first page': ['activity/list', { limit: 20 }],
  'activity, page in the middle': ['activity/list', { limit: 20, before: `${middle}/z` }],
  'activity, one day': ['activity/list', { limit: 20, from: middle - DAY_MS, to: middle }],
  'activity, received': ['activity/list', { limit: 20, direction: 'received' }],
  'activity, completed': ['activity/list', { limit: 20, status: 'COMPLETED' }],
  // One payment in fifty matches, so the small wallet has two.
  'search for a frequent word, two rows': ['activity/list', { limit: 2, search: 'shop-7' }],
  'search for a frequent word, twenty rows': ['activity/list', { limit: 20, search: 'shop-7' }],
  'export from the newest payment, 1,000 rows': ['activity/export', {}],
  'export in the middle, 1,000 rows': ['activity/export', { before: `${middle}/z` }],
  'details of a payment': ['activity/read', { id }],
  'recent recipients': ['send/recents', {}],
  contacts: ['contacts/list', {}],
  sites: ['sites/list', {}],
  assets: ['assets/list', {}],
});

/** Searches through all payments, which may take up to a second. */
const searches = (many: number): Record<string, object> => ({
  'search without a match': { search: 'nowhere to be found' },
  'search for one button': { search: `article-${Math.floor(many / 2) + 1}` },
  'all failed payments': { status: 'FAILED' },
});

interface Wallet {
  page: Page;
  killWorker(): Promise<void>;
  questions: ReturnType<typeof questions>;
}

/** Measures both wallets alternately so that other load on the machine affects both. */
export async function growthOfWallet(many: number): Promise<Row[]> {
  const few = Math.max(1, Math.round(many / 1000));
  const scenes: Scene[] = [];
  try {
    const wallets: Wallet[] = [];
    for (const count of [few, many]) {
      const scene = await setScene({ satoshis: 1_000_000 });
      scenes.push(scene);
      wallets.push(await filled(scene, count));
    }
    const size = many.toLocaleString('en');
    const rows: Row[] = [];
    const compare = async (what: string, runs: number, time: (wallet: Wallet) => Promise<number>) => {
      const times: [number[], number[]] = [[], []];
      for (let run = 0; run < runs; run += 1)
        for (const [i, wallet] of wallets.entries()) {
          await wallet.page.bringToFront();
          times[i]?.push(await time(wallet));
        }
      const [little, much] = [median(times[0]), median(times[1])];
      rows.push({
        what: `wallet of ${size} payments: ${what}`,
        measured: `${much.toFixed(1)} ms, with ${few} ${little.toFixed(1)} ms`,
        ratio: much / little,
        goal: '≤ 2 times the time with a thousandth',
        holds: much <= 2 * little,
      });
    };
    const large = wallets[1] as Wallet;
    const searched = (what: string, { total, questions }: Search) =>
      rows.push({
        what: `wallet of ${size} payments: ${what}`,
        measured: `${total.toFixed(0)} ms in ${questions} requests`,
        ratio: total / 1000,
        goal: '≤ a second',
        holds: total <= 1000,
      });
    const made = await searchAll(large.page, { search: 'nowhere to be found' });
    for (const [what, filter] of Object.entries(searches(many))) {
      const [anew, again]: [Search[], Search[]] = [[], []];
      for (let run = 0; run < SEARCHES; run += 1) {
        await large.killWorker();
        await timed(large.page, 'vault/status', {}); // an open window has already started the worker
        anew.push(await searchAll(large.page, filter));
        again.push(await searchAll(large.page, filter));
      }
      searched(`${what}, all pages, first search after the worker's start`, middleOf(anew));
      searched(`${what}, all pages, repeated`, middleOf(again));
    }
    rows.push({
      what: `wallet of ${size} payments: first search, which builds the search pages`,
      measured: `${(made.total / 1000).toFixed(1)} s in ${made.questions} requests`,
      ratio: made.total / 1000,
      goal: 'no goal',
      holds: true,
    });
    for (const what of Object.keys(large.questions))
      await compare(what, RUNS, async (wallet) => {
        const [method, params] = wallet.questions[what] ?? ['', {}];
        const { ms, rows } = await timed(wallet.page, method, params);
        return method === 'activity/export' ? (1000 * ms) / Math.max(1, rows) : ms;
      });
    await compare('start of the worker to its first response', STARTS, async (wallet) => {
      await wallet.killWorker();
      return (await timed(wallet.page, 'vault/status', {})).ms;
    });
    return rows;
  } finally {
    for (const scene of scenes) await scene.end();
  }
}

async function filled(scene: Scene, count: number): Promise<Wallet> {
  const { page, wallet } = scene;
  await page.goto('about:blank'); // prevents requests from the wallet's windows during the measurement
  await page.goto(`chrome-extension://${wallet.extensionId}/extension/popup/index.html`);
  await page.evaluate('document.body.remove(); globalThis.__name = (f) => f');
  await fill(page, 0, count);
  const { middle, id } = await page.evaluate(async () => {
    const open = indexedDB.open('service-button');
    const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    const index = db.transaction('payments').objectStore('payments').index('createdAt');
    const at = (direction: 'next' | 'prev') =>
      new Promise<IDBCursor>((resolve) => {
        const request = index.openKeyCursor(null, direction);
        request.onsuccess = () => resolve(request.result as IDBCursor);
      });
    const [oldest, newest] = [await at('next'), await at('prev')];
    db.close();
    return {
      middle: Math.floor(((oldest.key as number) + (newest.key as number)) / 2),
      id: newest.primaryKey as string,
    };
  });
  return { page, killWorker: () => wallet.killWorker(), questions: questions(middle, id) };
}

/** Returns the time from request to response (milliseconds), and the number of rows in the response. */
function timed(page: Page, method: string, params: object): Promise<{ ms: number; rows: number }> {
  return page.evaluate(
    async (method, params) => {
      const start = performance.now();
      const reply = (await chrome.runtime.sendMessage({ method, params })) as { result?: { items?: unknown[] } | null };
      const ms = performance.now() - start;
      if (!('result' in reply)) throw new Error(`${method}: ${JSON.stringify(reply)}`);
      return { ms, rows: reply.result?.items?.length ?? 0 };
    },
    method,
    params,
  );
}

interface Search {
  total: number;
  questions: number;
}

const middleOf = (searches: Search[]): Search =>
  searches.toSorted((a, b) => a.total - b.total)[Math.floor(searches.length / 2)] as Search;

function searchAll(page: Page, filter: object): Promise<Search> {
  return page.evaluate(async (filter) => {
    const start = performance.now();
    let questions = 0;
    for (let before: string | null | undefined; before !== null; questions += 1) {
      const params = { limit: 20, ...filter, ...(before !== undefined && { before }) };
      ({ before } = (
        (await chrome.runtime.sendMessage({ method: 'activity/list', params })) as { result: { before: string | null } }
      ).result);
    }
    return { total: performance.now() - start, questions };
  }, filter);
}
