/**
 * A wallet with many payments against one with a thousandth of them, in a real browser: whatever its windows ask, and the
 * start of its worker.
 */
import type { Page } from 'puppeteer-core';
import { setScene } from '../e2e/drive/scene.ts';
import { fill } from './activity.ts';
import { median } from './median.ts';
import type { Row } from './row.ts';

const RUNS = 11;
const STARTS = 7;
const DAY_MS = 86_400_000;

/** What a window asks, by what the row says of it. `middle` is the time of the payment in the middle. */
const questions = (middle: number, id: string): Record<string, [method: string, params: object]> => ({
  'overview': ['wallet/overview', {}],
  'activity, first page': ['activity/list', { limit: 20 }],
  'activity, page in the middle': ['activity/list', { limit: 20, before: `${middle}/z` }],
  'activity, one day': ['activity/list', { limit: 20, from: middle - DAY_MS, to: middle }],
  'activity, received': ['activity/list', { limit: 20, direction: 'received' }],
  'activity, completed': ['activity/list', { limit: 20, status: 'COMPLETED' }],
  'search for a frequent word': ['activity/list', { limit: 20, search: 'shop-7' }],
  'export, 250 rows': ['activity/export', {}],
  'export, 250 rows in the middle': ['activity/export', { before: `${middle}/z` }],
  'details of a payment': ['activity/read', { id }],
  'recent recipients': ['send/recents', {}],
  'contacts': ['contacts/list', {}],
  'sites': ['sites/list', {}],
  'assets': ['assets/list', {}],
  "applications' data": ['app-data/read', {}],
});

/** Searches through everything, which no page answers: they have a second. */
const SEARCHES = { 'search for nothing': 'nowhere to be found', 'search for one button': 'article-7', 'all that failed': null };

interface Figures {
  asked: Record<string, number>;
  searched: Record<string, { first: number; then: number; questions: number }>;
  start: number;
}

/** Measures both sizes in this run. */
export async function growthOfWallet(many: number): Promise<Row[]> {
  const few = Math.max(1, Math.round(many / 1000));
  const scene = await setScene({ satoshis: 1_000_000 });
  try {
    const { page, wallet } = scene;
    await page.goto('about:blank'); // no window of the wallet asks anything meanwhile
    await page.goto(`chrome-extension://${wallet.extensionId}/extension/popup/index.html`);
    await page.evaluate('document.body.remove(); globalThis.__name = (f) => f');
    const measured: Figures[] = [];
    let filled = 0;
    for (const count of [few, many]) {
      await fill(page, filled, count);
      filled = count;
      measured.push(await measure(page, () => wallet.killWorker()));
    }
    const [small, large] = measured as [Figures, Figures];
    const size = many.toLocaleString('en');
    const compared = (what: string, much: number, little: number, most = 2): Row => ({
      what: `wallet of ${size} payments: ${what}`,
      measured: `${much.toFixed(1)} ms, of ${few} ${little.toFixed(1)} ms`,
      ratio: much / little,
      goal: `≤ ${most} times a thousandth`,
      holds: much <= most * little,
    });
    return [
      compared('start of the worker to its first answer', large.start, small.start),
      ...Object.keys(large.asked).map((what) => compared(what, large.asked[what] ?? 0, small.asked[what] ?? 0)),
      ...Object.entries(large.searched).map(([what, { first, then, questions }]): Row => ({
        what: `wallet of ${size} payments: ${what}, all of it`,
        measured: `${then.toFixed(0)} ms in ${questions} questions; the first one, which makes the pages, ${(first / 1000).toFixed(1)} s`,
        ratio: then / 1000,
        goal: '≤ a second',
        holds: then <= 1000,
      })),
    ];
  } finally {
    await scene.end();
  }
}

async function measure(page: Page, killWorker: () => Promise<void>): Promise<Figures> {
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i += 1) {
    await killWorker();
    starts.push(await timed(page, 'wallet/overview', {}, 1));
  }
  const { before, id } = await page.evaluate(async () => {
    const ask = async (params: object) =>
      ((await chrome.runtime.sendMessage({ method: 'activity/list', params })) as { result: { items: { id: string; time: number }[] } }).result.items;
    const newest = (await ask({ limit: 1, direction: 'sent' }))[0];
    const open = indexedDB.open('service-button');
    const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    const oldest = db.transaction('payments').objectStore('payments').index('createdAt').openCursor();
    const first = await new Promise<number>((resolve) => (oldest.onsuccess = () => resolve(oldest.result?.key as number)));
    db.close();
    return { before: Math.floor((first + (newest?.time ?? 0)) / 2), id: newest?.id ?? '' };
  });
  const searched: Figures['searched'] = {};
  for (const [what, search] of Object.entries(SEARCHES)) {
    const runs = [];
    for (let run = 0; run < 4; run += 1) runs.push(await searchAll(page, search === null ? { status: 'FAILED' } : { search }));
    searched[what] = {
      first: runs[0]?.total ?? 0,
      then: median(runs.slice(1).map(({ total }) => total)),
      questions: runs[1]?.questions ?? 0,
    };
  }
  const asked: Figures['asked'] = {};
  for (const [what, [method, params]] of Object.entries(questions(before, id))) asked[what] = await timed(page, method, params, RUNS);
  return { asked, searched, start: median(starts) };
}

/** Median time from request to answer (milliseconds). */
function timed(page: Page, method: string, params: object, runs: number): Promise<number> {
  return page.evaluate(
    async (method, params, runs) => {
      const times: number[] = [];
      for (let run = 0; run < runs + (runs > 1 ? 3 : 0); run += 1) {
        const start = performance.now();
        const reply = (await chrome.runtime.sendMessage({ method, params })) as { result?: unknown };
        times.push(performance.now() - start);
        if (!('result' in reply)) throw new Error(`${method}: ${JSON.stringify(reply)}`);
      }
      return times.slice(runs > 1 ? 3 : 0).sort((a, b) => a - b)[Math.floor(runs / 2)] as number;
    },
    method,
    params,
    runs,
  );
}

/** Asks until everything was looked through. */
function searchAll(page: Page, filter: object): Promise<{ total: number; questions: number }> {
  return page.evaluate(async (filter) => {
    const start = performance.now();
    let questions = 0;
    for (let before: string | null | undefined; before !== null; questions += 1) {
      const params = { limit: 20, ...filter, ...(before !== undefined && { before }) };
      ({ before } = ((await chrome.runtime.sendMessage({ method: 'activity/list', params })) as { result: { before: string | null } }).result);
    }
    return { total: performance.now() - start, questions };
  }, filter);
}
