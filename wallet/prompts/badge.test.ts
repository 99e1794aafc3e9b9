/** The badge is the only sign of a prompt window that is covered by others. */
import { afterEach, expect, test, vi } from 'vitest';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

test('the badge shows the number of open prompts, even after the worker was restarted', async () => {
  const profile = new Profile('http://localhost:1');
  const { promptStore, database } = (await profile.start()).modules;
  const key = { origin: 'https://shop.example', message: 'a' };
  await database.inTransaction(wallet, (tx) => promptStore.putPrompt(wallet, tx, 'sign-in', key, {}, 'preparing'));
  await promptStore.changePrompt(wallet, key, () => ({ event: 'prepare' }));
  await vi.waitFor(() => expect(profile.browser.badge).toBe('1'));
  profile.browser.badge = '';
  const next = await profile.start();
  await vi.waitFor(() => expect(profile.browser.badge).toBe('1'));
  await next.modules.promptStore.endPrompt(wallet, key, new Error('withdrawn'));
  await vi.waitFor(() => expect(profile.browser.badge).toBe(''));
});
