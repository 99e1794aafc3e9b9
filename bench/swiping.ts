/**
 * Compares the time from swipe to response with the minimum for any wallet: one database commit, one signature, and one
 * broadcast to the same network. Swipes are paid within an allowance, or with the approval window, whose opening is
 * measured separately.
 */
import { P2PKH, PrivateKey, Transaction } from '@bsv/sdk';
import type { Page } from 'puppeteer-core';
import { signDigest } from '../wallet/keys/ecdsa.ts';
import { sha256d } from '../protocol/bitcoin/transaction.ts';
import { allow } from '../e2e/drive/allow.ts';
import { until } from '../testing/patience.ts';
import { setScene, type Scene } from '../e2e/drive/scene.ts';
import { postJson } from '../tooling/drive/service.ts';
import { approve, buttonIn, readyApproval, swipe } from '../tooling/drive/wallet.ts';
import type { Row } from './row.ts';

const RUNS = 20;
const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;

export async function swiping(): Promise<Row[]> {
  const scene = await setScene({ satoshis: 50_000_000 });
  try {
    const asked = [];
    for (let run = 0; run < RUNS / 2; run += 1) asked.push(await swipeAndDecide(scene));
    await giveAllowance(scene);
    const requests = await listenToWorker(scene);
    const allowed: Spans[] = [];
    for (let run = 0; run < RUNS; run += 1) allowed.push(await swipeWithin(scene, requests));
    const floor = await measureFloor(scene);
    const within = median(allowed.map(({ all }) => all));
    const spans = (['decided', 'broadcast', 'reported', 'answered'] as const)
      .map((span) => `${span} ${median(allowed.map((run) => run[span])).toFixed(0)}`)
      .join(', ');
    const work = median(asked.map((run) => run.asked + run.answered));
    const window = median(asked.map((run) => run.window));
    const detail = `request to window opening ${median(asked.map((r) => r.asked)).toFixed(0)} ms + decision to answer ${median(asked.map((r) => r.answered)).toFixed(0)} ms; opening the window ${window.toFixed(0)} ms`;
    return [
      {
        what: 'swipe to response within an allowance',
        measured: `${within.toFixed(0)} ms (${spans}); floor ${floor.text}`,
        ratio: within / floor.sum,
        goal: '≤ 3 times the floor',
        holds: within / floor.sum <= 3,
      },
      {
        what: 'swipe to response with approval, without window and user',
        measured: `${work.toFixed(0)} ms (${detail})`,
        ratio: work / floor.sum,
        goal: 'no goal',
        holds: true,
      },
    ];
  } finally {
    await scene.end();
  }
}

/** Times at which a button reached each state (milliseconds since 1970). */
type Times = Record<string, number>;
type Timed = { times: Times };

async function timedShop(scene: Scene): Promise<Page> {
  const shop = await scene.shop();
  await buttonIn(shop, 'ready');
  await shop.evaluate(() => {
    const times: Times = {};
    Object.assign(window, { times });
    const button = document.querySelector('.service-button') as HTMLElement;
    new MutationObserver(() => {
      times[button.dataset.state ?? ''] ??= performance.timeOrigin + performance.now();
    }).observe(button, { attributes: true });
  });
  return shop;
}

const timesOf = (shop: Page) => shop.evaluate(() => (window as unknown as Timed).times);

/** Performs a swipe and approves as soon as the window accepts it. All times are in milliseconds. */
async function swipeAndDecide(scene: Scene): Promise<{ asked: number; window: number; answered: number }> {
  const shop = await timedShop(scene);
  const opened = scene.wallet.browser
    .waitForTarget((target) => target.url().includes('/approval/'))
    .then(() => Date.now());
  await swipe(shop, await buttonIn(shop, 'ready'));
  const openedAt = await opened;
  const approval = await readyApproval(scene.wallet);
  const shownAt = Date.now();
  let pressedAt = 0;
  await approval.exposeFunction('pressed', (at: number) => {
    pressedAt ||= at;
  });
  await approval.evaluate(() =>
    addEventListener('click', () => (window as unknown as { pressed(at: number): void }).pressed(Date.now()), true),
  );
  await approval.bringToFront();
  await approval.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
  await approval.click('button[data-action=pay]');
  await buttonIn(shop, 'done');
  await scene.wallet.noApproval();
  const times = await timesOf(shop);
  await shop.close();
  return {
    asked: openedAt - (times.working as number),
    window: shownAt - openedAt,
    answered: (times.done as number) - pressedAt,
  };
}

async function giveAllowance(scene: Scene): Promise<void> {
  const shop = await scene.shop();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await allow(scene.wallet, '100');
  await approve(scene.wallet);
  await buttonIn(shop, 'done');
  await shop.close();
}

/** A request by the worker: its path, and the times of request and response (milliseconds since 1970). */
interface WorkerRequest {
  path: string;
  began: number;
  ended: number;
}

async function listenToWorker({ wallet }: Scene): Promise<WorkerRequest[]> {
  const worker = await wallet.browser.waitForTarget((target) => target.type() === 'service_worker');
  const session = await worker.createCDPSession();
  const open = new Map<string, { path: string; began: number; clock: number }>();
  const asked: WorkerRequest[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime, timestamp }) => {
    open.set(requestId, { path: new URL(request.url).pathname, began: wallTime * 1000, clock: timestamp });
  });
  session.on('Network.responseReceived', ({ requestId, timestamp }) => {
    const request = open.get(requestId);
    if (!request) return;
    asked.push({
      path: request.path,
      began: request.began,
      ended: request.began + (timestamp - request.clock) * 1000,
    });
  });
  await session.send('Network.enable');
  return asked;
}

/** The time of a swipe paid from an allowance, by phase (milliseconds). */
interface Spans {
  all: number;
  decided: number;
  broadcast: number;
  reported: number;
  answered: number;
}

/** Performs a swipe paid from the allowance, measured from the button's request until it shows the payment. */
async function swipeWithin(scene: Scene, requests: WorkerRequest[]): Promise<Spans> {
  const shop = await timedShop(scene);
  await shop.bringToFront();
  await swipe(shop, await buttonIn(shop, 'ready'));
  await buttonIn(shop, 'done');
  const { working = 0, done = 0 } = await timesOf(shop);
  await shop.close();
  // The browser can report a response after the button has shown the payment.
  const asked = (what: string, is: (path: string) => boolean) =>
    until(
      `the browser saw ${what}`,
      async () => requests.find(({ path, began }) => began >= working && is(path)) ?? null,
    );
  const sent = await asked('the broadcast', (path) => path.endsWith('/arc/v1/tx'));
  const report = await asked('the report', (path) => path === '/api/v2/payments');
  return {
    all: done - working,
    decided: sent.began - working,
    broadcast: sent.ended - sent.began,
    reported: Math.max(0, report.ended - sent.ended),
    answered: done - Math.max(report.ended, sent.ended),
  };
}

const FLOORS = 30;

/** Returns a chain of transactions to broadcast, each spending the previous one. */
async function chainOfTransactions(serviceUrl: string): Promise<string[]> {
  const key = PrivateKey.fromRandom();
  const { txid } = (await postJson(`${serviceUrl}/devnet/faucet`, {
    address: key.toAddress('testnet'),
    satoshis: 1_000_000,
  })) as { txid: string };
  let source = Transaction.fromHex(await (await fetch(`${serviceUrl}/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).text());
  let output = source.outputs.findIndex(
    ({ lockingScript }) => lockingScript.toHex() === new P2PKH().lock(key.toAddress('testnet')).toHex(),
  );
  const chain: string[] = [];
  for (let i = 0; i < FLOORS; i += 1) {
    const next = new Transaction();
    next.addInput({
      sourceTransaction: source,
      sourceOutputIndex: output,
      unlockingScriptTemplate: new P2PKH().unlock(key),
    });
    next.addOutput({
      lockingScript: new P2PKH().lock(key.toAddress('testnet')),
      satoshis: (source.outputs[output]?.satoshis ?? 0) - 100,
    });
    await next.sign();
    chain.push(next.toHex());
    [source, output] = [next, 0];
  }
  return chain;
}

/** Measures a commit of a small record, a signature and a broadcast. Returns the sum of the medians (milliseconds). */
async function measureFloor({ page, publicUrl }: Scene): Promise<{ sum: number; text: string }> {
  const [commits, broadcasts] = await page.evaluate(
    async (url, transactions) => {
      const open = indexedDB.open('bench-floor', 1);
      open.onupgradeneeded = () => open.result.createObjectStore('s');
      const db = await new Promise<IDBDatabase>((resolve) => {
        open.onsuccess = () => resolve(open.result);
      });
      const commits: number[] = [];
      const broadcasts: number[] = [];
      for (const rawTx of transactions) {
        const start = performance.now();
        const tx = db.transaction('s', 'readwrite');
        tx.objectStore('s').put({ rawtx: rawTx }, commits.length);
        await new Promise((resolve) => {
          tx.oncomplete = resolve;
        });
        commits.push(performance.now() - start);
        const sent = performance.now();
        const answer = await fetch(`${url}/devnet/arc/v1/tx`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-waitfor': 'SEEN_ON_NETWORK' },
          body: JSON.stringify({ rawTx }),
          cache: 'no-store',
        });
        if (!answer.ok) throw new Error(`broadcast: ${answer.status}`);
        await answer.text();
        broadcasts.push(performance.now() - sent);
      }
      db.close();
      return [commits, broadcasts] as const;
    },
    publicUrl,
    await chainOfTransactions(publicUrl),
  );
  const key = sha256d(new Uint8Array([1]));
  const signatures = Array.from({ length: 40 }, (_, i) => {
    const start = performance.now();
    signDigest(sha256d(new Uint8Array([i])), key);
    return performance.now() - start;
  });
  const parts = [median(commits), median(signatures), median(broadcasts)] as const;
  const sum = parts.reduce((a, b) => a + b);
  return {
    sum,
    text: `${sum.toFixed(1)} ms (commit ${parts[0].toFixed(1)}, signature ${parts[1].toFixed(1)}, broadcast ${parts[2].toFixed(1)})`,
  };
}
