/** Compares the time to load the activity's first page, as the popup does, with 100,000 and with 1,000 payments. */
import type { Page } from 'puppeteer-core';
import { setScene } from '../e2e/drive/scene.ts';
import type { Row } from './row.ts';

const FEW = 1000;
const MANY = 100_000;
const WARM_UP = 20;
const RUNS = 200;
const SEARCHES = 5;

/** Measures the first page with few and with many payments, and a search through all of them. */
export async function activity(): Promise<Row[]> {
  const scene = await setScene({ satoshis: 1_000_000 });
  try {
    const { page } = scene;
    await page.goto('about:blank'); // Prevents requests from the wallet's windows during the measurement.
    await page.goto(`chrome-extension://${scene.wallet.extensionId}/extension/popup/index.html`);
    await page.evaluate('document.body.remove(); globalThis.__name = (f) => f');
    await fill(page, 0, FEW);
    const few = await firstPage(page);
    await fill(page, FEW, MANY);
    const many = await firstPage(page);
    const search = await wholeSearch(page);
    const ratio = many / few;
    return [
      {
        what: 'first page of activity, 100,000 payments',
        measured: `${many.toFixed(1)} ms, with 1,000 payments ${few.toFixed(1)} ms`,
        ratio,
        goal: '≤ 2 times 1,000 payments',
        holds: ratio <= 2,
      },
      {
        what: 'one request of a search without a match',
        measured: `${(search.total / search.questions).toFixed(0)} ms; through all ${MANY.toLocaleString('en')} in ${search.questions} requests ${(search.total / 1000).toFixed(1)} s`,
        ratio: search.total / search.questions / many,
        goal: 'no goal',
        holds: true,
      },
    ];
  } finally {
    await scene.end();
  }
}

function firstPage(page: Page): Promise<number> {
  return page.evaluate(
    async (warmUp, runs) => {
      const times: number[] = [];
      for (let run = 0; run < warmUp + runs; run += 1) {
        const start = performance.now();
        const { result } = (await chrome.runtime.sendMessage({ method: 'activity/list', params: { limit: 20 } })) as {
          result?: { items: unknown[] };
        };
        if (run >= warmUp) times.push(performance.now() - start);
        if (result?.items.length !== 20) throw new Error('the response is not the first page');
      }
      return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;
    },
    WARM_UP,
    RUNS,
  );
}

/** Returns the time of the fastest of several complete searches without a match (milliseconds). */
function wholeSearch(page: Page): Promise<{ total: number; questions: number }> {
  return page.evaluate(async (searches) => {
    let best = { total: Number.POSITIVE_INFINITY, questions: 0 };
    for (let search = 0; search < searches; search += 1) {
      const start = performance.now();
      let questions = 0;
      for (let before: string | null | undefined; before !== null; questions += 1) {
        const params = { limit: 20, search: 'nowhere to be found', ...(before !== undefined && { before }) };
        ({ before } = (
          (await chrome.runtime.sendMessage({ method: 'activity/list', params })) as {
            result: { before: string | null };
          }
        ).result);
      }
      const total = performance.now() - start;
      if (total < best.total) best = { total, questions };
    }
    return best;
  }, SEARCHES);
}

/** Writes payments as the wallet stores them after confirmation, every fifth with a receipt. */
export async function fill(page: Page, from: number, to: number): Promise<void> {
  await page.evaluate(
    async (first, end) => {
      const open = indexedDB.open('service-button');
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        open.onsuccess = () => resolve(open.result);
        open.onerror = () => reject(open.error);
      });
      const hex = (seed: number, bytes: number) =>
        Array.from({ length: bytes }, (_, i) =>
          ((((seed + 1) * 2_654_435_761 + i * 40_503) >>> 7) & 255).toString(16).padStart(2, '0'),
        ).join('');
      const newest = Date.now() - 60_000;
      const notTried = { attempts: 0, nextAt: 0, problem: null };
      for (let start = first; start < end; start += 2000) {
        const tx = db.transaction(['payments', 'receipts'], 'readwrite', { durability: 'relaxed' });
        for (let n = start; n < Math.min(start + 2000, end); n += 1) {
          const createdAt = newest - (end - n) * 60_000;
          const txid = n.toString(16).padStart(64, '0');
          const to = `m${hex(n, 16)}`;
          const output = {
            type: 'ADDRESS',
            to,
            paymail: null,
            userId: null,
            address: to,
            script: null,
            amount: '0.10',
            currency: 'USD',
            satoshis: '200000',
          };
          tx.objectStore('payments').put({
            id: crypto.randomUUID(),
            requestId: `bench-${n}`,
            // Every tenth payment was sent from the wallet's own window.
            origin: n % 10 === 0 ? '' : `https://shop-${n % 50}.example`,
            options: {
              outputs: [{ to, amount: '0.10', currency: 'USD' }],
              buttonId: `article-${n}`,
              buttonData: '{"chapter":3}',
            },
            state: 'settled',
            createdAt,
            updatedAt: createdAt,
            quote: {
              outputs: [{ ...output, scripts: [{ script: `76a914${hex(n, 20)}88ac`, satoshis: 200_000n }] }],
              amount: '0.10',
              currency: 'USD',
              satoshis: 200_000n,
            },
            automatic: false,
            feeLimit: null,
            allowance: null,
            grant: null,
            token: null,
            approvedAt: createdAt,
            signed: {
              rawtx: hex(n, 226),
              txid,
              normalizedTxid: txid,
              inputProof: hex(n, 65),
              feeSatoshis: 12n,
              inputs: [`${txid}:0`],
              inputSatoshis: [210_000n],
              ownOutputs: [`${txid}:1`],
            },
            error: null,
            broadcast: notTried,
            confirmation: notTried,
            service: null,
            serviceReport: null,
            deliveries: [],
            operations: null,
            trouble: null,
            seenAt: null,
            replacedBy: null,
            ended: null,
            report: { state: 'done', ...notTried },
            height: 100 + n,
            unfinished: 0,
          });
          if (n % 5 === 0)
            tx.objectStore('receipts').put({
              txid: hex(n, 4) + txid.slice(8),
              satoshis: 5000n,
              address: to,
              createdAt: createdAt + 1000,
              height: 100 + n,
              unconfirmed: 0,
            });
        }
        await new Promise((resolve, reject) => {
          tx.oncomplete = resolve;
          tx.onerror = () => reject(tx.error);
        });
      }
      db.close();
    },
    from,
    to,
  );
}
