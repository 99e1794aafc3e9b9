import { expect, test } from 'vitest';
import { createDatabase, startPostgres } from '../server/database/testing-postgres.ts';
import { fewestOf, soakService } from './soak-service.ts';

test('two instances lose no acknowledged data while they and their PostgreSQL are killed in turn', async () => {
  const postgres = await startPostgres({ durable: true });
  try {
    const database = { ...(await createDatabase(postgres.url)), crash: postgres.crash };
    const { notes, kills, crashes, losses } = await soakService(database, {
      seconds: 0,
      workers: 2,
      lifeMs: 1_000,
      kills: 2,
      acknowledged: 2,
      endsLeases: true,
    });
    expect(losses).toEqual([]);
    expect(kills).toBeGreaterThan(1);
    expect(crashes).toBeGreaterThan(0);
    expect(fewestOf(notes)).toBeGreaterThan(1);
  } finally {
    await postgres.stop();
  }
});
