import { expect, test } from 'vitest';
import { createPostgresDatabase } from '../server/database/testing.ts';
import { fewestOf, soakService } from './soak-service.ts';

test('two instances on one PostgreSQL lose nothing that they acknowledged while one after the other is killed', async () => {
  const { url, drop } = await createPostgresDatabase();
  try {
    const { notes, kills, losses } = await soakService(url, { seconds: 0, lifeMs: 1_500, kills: 2, acknowledged: 3 });
    expect(losses).toEqual([]);
    expect(kills).toBeGreaterThan(1);
    expect(fewestOf(notes)).toBeGreaterThan(2);
  } finally {
    await drop();
  }
});
