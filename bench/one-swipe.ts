/**
 * Measures one-swipe payments by a legitimate visitor: how many are paid on the first attempt, and the time from
 * release to signature, compared with a wallet that doesn't wait for the page's heartbeat. Pages are idle, have long
 * tasks, or run next to busy loops.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { setArena, OUTPUT, type Arena } from '../e2e/hostile/swipe/arena.ts';
import { freshId, paymentRequest, type Heard } from '../e2e/drive/raw-page.ts';
import { setScene, type Scene } from '../e2e/drive/scene.ts';
import { allowSwipesOnAnySite } from '../tooling/drive/trusted-swipe.ts';
import { stored } from '../tooling/drive/wallet.ts';
import { SWIPED_EVENT } from '../protocol/messages/wire.ts';
import { median, type Row } from './row.ts';

const RUNS = 50;
/** Limit on the time that heartbeats add between release and signature (milliseconds). */
const MAX_ADDED_MS = 100;
const BUSY_LOOPS = 3;
/** Timeout for notifying the page of a swipe (milliseconds). */
const LOST_MS = 15_000;

const LONG_TASKS =
  '(function next() { for (const end = performance.now() + 100; performance.now() < end; ); setTimeout(next); })()';

/** The outcome of a swipe. The arena's site has an open window, so a request for a second window fails with `busy`. */
type Outcome = 'paid' | 'window' | 'no frame' | 'error';
interface Swipe {
  outcome: Outcome;
  /** Time from release to signature (milliseconds); null if the swipe wasn't paid. */
  took: number | null;
}

/**
 * Performs all measurements.
 * @param runs number of swipes on an idle page; the other two cases have two-fifths as many
 */
export async function oneSwipe(runs: number = RUNS): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wallet-without-waits-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    await buildWithoutWaits(folder);
    const place = async (wallet?: string) => {
      const scene = await setScene({ satoshis: 50_000_000, ...(wallet !== undefined && { wallet }) });
      ends.push(() => scene.end());
      await allowSwipesOnAnySite(scene.page, '1', '1000');
      const arena = await setArena(scene);
      ends.push(() => arena.close());
      return { scene, arena };
    };
    const [usual, without] = [await place(), await place(folder)];
    const load = `load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`;
    const quiet: Swipe[] = [];
    const unwaited: Swipe[] = [];
    // Alternates between the wallets so that other load on the machine affects both.
    for (let run = 0; run < runs; run += 1) {
      quiet.push(await swipeOnce(usual));
      unwaited.push(await swipeOnce(without));
    }
    const fewer = Math.max(1, Math.round(runs * 0.4));
    const longTasks: Swipe[] = [];
    for (let run = 0; run < fewer; run += 1) longTasks.push(await swipeOnce(usual, LONG_TASKS));
    const busy: Swipe[] = [];
    const loops = Array.from({ length: BUSY_LOOPS }, () => spawn(process.execPath, ['-e', 'for (;;);']));
    ends.push(async () => loops.forEach((loop) => loop.kill()));
    for (let run = 0; run < fewer; run += 1) busy.push(await swipeOnce(usual));
    return [
      paidRow(`paid on the first try, page without other work (${load})`, quiet, true),
      addedRow(quiet, unwaited),
      paidRow('paid on the first try, page with tasks of 100 ms', longTasks, false),
      paidRow(`paid on the first try, next to ${BUSY_LOOPS} busy loops`, busy, false),
    ];
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Builds the same wallet with a frame that decides immediately after the release. */
async function buildWithoutWaits(outDir: string): Promise<void> {
  const waits = '(await heart.twoMore()) && glance()';
  const withoutWaits: Plugin = {
    name: 'without-waits',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/extension/swipe/surface.ts')) return null;
      if (!code.includes(waits)) throw new Error(`surface.ts does not contain ${waits}`);
      return code.replace(waits, 'true');
    },
  };
  await build({ logLevel: 'warn', plugins: [withoutWaits], build: { outDir } });
}

/** Performs a legitimate swipe on a page that requests the payment as soon as it is notified. */
async function swipeOnce({ scene, arena }: { scene: Scene; arena: Arena }, script = ''): Promise<Swipe> {
  await arena.minutePasses();
  const page = await arena.open();
  const { id, ...request } = paymentRequest(freshId(), { outputs: [OUTPUT] });
  await arena.run(
    `button.shadowRoot.querySelector('[part=track]').addEventListener('${SWIPED_EVENT}', () => say(${JSON.stringify({ id, ...request })})); ${script}`,
  );
  const frame = await arena.stand().catch(() => null);
  if (!frame) return { outcome: 'no frame', took: null };
  const released = frame
    .evaluate(
      () =>
        new Promise<number>((resolve) => {
          addEventListener('pointerup', ({ timeStamp }) => resolve(performance.timeOrigin + timeStamp), true);
        }),
    )
    .catch(() => null);
  await arena.swipe();
  const heard = await page
    .waitForFunction(
      (wanted) => (window as unknown as { heard: Heard[] }).heard.find((one) => one.id === wanted),
      { polling: 50, timeout: LOST_MS },
      id,
    )
    .then((handle) => handle.jsonValue() as Promise<Heard>)
    .catch(() => null);
  if (heard?.error?.code === 'busy') return { outcome: 'window', took: null };
  if (!heard?.result) return { outcome: 'error', took: null };
  const releasedAt = await released;
  const payments = await stored<{ requestId: string; approvedAt: number }>(scene.page, 'payments');
  const signedAt = payments.find(({ requestId }) => requestId === id)?.approvedAt;
  if (signedAt === undefined || releasedAt === null) throw new Error('the payment is missing from the wallet');
  return { outcome: 'paid', took: signedAt - releasedAt };
}

/** @param isQuiet true if all swipes must be paid; otherwise a window may open, but no swipe may fail */
function paidRow(what: string, swipes: readonly Swipe[], isQuiet: boolean): Row {
  const count = (wanted: Outcome) => swipes.filter(({ outcome }) => outcome === wanted).length;
  const others = (['window', 'no frame', 'error'] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${outcome} ${count(outcome)}`);
  return {
    what,
    measured: [`${count('paid')} of ${swipes.length}`, ...others].join(', '),
    ratio: count('paid') / swipes.length,
    goal: isQuiet ? 'all' : 'no error, otherwise a window',
    holds: isQuiet ? count('paid') === swipes.length : count('error') === 0,
  };
}

function addedRow(usual: readonly Swipe[], without: readonly Swipe[]): Row {
  const timesOf = (swipes: readonly Swipe[]) => swipes.flatMap(({ took }) => took ?? []);
  const [long, short] = [median(timesOf(usual)), median(timesOf(without))];
  return {
    what: 'release to signature',
    measured: `${long.toFixed(0)} ms, without waits ${short.toFixed(0)} ms: ${(long - short).toFixed(0)} ms more`,
    ratio: long / short,
    goal: `≤ ${MAX_ADDED_MS} ms more`,
    holds: long - short <= MAX_ADDED_MS,
  };
}
