import { expect, test } from 'vitest';
import {
  addressOf,
  MONEY_BUTTON,
  moveAll,
  moveThroughDeath,
  network,
  restored,
  search,
  settled,
  YOURS,
} from './testing-other-wallets.ts';

/** Returns the name of the crash point at the database transaction that changes coins. */
const moneyTransaction = (when: string) =>
  `${when} requests+payments+receipts+operations+history+coins+totals+addresses+assets+headers+allowances+prompts+sites+permissions+manifests+paymails+appOutputs+appActions+appLog+searchPages+lightPayments`;

test.each([
  ['before it stores the payment', moneyTransaction('before writing')],
  ['after it has stored the payment', moneyTransaction('after writing')],
  ['before it sends the payment', 'before POST /devnet/arc/v1/tx'],
])('money of another wallet is moved once if the worker is stopped %s', (_, crashPoint) =>
  moveThroughDeath(crashPoint),
);

test('coins that may hold tokens are counted, and not moved', async () => {
  await network.faucet(MONEY_BUTTON.address, 50_000);
  await network.faucet(YOURS.address, 1);
  const workerRun = await restored();
  expect(await search(workerRun)).toMatchObject({ found: [{ path: MONEY_BUTTON.path }], left: 0, tokens: 1 });
  await moveAll(workerRun);
  await settled(workerRun);
  expect(await search(workerRun)).toMatchObject({ found: [], tokens: 1, feeSatoshis: null });
  expect(await network.unspent(YOURS.address)).toHaveLength(1);
});

test('money in a Centbee wallet, which uses its PIN as the passphrase, is found', async () => {
  const address = addressOf("m/44'/0/1/2", '1357');
  await network.faucet(address, 40_000);
  const workerRun = await restored();
  expect((await search(workerRun, '1357')).found).toMatchObject([{ path: "m/44'/0/1/2", address, wallets: 'Centbee' }]);
});
