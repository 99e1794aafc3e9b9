/**
 * Tests that apply to all kinds of prompts: a single window, limits, repetition, withdrawal, expiry, blocking, a single
 * decision, and crashes.
 */
import { expect, test, vi } from 'vitest';
import type { PromptKey } from './store.ts';
import { holdTime, timeToRead } from '../../testkit/wallet/clock.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { approvalOf, approvals, PASSWORD, stored } from '../../testkit/wallet/wallet.ts';
import {
  network,
  ORIGIN,
  wallet,
  kinds,
  type Kind,
  ask,
  open,
  read,
  decide,
  NO,
  agree,
  noted,
} from './testing-prompts.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

function closeAll(workerRun: WorkerRun): void {
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
}

/** Expects no open prompt, no reserved coin and no broadcast. */
async function expectNothing(workerRun: WorkerRun): Promise<void> {
  expect(await open(workerRun)).toBeUndefined();
  const { coins, payments } = await stored(workerRun);
  expect(coins.map(({ status }) => status)).toEqual(['available']);
  expect(payments.filter(({ unfinished, signed }) => unfinished !== 0 || signed)).toEqual([]);
  expect(network.broadcasts).toEqual([]);
  expect(JSON.stringify(await (await workerRun.modules.database.database(current)).getAll('prompts'))).not.toContain(
    '"answer"',
  );
}

export function testPrompts(kind: Kind): void {
  test('a prompt is shown and answered after one approval, and a repeated request gets the same response', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    const id = await approvalOf(workerRun);
    expect(await read(workerRun, id)).toMatchObject({
      kind: kind.name,
      origin: ORIGIN,
      locked: false,
      mayBlock: false,
    });
    expect(await agree(workerRun, id, kind)).toBe('taken');
    expect(typeof (await answer)).toBe('object');
    expect(JSON.stringify(await ask(workerRun, kind))).toBe(JSON.stringify(await ask(workerRun, kind)));
    expect(await kind.brought(workerRun, await answer)).toBe(1);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('twenty requests with one ID share one prompt', async () => {
    const workerRun = await wallet();
    const answers = Array.from({ length: 20 }, () => ask(workerRun, kind));
    await agree(workerRun, await approvalOf(workerRun), kind);
    for (const answer of await Promise.all(answers)) expect(typeof answer).toBe('object');
    expect(await kind.brought(workerRun, await answers[0])).toBe(1);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('a prompt accepts no decision before there was time to read, while the wallet is locked, or from another kind’s window', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    const id = await approvalOf(workerRun);
    expect(await decide(workerRun, id, kind.yes)).toBe('too-soon');
    const goOn = holdTime();
    await read(workerRun, id);
    expect(await decide(workerRun, id, kind.yes)).toBe('too-soon');
    goOn();
    await workerRun.modules.vault.lock(current);
    await timeToRead();
    expect(await decide(workerRun, id, kind.yes)).toBe('wallet-locked');
    await workerRun.modules.vault.unlock(current, PASSWORD);
    for (const { yes } of kinds)
      if (yes.decision !== kind.yes.decision) expect(await decide(workerRun, id, yes)).toBe('approval-unknown');
    expect(await agree(workerRun, id, kind)).toBe('taken');
    expect(typeof (await answer)).toBe('object');
  });

  test('one of several concurrent decisions counts, and the prompt is unknown afterwards', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    const id = await approvalOf(workerRun);
    await read(workerRun, id);
    await timeToRead();
    const codes = await Promise.all([kind.yes, kind.yes, kind.yes].map((yes) => decide(workerRun, id, yes)));
    expect(codes.sort()).toEqual(['approval-unknown', 'approval-unknown', 'taken']);
    expect(await kind.brought(workerRun, await answer)).toBe(1);
    for (const unknown of [id, '0'.repeat(32)]) {
      await expect(read(workerRun, unknown)).rejects.toMatchObject({ code: 'approval-unknown' });
      for (const decision of [kind.yes, NO])
        expect(await decide(workerRun, unknown, decision)).toBe('approval-unknown');
    }
  });

  test('a prompt ends when the user rejects it', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    expect(await decide(workerRun, await approvalOf(workerRun), NO)).toBe('taken');
    expect(await answer).toBe(kind.declined);
    expect(await workerRun.modules.sites.readSite(current, ORIGIN)).toMatchObject({
      dismissals: 1,
      refusedAt: [expect.any(Number)],
    });
    await expectNothing(workerRun);
  });

  test('a prompt ends when its window is closed', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    await approvalOf(workerRun);
    await noted(workerRun);
    closeAll(workerRun);
    expect(await answer).toBe(kind.closed);
    await expectNothing(workerRun);
  });

  test('a prompt ends when its window is closed before the wallet has stored the window’s ID', async () => {
    const workerRun = await wallet();
    const { create } = workerRun.browserApi.windows;
    vi.spyOn(workerRun.browserApi.windows, 'create').mockImplementationOnce(async (what) => {
      const made = await create(what);
      workerRun.profile.browser.closeWindow(made.id);
      return made;
    });
    expect(await ask(workerRun, kind)).toBe(kind.closed);
    await expectNothing(workerRun);
  });

  test('a prompt whose window the browser does not open ends, and does not count among the windows', async () => {
    const workerRun = await wallet();
    const create = vi.spyOn(workerRun.browserApi.windows, 'create').mockRejectedValue(new Error('no window'));
    for (const n of [1, 2, 3, 4])
      expect(await ask(workerRun, kind, { origin: `https://${n}.example` })).toMatch(/internal|not-paid/);
    create.mockRestore();
    const answer = ask(workerRun, kind);
    await agree(workerRun, await approvalOf(workerRun), kind);
    expect(typeof (await answer)).toBe('object');
  });

  test('a prompt ends with its page, its window closes, and it can be requested again only with user activation', async () => {
    const workerRun = await wallet();
    const client = {};
    const answer = ask(workerRun, kind, { client });
    await approvalOf(workerRun);
    await noted(workerRun);
    const goOn = holdTime();
    await workerRun.modules.prompts.withdrawClient(current, client);
    expect(await answer).toBe('page-gone');
    expect(approvals(workerRun)).toEqual([]);
    expect(await workerRun.modules.sites.readSite(current, ORIGIN)).toMatchObject({ dismissals: 1, refusedAt: [] });
    await expectNothing(workerRun);
    const alone = await ask(workerRun, kind, { userActivation: 'active' });
    expect(alone).toBe(kind.named ? 'too-many-requests' : 'page-gone');
    goOn();
    const anew = ask(workerRun, kind, { userActivation: 'new' });
    await agree(workerRun, await approvalOf(workerRun), kind);
    expect(await kind.brought(workerRun, await anew)).toBe(1);
  });

  test('a prompt stays while another page of the site waits for it', async () => {
    const workerRun = await wallet();
    const [first, second] = [{}, {}];
    void ask(workerRun, kind, { client: first });
    const answer = ask(workerRun, kind, { client: second });
    const id = await approvalOf(workerRun);
    await noted(workerRun);
    const prompt = (await open(workerRun)) as PromptKey;
    await vi.waitFor(() => expect(workerRun.modules.prompts.waitersOf(current, prompt)).toBe(2));
    await workerRun.modules.prompts.withdrawClient(current, first);
    await agree(workerRun, id, kind);
    expect(typeof (await answer)).toBe('object');
  });

  test('a prompt has one window for its site and one of four in total, together with every other kind', async () => {
    const workerRun = await wallet();
    void ask(workerRun, kind);
    await approvalOf(workerRun);
    const exclusive = kinds.filter(({ named }) => !named);
    for (const other of exclusive) expect(await ask(workerRun, other, { n: 2 }), other.name).toBe('busy');
    for (const other of kinds) if (other.named) void ask(workerRun, other, { n: 2 });
    for (const [i, other] of kinds.slice(1, 4).entries()) {
      void ask(workerRun, other, { origin: `https://${i}.example` });
      await approvalOf(workerRun, i + 2);
    }
    expect(await ask(workerRun, kind, { origin: 'https://fifth.example' })).toBe('busy');
    expect(workerRun.profile.browser.windowsOpened).toBe(4);
    expect(await workerRun.modules.promptStore.openPrompts(current)).toHaveLength(4);
  });

  test('a prompt of a dismissed site waits for new user activation, and is rejected while the site is blocked', async () => {
    const workerRun = await wallet();
    const first = ask(workerRun, kind);
    await decide(workerRun, await approvalOf(workerRun), NO);
    await first;
    closeAll(workerRun);
    const db = await workerRun.modules.database.database(current);
    const site = await db.get('sites', ORIGIN);
    const goOn = holdTime();
    if (site)
      await db.put('sites', { ...site, dismissals: 7, refusedAt: [Date.now(), Date.now()], endedAt: Date.now() });
    expect(await ask(workerRun, kind, { n: 2, userActivation: 'active' })).toBe('too-many-requests');
    goOn();
    const second = ask(workerRun, kind, { n: 2 });
    const id = await approvalOf(workerRun);
    expect(await read(workerRun, id)).toMatchObject({ mayBlock: true });
    await decide(workerRun, id, { ...NO, blockHours: 1 });
    expect(await second).toBe(kind.declined);
    closeAll(workerRun);
    expect(await ask(workerRun, kind, { n: 3 })).toBe('site-blocked');
    await workerRun.modules.sites.setBlock(current, ORIGIN, null);
    void ask(workerRun, kind, { n: 3 });
    await approvalOf(workerRun);
    expect(workerRun.profile.browser.windowsOpened).toBe(3);
  });

  test('a prompt ends with the browser', async () => {
    const workerRun = await wallet();
    void ask(workerRun, kind);
    await approvalOf(workerRun);
    workerRun.profile.browser.restart();
    const next = await workerRun.profile.start();
    next.browserApi.events.onStartup.tell();
    await vi.waitFor(async () => expect(await open(next)).toBeUndefined());
    expect(await ask(next, kind)).toBe(kind.closed);
    await expectNothing(next);
  });

  test('a prompt is withdrawn if no relay requests it again after the worker was stopped', async () => {
    const workerRun = await wallet();
    void ask(workerRun, kind);
    await approvalOf(workerRun);
    await noted(workerRun);
    const next = await workerRun.profile.start();
    await vi.waitFor(async () => expect(await open(next)).toBeUndefined());
    await vi.waitFor(() => expect(approvals(next)).toEqual([]));
    if (!kind.named) expect(await ask(next, kind, { userActivation: 'active' })).toBe('page-gone');
    await expectNothing(next);
  });

  test('a prompt needs a wallet', async () => {
    const workerRun = await wallet();
    await workerRun.modules.database.deleteKey(current, 'vault');
    expect(await ask(workerRun, kind)).toBe('wallet-not-set-up');
  });

  test('a prompt keeps the window that a killed worker opened: the window reports its prompt, and no second one opens', async () => {
    const workerRun = await wallet();
    workerRun.dieAt('after windows.create');
    expect(await workerRun.untilDeath(() => ask(workerRun, kind))).toBeNull();
    const next = await workerRun.profile.start();
    expect((await open(next))?.window.windowId).toBeNull();
    const [left] = approvals(next) as [{ id: string; windowId: number }];
    await next.modules.handlers
      .walletHandlers(current)
      ['approval/read']({ approvalId: left.id }, { windowId: left.windowId });
    const answer = ask(next, kind);
    await noted(next);
    expect([next.profile.browser.windowsOpened, approvals(next)]).toEqual([1, [left]]);
    next.profile.browser.closeWindow(left.windowId);
    expect(await answer).toBe(kind.closed);
  });
}
