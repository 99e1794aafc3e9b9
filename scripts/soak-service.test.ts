import { expect, test } from 'vitest';
import { createPostgresDatabase, postgresUrl } from '../server/database/testing.ts';
import { soakService } from './soak-service.ts';

test.runIf(postgresUrl !== null)('two instances on one PostgreSQL lose nothing that they acknowledged while one after the other is killed', async () => {
  const { url, drop } = await createPostgresDatabase();
  try {
    const { notes, kills, losses } = await soakService(url, 15);
    expect(losses).toEqual([]);
    expect(kills).toBeGreaterThan(1);
    expect(Math.min(notes.users.size, notes.payments.size, notes.names.size, notes.tokens.size, notes.revoked.size)).toBeGreaterThan(2);
  } finally {
    await drop();
  }
});
