import { expect, it } from 'vitest';
import { pino } from 'pino';
import type { ArcClient } from '../chain/arc-client.ts';
import { mintWork } from './follow-mints.ts';

it.each([
  ['unanswered', null, false],
  ['answered', 'unknown', true],
] as const)('a check counts as %s if the second opinion is %s', async (_, opinion, isAnswered) => {
  const arc = { transaction: async () => null, secondOpinion: async () => opinion } as unknown as ArcClient;
  const log = pino({ level: 'silent' });
  const work = mintWork({ db: {} as never, arc, now: () => new Date(), log, maxDelayMs: 60_000 });
  const mint = { id: 'a', tokenId: `${'1'.repeat(64)}_0`, checks: 0, updatedAt: new Date() };
  expect(await work.process(mint)).toBe(isAnswered);
});
