import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import type { Prompt, PromptState } from './prompt.ts';
import type { Ending } from './store.ts';
import { ORIGIN, START, usePrompts } from '../../testkit/wallet/prompts.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const prompts = usePrompts();

const key = { origin: ORIGIN, message: 'a' };
const code = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'fine',
    (error: { code?: string }) => error.code ?? 'internal',
  );
const check = (userActivation: UserActivation = 'new', origin = ORIGIN) =>
  code(prompts.database.inTransaction(wallet, (tx) => prompts.checkPromptLimits(wallet, tx, origin, userActivation)));
const prepared = () => code(prompts.database.inTransaction(wallet, (tx) => prompts.promptPrepared(tx, key)));
/** Opens `count` prompts from other sites. */
async function others(count: number, state: PromptState): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await prompts.put(`${state} ${n}`, { origin: `https://${state}-${n}.example`, state });
}
const dismissed = (by: 'user' | 'page' = 'user') =>
  prompts.database.inTransaction(wallet, (tx) => prompts.sites.recordRejection(wallet, tx, ORIGIN, by));

describe('the limits of prompts', () => {
  test.each(['awaitingDecision', 'preparing'] as const)(
    'a prompt is rejected if its site already has one that is %s',
    async (state) => {
      await prompts.put('b', { state });
      expect(await check()).toBe('busy');
      expect(await check('new', 'https://other.example')).toBe('fine');
    },
  );

  test("withheld and ended prompts of the site don't count", async () => {
    await prompts.put('b', { state: 'withheld' });
    await prompts.put('c', { outcome: { answer: 'yes' } });
    expect(await check()).toBe('fine');
  });

  test('at most four windows are open over all sites', async () => {
    await others(3, 'awaitingDecision');
    await others(5, 'withheld');
    expect([await check('new'), await check('none')]).toEqual(['fine', 'fine']);
    await others(4, 'awaitingDecision');
    expect([await check('new'), await check('none')]).toEqual(['busy', 'busy']);
  });

  test("prompts that other sites prepare don't count after a user gesture", async () => {
    await others(2, 'awaitingDecision');
    await others(2, 'preparing');
    expect([await check('new'), await check('active'), await check('none')]).toEqual(['fine', 'busy', 'busy']);
  });

  test('a dismissed site must wait or needs a new user gesture', async () => {
    await dismissed();
    expect([await check('new'), await check('active'), await check('none')]).toEqual([
      'fine',
      'too-many-requests',
      'too-many-requests',
    ]);
    expect(await check('none', 'https://other.example')).toBe('fine');
    const { refusedAt } = (await prompts.sites.readSite(wallet, ORIGIN)) ?? {};
    expect(refusedAt).toEqual([START]);
  });

  test('a blocked site is rejected, regardless of user activation', async () => {
    await prompts.sites.setBlock(wallet, ORIGIN, START + 1);
    expect([await check('new'), await check('new', 'https://other.example')]).toEqual(['site-blocked', 'fine']);
  });

  test('the limits are checked before the prompt is stored', async () => {
    void prompts.request('a');
    await prompts.shown('a');
    expect(await prompts.request('b')).toBe('busy');
    expect(await prompts.read('b')).toBeUndefined();
    await dismissed();
    expect(await prompts.request('c', { userActivation: 'active' })).toBe('busy');
  });
});

describe('a prepared prompt', () => {
  test("a prepared prompt awaits the user's decision", async () => {
    const prompt = await prompts.put('a', { state: 'preparing' });
    await others(3, 'awaitingDecision');
    await others(3, 'preparing');
    expect(await prepared()).toBe('fine');
    expect(await prompts.read('a')).toEqual({ ...prompt, state: 'awaitingDecision' });
  });

  test('a prepared prompt waits if no window is free', async () => {
    await prompts.put('a', { state: 'preparing' });
    await others(4, 'awaitingDecision');
    expect(await prepared()).toBe('busy');
    expect(await prompts.read('a')).toMatchObject({ state: 'preparing' });
  });

  test.each(['withheld', 'awaitingDecision', undefined] as const)(
    'no prompt changes unless it was being prepared: %s',
    async (state) => {
      if (state) await prompts.put('a', { state });
      await others(4, 'awaitingDecision');
      expect(await prepared()).toBe('fine');
      expect((await prompts.read('a'))?.state).toBe(state);
    },
  );
});

describe('a stored prompt', () => {
  test('a new prompt has no outcome, and its window is not open yet', async () => {
    const stored = await prompts.database.inTransaction(wallet, (tx) =>
      prompts.putPrompt(wallet, tx, 'sign-in', key, { subject: 'x' }, 'preparing'),
    );
    expect(await prompts.read('a')).toEqual(stored);
    expect(stored).toEqual({
      ...key,
      kind: 'sign-in',
      createdAt: START,
      state: 'preparing',
      window: { id: expect.stringMatching(/^[0-9a-f]{32}$/), windowId: null, shownAt: null },
      details: { subject: 'x' },
      outcome: null,
    });
  });

  test('a change of an open prompt notifies the waiting callers', async () => {
    const prompt = await prompts.put('a');
    const [change, announcement] = [prompts.nextPromptChange(wallet, key), prompts.events.nextAnnouncement(wallet)];
    const changed = await prompts.changePrompt(wallet, key, ({ window }) => ({ window: { ...window, windowId: 3 } }));
    expect(changed).toEqual({ ...prompt, window: { ...prompt.window, windowId: 3 } });
    expect(await prompts.read('a')).toEqual(changed);
    await Promise.all([change, announcement]);
  });

  test("a prompt that has ended or is missing isn't changed", async () => {
    const prompt = await prompts.put('a', { outcome: { answer: 'yes' } });
    const never = () => {
      throw new Error('is not asked');
    };
    const heard = vi.fn();
    void prompts.nextPromptChange(wallet, key).then(heard);
    expect(await prompts.changePrompt(wallet, key, never)).toBeNull();
    expect(await prompts.changePrompt(wallet, { ...key, message: 'b' }, never)).toBeNull();
    expect(await prompts.read('a')).toEqual(prompt);
    expect(heard).not.toHaveBeenCalled();
  });

  test('an ended prompt keeps the details that its kind selects', async () => {
    await prompts.put('a', { kind: 'operations', details: { subject: 'x', secret: 'y' } });
    await prompts.changePrompt(wallet, key, ({ window }) => ({ window }));
    expect((await prompts.read('a'))?.details).toEqual({ subject: 'x', secret: 'y' });
    await prompts.changePrompt(wallet, key, () => ({ event: 'answer', answer: 'yes' }));
    expect(await prompts.read('a')).toMatchObject({ details: { subject: 'x' }, outcome: { answer: 'yes' } });
    expect((await prompts.read('a'))?.details).not.toHaveProperty('secret');
  });

  test('an ended prompt is deleted if its kind has its own records', async () => {
    await prompts.put('a', { kind: 'payment' });
    await prompts.changePrompt(wallet, key, ({ window }) => ({ window }));
    expect(await prompts.read('a')).toBeDefined();
    await prompts.changePrompt(wallet, key, () => ({ event: 'answer', answer: 'yes' }));
    expect(await prompts.read('a')).toBeUndefined();
    expect(prompts.recorded.record).not.toHaveBeenCalled();
  });
});

describe('a failed prompt', () => {
  const end = (ending?: Ending) => prompts.endPrompt(wallet, key, new ServiceError('refused'), ending);

  test('a failed prompt has the error as its outcome and notifies its kind', async () => {
    const prompt = await prompts.put('a', { kind: 'payment' });
    expect(await end()).toEqual({
      ...prompt,
      endedAt: START,
      outcome: { error: expect.objectContaining({ code: 'refused' }) },
    });
    expect(prompts.recorded.record).toHaveBeenCalledExactlyOnceWith(
      expect.anything(),
      prompt,
      expect.objectContaining({ code: 'refused' }),
      false,
    );
    expect(await end()).toBeNull();
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toBeUndefined();
  });

  test.each([
    ['user', 'awaitingDecision', 1, 1],
    ['page', 'awaitingDecision', 1, 0],
    ['page', 'preparing', 1, 0],
    ['page', 'withheld', undefined, 0],
    ['user', 'withheld', undefined, 1],
  ] as const)(
    'a dismissal by the %s of a prompt that is %s adds to the dismissals of its site: %s',
    async (dismissedBy, state, dismissals, told) => {
      const more: Partial<Prompt> = { kind: 'operations', state };
      await prompts.put('a', more);
      await end({ dismissedBy });
      expect((await prompts.sites.readSite(wallet, ORIGIN))?.dismissals).toBe(dismissals);
      expect(prompts.full.dismissed).toHaveBeenCalledTimes(told);
    },
  );
});
