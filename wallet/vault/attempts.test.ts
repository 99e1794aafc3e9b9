import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type * as Errors from '../../protocol/errors/service-error.ts';
import { codeOf } from '../../testing/code-of.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import type * as Attempts from './attempts.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const START = Date.UTC(2026, 0, 1);

let tryPassword: typeof Attempts.tryPassword;
let ServiceError: typeof Errors.ServiceError;
beforeEach(async () => {
  vi.resetModules();
  ({ tryPassword } = await import('./attempts.ts'));
  ({ ServiceError } = await import('../../protocol/errors/service-error.ts'));
  setTime(START);
});
afterEach(() => void vi.restoreAllMocks());

const failing = (code: Errors.ErrorCode) => codeOf(tryPassword(wallet, () => Promise.reject(new ServiceError(code))));
const wrong = () => failing('wrong-password');
const right = () => codeOf(tryPassword(wallet, async () => 'opened'));

/** Makes an attempt that must be rejected without a check. Returns the error message. */
async function refusal(): Promise<string> {
  const open = vi.fn();
  const error = (await tryPassword(wallet, open).catch((cause: unknown) => cause)) as Errors.ServiceError;
  expect(open).not.toHaveBeenCalled();
  expect(error.code).toBe('too-many-requests');
  return error.message;
}

describe('passwords', () => {
  test('correct passwords are never delayed, and their result is returned', async () => {
    for (let i = 0; i < 20; i += 1) expect(await tryPassword(wallet, async () => i)).toBe(i);
  });

  test('four wrong passwords in a row have no delay, and a correct one resets the count', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) expect(await wrong()).toBe('wrong-password');
      expect(await right()).toBe('none');
    }
  });

  test('each wrong password from the fifth on has a delay: 2 seconds, then twice as long each time, up to a minute', async () => {
    for (let i = 0; i < 5; i += 1) expect(await wrong()).toBe('wrong-password');
    let now = START;
    let times = 5;
    for (const seconds of [2, 4, 8, 16, 32, 60, 60, 60]) {
      expect(await refusal()).toBe(`That was wrong ${times} times. Wait ${seconds} seconds and try again.`);
      setTime(now + 1);
      expect(await refusal()).toContain(`Wait ${seconds} seconds`);
      setTime(now + seconds * 1000 - 1000);
      expect(await refusal()).toBe(`That was wrong ${times} times. Wait 1 second and try again.`);
      now += seconds * 1000;
      setTime(now - 1);
      expect(await refusal()).toContain('Wait 1 second and');
      setTime(now);
      expect(await wrong()).toBe('wrong-password');
      times += 1;
    }
  });

  test('untried passwords neither count nor extend the delay', async () => {
    for (let i = 0; i < 5; i += 1) await wrong();
    for (let i = 0; i < 10; i += 1) await refusal();
    setTime(START + 2000);
    expect(await right()).toBe('none');
    for (let i = 0; i < 5; i += 1) expect(await wrong()).toBe('wrong-password');
    expect(await refusal()).toContain('wrong 5 times. Wait 2 seconds');
  });

  test('passwords and passkeys count together, but failures for other reasons don’t count', async () => {
    for (let i = 0; i < 10; i += 1) expect(await failing('wallet-not-set-up')).toBe('wallet-not-set-up');
    const broken = new Error('the disk is full');
    for (let i = 0; i < 10; i += 1)
      expect(await codeOf(tryPassword(wallet, () => Promise.reject(broken)))).toBe(broken);
    for (let i = 0; i < 3; i += 1) expect(await failing('wrong-passkey')).toBe('wrong-passkey');
    for (let i = 0; i < 2; i += 1) expect(await wrong()).toBe('wrong-password');
    expect(await refusal()).toContain('wrong 5 times');
  });

  test('after the clock was set back, a correct password opens the wallet', async () => {
    for (let i = 0; i < 5; i += 1) await wrong();
    setTime(START - 3600_000);
    expect(await right()).toBe('none');
  });

  test('concurrent passwords are tried one after the other, and the sixth is not tried', async () => {
    let trying = 0;
    const open = vi.fn(async () => {
      trying += 1;
      expect(trying).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      trying -= 1;
      throw new ServiceError('wrong-password');
    });
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(tryPassword(wallet, open))));
    expect(codes).toEqual([...Array(5).fill('wrong-password'), ...Array(3).fill('too-many-requests')]);
    expect(open).toHaveBeenCalledTimes(5);
  });
});
