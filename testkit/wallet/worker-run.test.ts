import { expect, test } from 'vitest';
import { useNetwork } from '../network/network.ts';
import { openWallet } from './wallet.ts';
import { wallet } from './current.ts';

const network = useNetwork();

test('a worker stops only while a test waits for it, so the test’s own requests are always answered', async () => {
  const run = await openWallet(network, []);
  const write = () => run.modules.database.deleteKey(wallet, 'rates');
  run.dieAt(2);
  await write();
  await write();
  expect(run.crashPoints.length).toBeGreaterThan(2);
  expect(run.dead).toBe(false);
  // The run has already passed the crash point, so it is stopped at the next one.
  expect(await run.untilDeath(() => write())).toBeNull();
  expect(run.dead).toBe(true);
  const next = await run.profile.start();
  expect(await next.untilDeath(() => next.modules.overview.overview(wallet))).toMatchObject({ satoshis: '0' });
});
