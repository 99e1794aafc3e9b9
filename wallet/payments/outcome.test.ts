import { expect, test } from 'vitest';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const modules = useDatabase(async () => ({
  ...(await import('./outcome.ts')),
  ...(await import('../events.ts')),
}));

test('a change during a read causes another read', async () => {
  let reads = 0;
  const outcome = modules.outcomeOf(wallet, 'a', () => {
    reads += 1;
    if (reads === 1) modules.signalChange(wallet, 'a');
    return reads > 1 ? reads : undefined;
  });
  expect(await outcome).toBe(2);
});

test('an error during a read ends the wait', async () => {
  await expect(modules.outcomeOf(wallet, 'a', (record) => modules.unlessEnded(record))).rejects.toMatchObject({
    code: 'not-paid',
  });
});
