/**
 * Tests payments under random faults. The real service worker is killed up to three times, at random requests or
 * moments, while the network accepts transactions without responding, rejects or contests them, fails, or delays
 * proofs. A failed run prints its seed.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConfirmed, expectPaidOnce, lookBefore } from '../drive/once.ts';
import type { Fault } from '../drive/faults.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { buttonIn, swipe } from '../../tooling/drive/wallet.ts';

const RUNS = 3;
const RUN_MS = 240_000;

let scene: Scene;
beforeAll(async () => {
  scene = await setScene({ satoshis: 100_000_000 });
});
afterAll(() => scene?.end());

/** Returns a seeded generator of integers from 0 to `n` - 1 (linear congruential, Park and Miller). */
function dice(seed: number): (n: number) => number {
  let state = (seed * 48_271 + 11) % 2_147_483_647;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

const BROADCAST = /POST .*\/arc\/v1\/tx/;
const PROOF = /GET .*\/proof\/tsc/;
const REPORT = /POST \/api\/v2\/payments/;

/**
 * Broadcast faults, in order: the response is lost after the transaction was accepted, the transaction is already
 * known, it is contested, ARC reports an error, or ARC can't be reached.
 */
const BAD_BROADCASTS: Fault[] = [
  'swallow',
  { status: 409 },
  { status: 466, body: { title: 'conflict' } },
  { status: 500 },
  'refuse',
];

async function once(pattern: RegExp, fault: Fault): Promise<void> {
  scene.faults.when(pattern, fault);
  await scene.faults.next(pattern);
  scene.faults.when(pattern, 'pass');
}

/** Clicks Pay in any open window until `over` returns true, and closes outdated windows. */
async function payWhatIsAsked(over: () => boolean): Promise<void> {
  while (!over()) {
    const [approval] = await scene.wallet.approvals();
    await approval
      ?.evaluate(
        () =>
          new Promise<void>((resolve) => {
            const press = () => {
              const button = document.querySelector<HTMLButtonElement>('[data-action=pay], .approval-end-over button');
              if (button && !button.disabled && button.getAttribute('aria-busy') !== 'true') button.click();
            };
            setTimeout(() => resolve(press()), 700); // clicks in the first half second are ignored
          }),
      )
      .catch(() => undefined); // the window has closed
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function killNowAndThen(kills: number, roll: (n: number) => number, over: () => boolean): Promise<void> {
  for (let kill = 0; kill < kills && !over(); kill += 1) {
    for (let more = 1 + roll(6); more > 0 && !over(); more -= 1) await scene.faults.next(/./);
    if (!over()) await scene.wallet.killWorker();
  }
}

async function oneRun(seed: number): Promise<void> {
  const roll = dice(seed);
  const before = await lookBefore(scene);
  const shop = await scene.shop();
  let [isPaid, isOver] = [false, false];
  const faults = [
    ...(roll(2) ? [once(BROADCAST, BAD_BROADCASTS[roll(BAD_BROADCASTS.length)] as Fault)] : []),
    ...(roll(2) ? [once(PROOF, { status: 404 })] : []),
    ...(roll(3) === 0 ? [once(REPORT, { status: 500 })] : []),
  ];
  void Promise.all(faults);
  await swipe(shop, await buttonIn(shop, 'ready'));
  const user = payWhatIsAsked(() => isOver);
  const killer = killNowAndThen(1 + roll(3), roll, () => isPaid);
  try {
    await shop.waitForFunction(() => document.querySelector('.service-button')?.getAttribute('data-state') === 'done', {
      polling: 'mutation',
      timeout: RUN_MS,
    });
    isPaid = true;
    await scene.wallet.noApproval();
  } finally {
    isPaid = isOver = true;
    await user;
  }
  void killer;
  await expectPaidOnce(scene, shop, before);
  scene.faults.clear();
  await expectConfirmed(scene);
  await shop.close();
}

test(
  `${RUNS} payments despite kills and faults are each made once`,
  async () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      try {
        await oneRun(seed);
      } catch (cause) {
        throw new Error(`seed ${seed}: ${(cause as Error).message}`, { cause });
      }
    }
    expect(scene.wallet.approvalCount().most).toBe(1);
  },
  RUNS * RUN_MS,
);
