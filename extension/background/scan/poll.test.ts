import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { TestBrowser } from '../testing/browser.ts';
import { useDatabase } from '../testing/database.ts';
import type * as Events from '../events.ts';
import type * as Refresh from './refresh.ts';

const browser = new TestBrowser();
const api = browser.api(async (_name, call) => call());
const refreshCoins = vi.fn<typeof Refresh.refreshCoins>();
const announceChange = vi.fn<typeof Events.announceChange>();

const scan = useDatabase(async () => ({
  ...(await import('./poll.ts')),
  ...(await import('./poll-alarm.ts')),
  ...(await import('../../../protocol/errors.ts')),
}));

beforeAll(() => {
  vi.doMock('webextension-polyfill', () => ({ default: api }));
  vi.doMock('./refresh.ts', () => ({ refreshCoins }));
  vi.doMock('../events.ts', () => ({ announceChange }));
});

beforeEach(() => {
  refreshCoins.mockReset();
  announceChange.mockReset();
  browser.alarms.clear();
});

/** A look that fails with a code, or succeeds: what is remembered, and how often windows were told since. */
async function look(code?: ErrorCode) {
  if (code) refreshCoins.mockRejectedValueOnce(new scan.ServiceError(code));
  else refreshCoins.mockResolvedValueOnce();
  announceChange.mockClear();
  await scan.refresh();
  const problem = scan.lastProblem();
  return [problem && problem.code, announceChange.mock.calls.length];
}

test('what went wrong in the last look is remembered, and windows are told when that changes', async () => {
  expect(scan.lastProblem()).toBeNull();
  expect(await look()).toEqual([null, 0]);
  expect(await look('network-unavailable')).toEqual(['network-unavailable', 1]);
  expect(await look('network-unavailable')).toEqual(['network-unavailable', 0]);
  expect(await look('invalid-proof')).toEqual(['invalid-proof', 1]);
  expect(await look()).toEqual([null, 1]);
});

test('that there is no wallet is no problem', async () => {
  expect(await look('wallet-not-set-up')).toEqual([null, 0]);
});

test('a person has all addresses looked at, an alarm those that are likely', async () => {
  refreshCoins.mockResolvedValue();
  await scan.refresh({ all: true });
  await scan.refresh();
  expect(refreshCoins.mock.calls).toEqual([[{ all: true }], [{ all: false }]]);
});

test('an alarm has coins looked for every ten minutes, or every half while some are being searched', async () => {
  const alarm = () => browser.alarms.get(scan.POLL_ALARM)?.periodInMinutes;
  await scan.setPollAlarm();
  expect(alarm()).toBe(10);
  await scan.db.put('keyval', { addresses: 0, coins: 0, done: false }, 'scan');
  await scan.setPollAlarm();
  expect(alarm()).toBe(0.5);
  browser.alarms.clear(); // as browsers do at times
  await scan.setPollAlarm();
  expect(alarm()).toBe(0.5);
});

test('an alarm that is right already is not set again, which would put it off', async () => {
  await scan.setPollAlarm();
  const set = vi.spyOn(browser.alarms, 'set');
  await scan.setPollAlarm();
  expect(set).not.toHaveBeenCalled();
});
