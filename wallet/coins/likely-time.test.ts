import { expect, test } from 'vitest';
import { mineHeader } from '../../testkit/network/blocks.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const TEN_MINUTES = 600_000;
const modules = useDatabase(() => import('./likely-time.ts'));

/** Stores headers with the given heights and ages (ms), and returns the estimated age of the block at a height (ms). */
async function ago(height: number, held: Record<number, number>): Promise<number> {
  setTime(NOW);
  for (const [at, time] of Object.entries(held))
    await modules.db.put('headers', mineHeader('00'.repeat(32), { height: Number(at), time: (NOW - time) / 1000 }));
  return NOW - (await modules.write((tx) => modules.likelyTime(wallet, tx, height)));
}

const DAY = 24 * 3600_000;

test.each<[string, Record<number, number>, number]>([
  ['that of its own header', { 99: 5 * DAY, 100: 3 * DAY, 101: 2 * DAY }, 3 * DAY],
  [
    'ten minutes for each block before the nearest header above it',
    { 90: DAY, 103: 2 * DAY, 110: DAY },
    2 * DAY + 3 * TEN_MINUTES,
  ],
  ['ten minutes for each block after the last header', { 50: 9 * DAY, 96: 2 * DAY }, 2 * DAY - 4 * TEN_MINUTES],
  ['never later than now', { 96: TEN_MINUTES }, 0],
  ['now where no header is held', {}, 0],
])('the likely time of a block is %s', async (_, held, expected) => {
  expect(await ago(100, held)).toBe(expected);
});
