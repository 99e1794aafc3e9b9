import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { createTestMint } from '../assets/testing-mint.ts';
import { createArcClient, type ArcClient } from '../chain/arc-client.ts';
import { startTestArc } from '../chain/testing-arc.ts';
import { assets } from '../database/schema.ts';
import { insertUser } from '../payments/testing-payments.ts';
import { bearer, createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { followMints, mintWork } from './follow-mints.ts';

const log = pino({ level: 'silent' });
const MINUTE = 60_000;
const DAY = 24 * 3600_000;
const { app, arc, database } = useService();

describe('mints that the network accepted', () => {
  type Opinion = Awaited<ReturnType<ArcClient['secondOpinion']>>;

  /** Stores a mint. @returns a function that checks it `later` with the operators' opinion, and returns its state */
  async function insertMint() {
    const id = randomUUID();
    const ownerId = await insertUser(database.db, id);
    const bound = new Date(app.clock.ms);
    await database.db.insert(assets).values({
      id,
      ownerId,
      name: 'Garden hours',
      description: '',
      supply: 1n,
      decimals: 0,
      paymailAlias: id,
      state: 'minting',
      tokenId: `${id}_0`,
      createdAt: bound,
      updatedAt: bound,
      nextCheckAt: bound,
    });
    return async (later: number, opinion: Opinion, meanwhile = async () => {}) => {
      const status = opinion === 'seen' ? ({ txid: id, txStatus: 'SEEN_ON_NETWORK' } as const) : null;
      const secondOpinion = async () => {
        await meanwhile();
        return opinion;
      };
      await followMints({
        db: database.db,
        arc: { transaction: async () => status, secondOpinion } as unknown as ArcClient,
        now: () => new Date(bound.getTime() + later),
        log,
        maxDelayMs: MINUTE,
      });
      const [asset] = await database.db.select().from(assets).where(eq(assets.id, id));
      return asset?.state;
    };
  }

  it.each(['contested', 'unknown', null] as const)(
    'a mint is given up three days after the first check that finds it %s',
    async (opinion) => {
      const stateAfter = await insertMint();
      expect(await stateAfter(4 * DAY, 'seen')).toBe('minting');
      expect(await stateAfter(5 * DAY, opinion)).toBe('minting');
      expect(await stateAfter(8 * DAY - 1, opinion)).toBe('minting');
      expect(await stateAfter(8 * DAY + MINUTE, opinion)).toBe('pending');
    },
  );

  it('a mint is given up three days after a clock that was a year ahead is corrected', async () => {
    const stateAfter = await insertMint();
    await stateAfter(365 * DAY, 'unknown');
    await database.db.update(assets).set({ nextCheckAt: new Date(app.clock.ms) });
    expect(await stateAfter(0, 'unknown')).toBe('minting');
    expect(await stateAfter(3 * DAY - 1, 'unknown')).toBe('minting');
    expect(await stateAfter(3 * DAY + MINUTE, 'unknown')).toBe('pending');
  });

  it('a mint is kept if the network has accepted it within three days', async () => {
    const stateAfter = await insertMint();
    for (const [days, opinion] of [
      [1, 'unknown'],
      [3, 'seen'],
      [5, 'contested'],
      [7, null],
    ] as const)
      expect(await stateAfter(days * DAY, opinion)).toBe('minting');
  });

  it.each(['unknown', 'rejected'] as const)(
    'a mint is kept if another instance finds it while one receives the answer %s',
    async (opinion) => {
      const stateAfter = await insertMint();
      await stateAfter(0, 'unknown');
      const found = async () => void (await stateAfter(4 * DAY + MINUTE, 'seen'));
      expect(await stateAfter(4 * DAY, opinion, found)).toBe('minting');
    },
  );
});

describe('mints replaced in a block by the wallet’s cancellation', () => {
  it.each([1, 2])(
    'an asset can be minted again once %i operators have forgotten its mint for three days',
    async (operators) => {
      const second = await startTestArc();
      try {
        const wallet = createTestWallet();
        const headers = bearer(await register(app, wallet, `alice-${operators}`));
        const body = { protocol: 'SFP@0.1', name: 'Garden hours', initialSupply: 1_000_000, description: '' };
        const made = (await app.post('/api/v2/me/assets', body, headers)).body;
        const first = createTestMint(made, wallet.publicKey);
        arc.statuses.set(first.txid, 'SEEN_ON_NETWORK');
        const mint = (report: unknown) => app.post(`/api/v2/me/assets/${made.id}/mint`, report, headers);
        expect((await mint(first.report)).status).toBe(200);
        arc.statuses.delete(first.txid);
        second.refusesTransactions = true;
        const bound = app.clock.ms;
        for (const days of [0, 4])
          await followMints({
            db: database.db,
            arc: createArcClient(arc.url, operators === 2 ? { others: [second.url] } : {}),
            now: () => new Date(bound + days * DAY),
            log,
            maxDelayMs: MINUTE,
          });
        const again = createTestMint(made, wallet.publicKey);
        arc.statuses.set(again.txid, 'MINED');
        expect(await mint(again.report)).toMatchObject({
          status: 200,
          body: { state: 'minted', tokenId: again.report.tokenId },
        });
      } finally {
        await second.close();
      }
    },
  );
});

it.each([
  ['unanswered', null, false],
  ['answered', 'unknown', true],
] as const)('a check counts as %s if the second opinion is %s', async (_, opinion, isAnswered) => {
  const fake = { transaction: async () => null, secondOpinion: async () => opinion } as unknown as ArcClient;
  const work = mintWork({ db: database.db, arc: fake, now: () => new Date(), log, maxDelayMs: MINUTE });
  const mint = { id: randomUUID(), tokenId: `${'1'.repeat(64)}_0`, checks: 0, unseenSince: null };
  expect(await work.process(mint)).toBe(isAnswered);
});
