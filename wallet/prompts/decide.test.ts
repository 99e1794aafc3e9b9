/** The contents of prompt windows, and the user's decisions in them. */
import { describe, expect, test, vi } from 'vitest';
import { setTime } from '../../testkit/wallet/clock.ts';
import { ORIGIN, START, usePrompts } from '../../testkit/wallet/prompts.ts';
import type { Prompt } from './prompt.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const prompts = usePrompts();

const key = { origin: ORIGIN, message: 'a' };
const code = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'taken',
    (error: { code?: string }) => error.code ?? 'internal',
  );
const outcome = async (message = 'a') => (await prompts.read(message))?.outcome;
const failure = (expected: string) => ({ error: expect.objectContaining({ code: expected }) });

async function open(more: Partial<Prompt> = {}): Promise<Prompt> {
  const window = prompts.newWindow(wallet);
  return prompts.put('a', { window: { ...window, windowId: await prompts.openWindow(wallet, window.id) }, ...more });
}

describe('a window', () => {
  test('a window shows the view of its kind and the fields common to all kinds', async () => {
    await prompts.database.writeKey(wallet, 'settings', { network: 'testnet' });
    const { window } = await open();
    expect(await prompts.viewPrompt(wallet, window.id)).toEqual({
      kind: 'sign-in',
      text: 'a',
      wasLocked: true,
      origin: ORIGIN,
      locked: true,
      network: 'testnet',
      mayBlock: false,
    });
    await prompts.unlock();
    await (
      await prompts.database.database(wallet)
    ).put('sites', { origin: ORIGIN, refusedAt: [START, START], dismissals: 2, endedAt: START, blockedUntil: null });
    expect(await prompts.viewPrompt(wallet, window.id)).toMatchObject({
      wasLocked: false,
      locked: false,
      mayBlock: true,
    });
  });

  test('a window shows nothing if its prompt awaits no decision', async () => {
    expect(await code(prompts.viewPrompt(wallet, prompts.randomId(wallet)))).toBe('approval-unknown');
    const { window } = await open({ state: 'withheld' });
    await prompts.put('b', { origin: 'https://b.example' });
    expect(await code(prompts.viewPrompt(wallet, window.id))).toBe('approval-unknown');
    expect(await code(prompts.approvePrompt(wallet, window.id, { decision: 'sign' }))).toBe('approval-unknown');
    expect(await code(prompts.rejectPrompt(wallet, window.id))).toBe('approval-unknown');
    expect(await outcome()).toBeNull();
    await prompts.put('a', { window, state: 'preparing' });
    expect(await code(prompts.viewPrompt(wallet, window.id))).toBe('taken');
    await prompts.put('a', { window, outcome: { answer: 'yes' } });
    expect(await code(prompts.viewPrompt(wallet, window.id))).toBe('approval-unknown');
  });

  test('the first view stores its time, and the window’s ID if that is unknown', async () => {
    const { window } = await prompts.put('a');
    await prompts.put('b', { origin: 'https://b.example' });
    const changed = vi.fn();
    void prompts.nextPromptChange(wallet, key).then(changed);
    setTime(START + 5);
    await prompts.viewPrompt(wallet, window.id);
    expect(changed).toHaveBeenCalledOnce();
    expect((await prompts.read('a'))?.window).toEqual({ id: window.id, windowId: null, shownAt: START + 5 });
    setTime(START + 10);
    await prompts.viewPrompt(wallet, window.id, 7);
    expect((await prompts.read('a'))?.window).toEqual({ id: window.id, windowId: 7, shownAt: START + 5 });
    void prompts.nextPromptChange(wallet, key).then(changed);
    await prompts.viewPrompt(wallet, window.id, 8);
    await prompts.viewPrompt(wallet, window.id);
    expect((await prompts.read('a'))?.window).toEqual({ id: window.id, windowId: 7, shownAt: START + 5 });
    expect(changed).toHaveBeenCalledOnce();
  });

  test('changed contents restart the reading time', async () => {
    const { window } = await open();
    await prompts.viewPrompt(wallet, window.id);
    await prompts.changePrompt(wallet, key, prompts.readAgain);
    expect((await prompts.read('a'))?.window).toEqual({ ...window, shownAt: null });
    setTime(START + 1000);
    await prompts.viewPrompt(wallet, window.id);
    expect((await prompts.read('a'))?.window.shownAt).toBe(START + 1000);
  });

  test('an earlier window of a prompt stores nothing', async () => {
    const { window } = await open();
    const other = prompts.newWindow(wallet);
    vi.spyOn(prompts.plain, 'view').mockImplementationOnce(async () => {
      await prompts.changePrompt(wallet, key, () => ({ window: other }));
      return {} as never;
    });
    await prompts.viewPrompt(wallet, window.id);
    expect((await prompts.read('a'))?.window).toEqual(other);
  });
});

describe('an approval', () => {
  test('an approval is accepted for its own kind, after the reading time and with the wallet unlocked', async () => {
    const approve = vi.spyOn(prompts.plain, 'approve');
    const { window } = await open();
    const sign = () => code(prompts.approvePrompt(wallet, window.id, { decision: 'sign' }));
    expect(await code(prompts.approvePrompt(wallet, window.id, { decision: 'pay' }))).toBe('approval-unknown');
    setTime(START + 10_000);
    expect(await sign()).toBe('too-soon');
    await prompts.viewPrompt(wallet, window.id);
    setTime(START + 10_499);
    expect(await sign()).toBe('too-soon');
    setTime(START + 10_500);
    expect(await sign()).toBe('wallet-locked');
    await prompts.unlock();
    expect(approve).not.toHaveBeenCalled();
    expect(await sign()).toBe('taken');
    expect(approve).toHaveBeenCalledExactlyOnceWith(await prompts.read('a'), { decision: 'sign' });
  });

  test("only one of several concurrent approvals counts, and it clears the site's earlier dismissals", async () => {
    await prompts.database.inTransaction(wallet, (tx) => prompts.sites.recordRejection(wallet, tx, ORIGIN, 'user'));
    const prompt = await open();
    const answer = () => code(prompts.resolvePrompt(wallet, prompt, () => 'yes'));
    expect((await Promise.all([answer(), answer(), answer()])).sort()).toEqual([
      'approval-unknown',
      'approval-unknown',
      'taken',
    ]);
    expect(await outcome()).toEqual({ answer: 'yes' });
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toMatchObject({ dismissals: 0, refusedAt: [] });
  });

  test("an approval from a different window than the prompt's is rejected", async () => {
    const prompt = await open();
    await prompts.changePrompt(wallet, key, () => ({ window: prompts.newWindow(wallet) }));
    expect(await code(prompts.resolvePrompt(wallet, prompt, () => 'yes'))).toBe('approval-unknown');
    expect(await outcome()).toBeNull();
  });

  test('an approval that fails changes nothing', async () => {
    await prompts.database.inTransaction(wallet, (tx) => prompts.sites.recordRejection(wallet, tx, ORIGIN, 'user'));
    const prompt = await open();
    const fails = () => Promise.reject(new Error('no'));
    expect(await code(prompts.resolvePrompt(wallet, prompt, fails))).toBe('internal');
    expect(await outcome()).toBeNull();
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toMatchObject({ dismissals: 1 });
  });
});

describe('a rejection', () => {
  test("a rejection ends the prompt with the kind's error and counts against the site", async () => {
    const { window } = await open({ kind: 'operations' });
    await prompts.rejectPrompt(wallet, window.id);
    expect(await outcome()).toEqual(failure('operation-refused'));
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toEqual({
      origin: ORIGIN,
      refusedAt: [START],
      dismissals: 1,
      endedAt: START,
      blockedUntil: null,
    });
    expect(prompts.full.dismissed).toHaveBeenCalledOnce();
    expect(await code(prompts.rejectPrompt(wallet, window.id))).toBe('approval-unknown');
  });

  test('a rejection blocks the site if the user wants that', async () => {
    const { window } = await open();
    await prompts.rejectPrompt(wallet, window.id, START + 1000);
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toMatchObject({ dismissals: 1, blockedUntil: START + 1000 });
  });

  test.each([
    ['sign-in', 'sign-in-refused'],
    ['operations', 'approval-closed'],
  ])('closing the window rejects a %s prompt', async (kind, expected) => {
    const { window } = await open({ kind });
    await prompts.put('b', { origin: 'https://b.example', window: { ...window, windowId: 99 } });
    prompts.browser.closeWindow(window.windowId as number);
    await vi.waitFor(async () => expect(await outcome()).toEqual(failure(expected)));
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toMatchObject({ dismissals: 1, refusedAt: [START] });
    expect((await prompts.read('b', 'https://b.example'))?.outcome).toBeNull();
  });

  test('closing any other window rejects nothing', async () => {
    await open();
    await prompts.promptWindowClosed(wallet, 4711);
    expect(await outcome()).toBeNull();
  });

  test("the end of the browser or the wallet doesn't count against the site", async () => {
    await open({ kind: 'operations' });
    await prompts.put('b', { origin: 'https://b.example' });
    await prompts.put('c', { outcome: { answer: 'yes' } });
    await prompts.dropPrompts(wallet);
    expect(await prompts.openPrompts(wallet)).toEqual([]);
    expect([await outcome(), await outcome('c')]).toEqual([failure('approval-closed'), { answer: 'yes' }]);
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toBeUndefined();
    expect(prompts.full.dismissed).not.toHaveBeenCalled();
  });
});

describe('showing a prompt', () => {
  test("a prompt opens in its own window, with an id that can't be guessed", async () => {
    const create = vi.spyOn(prompts.api.windows, 'create');
    const before = await prompts.put('a');
    await prompts.showPrompt(wallet, key);
    const { window } = await prompts.shown('a');
    expect(window).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      windowId: expect.any(Number),
      shownAt: null,
    });
    expect(window.id).not.toBe(before.window.id);
    expect(create).toHaveBeenCalledExactlyOnceWith({
      type: 'popup',
      url: `${prompts.browser.root}extension/approval/index.html?id=${window.id}`,
      width: 420,
      height: 680,
      focused: true,
    });
    expect(await outcome()).toBeNull();
  });

  test('a prompt opens no second window, and a new one if the first is gone', async () => {
    const { window } = await open();
    await prompts.showPrompt(wallet, key);
    expect([prompts.browser.windowsOpened, (await prompts.read('a'))?.window]).toEqual([1, window]);
    prompts.browser.windows.clear();
    await prompts.showPrompt(wallet, key);
    expect(prompts.browser.windowsOpened).toBe(2);
    expect((await prompts.read('a'))?.window.id).not.toBe(window.id);
  });

  test.each([{ state: 'withheld' as const }, { state: 'preparing' as const }, { outcome: { answer: 'yes' } }])(
    'no window opens for a prompt that awaits no decision: %o',
    async (more: Partial<Prompt>) => {
      await prompts.showPrompt(wallet, key);
      await prompts.put('a', more);
      await prompts.showPrompt(wallet, key);
      expect(prompts.browser.windowsOpened).toBe(0);
    },
  );

  test('a prompt whose window fails to open ends as failed, not as rejected', async () => {
    vi.spyOn(prompts.api.windows, 'create').mockRejectedValueOnce(new Error('no window'));
    const prompt = await prompts.put('a', { kind: 'payment' });
    await prompts.showPrompt(wallet, key);
    expect(await outcome()).toBeUndefined();
    expect(prompts.recorded.record).toHaveBeenCalledExactlyOnceWith(
      expect.anything(),
      { ...prompt, window: expect.anything() },
      expect.objectContaining({ code: 'internal' }),
      true,
    );
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toBeUndefined();
  });

  test('a window closes again if its prompt ended while the window opened', async () => {
    const { create } = prompts.api.windows;
    vi.spyOn(prompts.api.windows, 'create').mockImplementationOnce(async (what) => {
      await prompts.withdraw(wallet, key);
      return create(what);
    });
    await prompts.put('a');
    await prompts.showPrompt(wallet, key);
    expect([prompts.browser.windowsOpened, prompts.browser.windows.size]).toEqual([1, 0]);
    expect(await outcome()).toEqual(failure('page-gone'));
  });

  test('no window opens for a prompt that ended before', async () => {
    vi.spyOn(prompts.api.windows, 'get').mockImplementationOnce(async () => {
      await prompts.withdraw(wallet, key);
      throw new Error('no window');
    });
    await prompts.put('a', { window: { ...prompts.newWindow(wallet), windowId: 99 } });
    await prompts.showPrompt(wallet, key);
    expect(prompts.browser.windowsOpened).toBe(0);
  });

  test('closing the window before it is stored rejects the prompt', async () => {
    const { create } = prompts.api.windows;
    vi.spyOn(prompts.api.windows, 'create').mockImplementationOnce(async (what) => {
      const made = await create(what);
      prompts.browser.windows.delete(made.id);
      return made;
    });
    await prompts.put('a', { kind: 'operations' });
    await prompts.showPrompt(wallet, key);
    expect(await outcome()).toEqual(failure('approval-closed'));
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toMatchObject({ dismissals: 1 });
  });

  test('a prompt stays open if the browser reports no ID for its window', async () => {
    vi.spyOn(prompts.api.windows, 'create').mockResolvedValueOnce({} as never);
    await prompts.put('a');
    await prompts.showPrompt(wallet, key);
    expect(await prompts.read('a')).toMatchObject({ outcome: null, window: { windowId: null } });
  });

  test("the browser isn't queried for a window without an ID, and a closed window isn't closed again", async () => {
    const called = (['get', 'remove'] as const).map((name) => vi.spyOn(prompts.api.windows, name));
    const windowId = await prompts.openWindow(wallet, 'x');
    for (const id of [windowId, windowId, null, undefined]) await prompts.closeWindow(wallet, id);
    expect(prompts.browser.windows.size).toBe(0);
    expect(
      await Promise.all([windowId, null, undefined].map((windowId) => prompts.windowExists(wallet, windowId))),
    ).toEqual([false, false, false]);
    expect(called.map(({ mock }) => mock.calls)).toEqual([[[windowId]], [[windowId], [windowId]]]);
  });
});
