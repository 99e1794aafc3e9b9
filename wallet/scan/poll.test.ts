import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../../protocol/errors/service-error.ts';
import { TestBrowser } from '../../testkit/wallet/browser.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type * as Events from '../events.ts';
import type * as Refresh from './refresh.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const browser = new TestBrowser();
const api = browser.api(async (_name, call) => call());
const refreshCoins = vi.fn<typeof Refresh.refreshCoins>();
const announceChange = vi.fn<typeof Events.announceChange>();

const scan = useDatabase(
  async () => ({
    ...(await import('./poll.ts')),
    ...(await import('./poll-alarm.ts')),
    ...(await import('../../protocol/errors/service-error.ts')),
  }),
  api,
);

beforeAll(() => {
  vi.doMock('./refresh.ts', () => ({ refreshCoins }));
  vi.doMock('../events.ts', () => ({ announceChange }));
});

beforeEach(() => {
  refreshCoins.mockReset();
  announceChange.mockReset();
  browser.alarms.clear();
});

/** Runs a search that fails with a code or succeeds. Returns the stored error and the number of notifications. */
async function look(code?: ErrorCode) {
  if (code) refreshCoins.mockRejectedValueOnce(new scan.ServiceError(code));
  else refreshCoins.mockResolvedValueOnce();
  announceChange.mockClear();
  await scan.refresh(wallet);
  const problem = scan.lastProblem(wallet);
  return [problem && problem.code, announceChange.mock.calls.length];
}

test('the error of the last search is remembered, and windows are notified when it changes', async () => {
  expect(scan.lastProblem(wallet)).toBeNull();
  expect(await look()).toEqual([null, 0]);
  expect(await look('network-unavailable')).toEqual(['network-unavailable', 1]);
  expect(await look('network-unavailable')).toEqual(['network-unavailable', 0]);
  expect(await look('invalid-proof')).toEqual(['invalid-proof', 1]);
  expect(await look()).toEqual([null, 1]);
});

test('a missing wallet is not a problem', async () => {
  expect(await look('wallet-not-set-up')).toEqual([null, 0]);
});

test('a user’s refresh searches all addresses, and an alarm the likely ones', async () => {
  refreshCoins.mockResolvedValue();
  await scan.refresh(wallet, { all: true });
  await scan.refresh(wallet);
  expect(refreshCoins.mock.calls).toEqual([
    [wallet, { all: true }],
    [wallet, { all: false }],
  ]);
});

test('an alarm starts a search every ten minutes, or every half minute while a restore is searching', async () => {
  const alarm = () => browser.alarms.get(scan.POLL_ALARM)?.periodInMinutes;
  await scan.setPollAlarm(wallet);
  expect(alarm()).toBe(10);
  await scan.db.put('keyval', { addresses: 0, coins: 0, done: false }, 'scan');
  await scan.setPollAlarm(wallet);
  expect(alarm()).toBe(0.5);
  browser.alarms.clear(); // as browsers sometimes do
  await scan.setPollAlarm(wallet);
  expect(alarm()).toBe(0.5);
});

test('a correct alarm is not set again, because that would postpone it', async () => {
  await scan.setPollAlarm(wallet);
  const set = vi.spyOn(browser.alarms, 'set');
  await scan.setPollAlarm(wallet);
  expect(set).not.toHaveBeenCalled();
});
