import { beforeEach, expect, test, vi } from 'vitest';
import type { ImbOptions } from '../api.ts';
import type * as Door from './imb-door.ts';
import type * as Parts from '../page/parts.ts';
import type { Wallet } from '../wallet/wallet.ts';

const left = { amount: '1', currency: 'USD', satoshis: '2' };
const wallet = {
  watch: (watcher: (presence: string) => void) => (watcher('present'), () => {}),
  ask: vi.fn<() => Promise<unknown>>(),
};
let parts: typeof Parts;
let imbDoor: typeof Door.imbDoor;
let IMB: ReturnType<typeof Door.imbDoor>;

beforeEach(async () => {
  vi.resetModules();
  vi.resetAllMocks();
  wallet.ask.mockResolvedValue(left);
  parts = await import('../page/parts.ts');
  ({ imbDoor } = await import('./imb-door.ts'));
  IMB = imbDoor(() => wallet as unknown as Wallet);
});

const provideReader = async () => {
  const { OPTIONS_PART } = await import('../options/options-part.ts');
  parts.provide('options', OPTIONS_PART);
};

test('the first instance loads the part for payments, and its calls wait for that part', async () => {
  const load = vi.fn<(name: string) => Promise<unknown>>(provideReader);
  parts.setPartLoader(load, ['options']);
  const imb = new IMB({ clientIdentifier: 'c' });
  expect(load).toHaveBeenCalledExactlyOnceWith('options');
  expect(await imb.amountLeft()).toEqual(left);
  expect(wallet.ask).toHaveBeenCalledExactlyOnceWith('allowance/left', { clientIdentifier: 'c' });
});

test('the first call rejects invalid options', async () => {
  await provideReader();
  const imb = new IMB({} as ImbOptions);
  await expect(imb.swipe({})).rejects.toMatchObject({ name: 'ConfigurationError', reason: 'invalid-option' });
});

test.each([
  ['there is none', () => {}],
  ['it cannot be loaded', () => parts.setPartLoader(() => Promise.reject(new Error('refused')), ['options'])],
])('every call rejects with missing-part if %s', async (_, arrange) => {
  arrange();
  const imb = new IMB({ clientIdentifier: 'c' });
  for (const called of [imb.swipe({}), imb.amountLeft(), imb.askForPermission()])
    await expect(called).rejects.toMatchObject({ reason: 'missing-part' });
});

test('a script that can’t find its service pays nothing', async () => {
  await provideReader();
  const imb = new (imbDoor(() => wallet as unknown as Wallet, true))({ clientIdentifier: 'c' });
  const called = imb.swipe({ to: 'ann@pay.example', amount: '0.10' });
  await expect(called).rejects.toMatchObject({ name: 'ConfigurationError', reason: 'unknown-service' });
  expect(wallet.ask).not.toHaveBeenCalled();
});
