import { describe, expect, test } from 'vitest';
import { endAllWorkerRuns, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { approvalOf, approvals } from '../../testkit/wallet/wallet.ts';
import { network, ORIGIN, type Kind, wallet, kinds, ask, open, decide, NO, agree, noted } from './testing-prompts.ts';
import { testPrompts } from './testing-rules.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

describe.each(kinds.filter(({ name }) => name !== 'payment' && name !== 'permission'))(
  'a prompt of the kind $name',
  testPrompts,
);

describe.each(kinds)('a prompt of the kind $name', (kind) => {
  test('a repeated request gets one response if the worker is stopped at any crash point', async () => {
    const failures: string[] = [];
    // Each kind of prompt covers different crash points of the shared code.
    const first = 1 + 2 * kinds.indexOf(kind);
    for (let n = first, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += kind.stride) {
      network.reset();
      let workerRun = await wallet();
      workerRun.dieAt(n);
      let deaths = 0;
      let answer: unknown = null;
      while (answer === null || answer === 'payment-pending') {
        const current = workerRun;
        void agreeing(current, kind, () => typeof answer === 'object' && answer !== null);
        answer = await current.untilDeath(() => ask(current, kind));
        if (answer !== null) continue;
        deaths += 1;
        workerRun = await workerRun.profile.start();
      }
      if (deaths === 0) crashPoints = workerRun.crashPoints.length;
      if (workerRun.dead) workerRun = await workerRun.profile.start(); // the worker stopped after the answer
      const isWhole =
        typeof answer === 'object' && (await kind.brought(workerRun, answer)) === 1 && !(await open(workerRun));
      if (!isWhole) failures.push(`crash point ${n} (${workerRun.crashPoints.at(-1)}): ${JSON.stringify(answer)}`);
      endAllWorkerRuns();
    }
    expect(failures).toEqual([]);
  });

  test('a rejection is complete or absent if the worker is stopped at any crash point', async () => {
    const failures: string[] = [];
    for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += 1) {
      const workerRun = await wallet();
      const answer = ask(workerRun, kind);
      const id = await approvalOf(workerRun);
      await noted(workerRun);
      workerRun.dieAt(n);
      await workerRun.untilDeath(() => decide(workerRun, id, { ...NO, blockHours: 1 }).then(() => answer));
      if (!workerRun.dead) crashPoints = workerRun.crashPoints.length;
      workerRun.end();
      const next = await workerRun.profile.start();
      const isOpen = (await open(next)) !== undefined;
      const isBlocked = ((await next.modules.sites.readSite(current, ORIGIN))?.blockedUntil ?? null) !== null;
      // The rejection, the site's block and the answer are stored together or not at all.
      if (isOpen === isBlocked) failures.push(`crash point ${n}: open ${isOpen}, blocked ${isBlocked}`);
      const answered = kind.named ? 'site-blocked' : kind.declined;
      if (!isOpen && (await ask(next, kind)) !== answered) failures.push(`crash point ${n}: another answer`);
      endAllWorkerRuns();
    }
    expect(failures).toEqual([]);
  });
});

/** Approves every prompt until the worker stops or the test has its answer. */
async function agreeing(workerRun: WorkerRun, kind: Kind, isOver: () => boolean): Promise<void> {
  while (!workerRun.dead && !isOver()) {
    for (const { id } of approvals(workerRun)) await agree(workerRun, id, kind).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
