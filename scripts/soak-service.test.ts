import { expect, test } from 'vitest';
import { createPostgresDatabase } from '../server/database/testing.ts';
import { fewestOf, soakService } from './soak-service.ts';

test('two instances on one PostgreSQL lose nothing that they acknowledged while one after the other is killed', async () => {
  const { url, drop } = await createPostgresDatabase();
  try {
    const { notes, kills, losses } = await soakService(url, {
      seconds: 0,
      lifeMs: 1_000,
      kills: 2,
      acknowledged: 2,
      endsLeases: true,
    });
    expect(losses).toEqual([]);
    expect(kills).toBeGreaterThan(1);
    expect(fewestOf(notes)).toBeGreaterThan(1);
  } finally {
    await drop();
  }
});
