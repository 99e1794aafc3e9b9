/** The deletion of unpaid destinations (paid ones: paymail/receive.test.ts). */
import { expect, it } from 'vitest';
import { paymailDestinations } from '../database/schema.ts';
import { createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { createDestination, deleteUnpaidDestinations } from './destinations.ts';

const DAY = 24 * 3600_000;
const { app, database } = useService();

it('a destination is deleted after thirty unpaid days, even if an instance’s clock was a year ahead before', async () => {
  const { user } = await register(app, createTestWallet(), 'ann');
  const at = (days: number) => new Date(app.clock.ms + days * DAY);
  await deleteUnpaidDestinations(database.db, at(365));
  await createDestination(database.db, Number(user.id), 1_000n, at(0));
  await deleteUnpaidDestinations(database.db, at(30));
  expect(await database.db.$count(paymailDestinations)).toBe(1);
  await deleteUnpaidDestinations(database.db, at(31));
  expect(await database.db.$count(paymailDestinations)).toBe(0);
});
