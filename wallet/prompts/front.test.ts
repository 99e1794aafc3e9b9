/** Prompt windows hidden behind others: the badge counts them, and the popup brings one to the front to be decided. */
import { expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { ORIGIN, START, usePrompts } from '../../testkit/wallet/prompts.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const prompts = usePrompts();

async function badge(): Promise<string> {
  await prompts.updateBadge(wallet);
  return prompts.browser.badge;
}

test('the badge counts the prompts that await a decision, not those that are withheld or have ended', async () => {
  expect(await badge()).toBe('');
  await prompts.put('withheld', { state: 'withheld' });
  await prompts.put('ended', { outcome: { answer: 'yes' } });
  const first = prompts.request('a');
  const { window } = await prompts.shown('a');
  expect(await badge()).toBe('1');
  await prompts.put('b', { origin: 'https://other.example', state: 'awaitingDecision' });
  expect(await badge()).toBe('2');
  expect((await prompts.awaitingDecision(wallet)).map(({ message }) => message)).toContain('a');
  await prompts.rejectPrompt(wallet, window.id);
  await first;
  expect(await badge()).toBe('1');
});

test('a minimized window is brought to the front, and no second one is opened', async () => {
  void prompts.request('a');
  const { window } = await prompts.shown('a');
  const open = prompts.browser.windows.get(window.windowId as number);
  Object.assign(open ?? {}, { state: 'minimized' });
  prompts.browser.focused = null;
  await prompts.bringToFront(wallet, window.id);
  expect(open).toMatchObject({ state: 'normal' });
  expect([prompts.browser.focused, prompts.browser.windowsOpened]).toEqual([window.windowId, 1]);
});

test('a window that the browser lost without a notification is opened again', async () => {
  void prompts.request('a');
  const { window } = await prompts.shown('a');
  prompts.browser.windows.delete(window.windowId as number);
  await prompts.bringToFront(wallet, window.id);
  expect(prompts.browser.windowsOpened).toBe(2);
});

test('a window that the browser lost is opened only once if the user clicks twice', async () => {
  void prompts.request('a');
  const { window } = await prompts.shown('a');
  prompts.browser.windows.delete(window.windowId!);
  await Promise.all([1, 2].map(() => prompts.bringToFront(wallet, window.id)));
  expect(prompts.browser.windowsOpened).toBe(2);
});

test('no second window opens for a prompt whose first window is still opening', async () => {
  const { create } = prompts.api.windows;
  let show = () => {};
  const isShown = new Promise<void>((resolve) => (show = resolve));
  const creating = vi.spyOn(prompts.api.windows, 'create').mockImplementationOnce(async (what) => {
    await isShown;
    return create(what);
  });
  void prompts.request('a');
  await vi.waitFor(() => expect(creating).toHaveBeenCalled());
  const opening = (await prompts.read('a'))?.window;
  await prompts.bringToFront(wallet, opening?.id as string);
  show();
  expect((await prompts.shown('a')).window.id).toBe(opening?.id);
  expect(prompts.browser.windowsOpened).toBe(1);
});

test('a window that was read can be approved after the clock was set back by a few seconds', async () => {
  const { window } = await prompts.put('a');
  await prompts.viewPrompt(wallet, window.id);
  setTime(START - 4000);
  await prompts.unlock();
  await prompts.approvePrompt(wallet, window.id, { decision: 'sign' });
});

test('a prompt that has ended is not shown again', async () => {
  const first = prompts.request('a');
  const { window } = await prompts.shown('a');
  await prompts.rejectPrompt(wallet, window.id);
  await first;
  expect(await codeOf(prompts.bringToFront(wallet, window.id))).toBe('approval-unknown');
  expect(prompts.browser.windowsOpened).toBe(1);
});

test('a rejection because of an open window names the site’s open prompt, and no other site', async () => {
  const check = (origin: string) =>
    prompts.database
      .inTransaction(wallet, (tx) => prompts.checkPromptLimits(wallet, tx, origin, 'new'))
      .then(
        () => 'fine',
        (error: Error) => error.message,
      );
  for (const n of [1, 2, 3])
    await prompts.put(`${n}`, { origin: `https://secret-${n}.example`, state: 'awaitingDecision' });
  await prompts.put('a', { state: 'awaitingDecision' });
  expect(await check(ORIGIN)).toMatch(/^A sign-in for this site is already waiting.*icon in the toolbar/);
  const elsewhere = await check('https://other.example');
  expect(elsewhere).toMatch(/^Windows for other sites are already waiting/);
  expect(elsewhere).not.toContain('secret');
});
