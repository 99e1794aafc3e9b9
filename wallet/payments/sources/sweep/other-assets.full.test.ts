import { expect, test } from 'vitest';
import { Issuer } from '../../../../testkit/wallet/assets.ts';
import { PASSWORD, stored } from '../../../../testkit/wallet/wallet.ts';
import {
  addressOf,
  given,
  handlersOf,
  held,
  move,
  network,
  RELAYX,
  restored,
  search,
  settled,
  YOURS,
} from './testing-other-assets.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

test.each(['before writing', 'after writing', 'before POST /devnet/arc/v1/tx', 'after POST /devnet/arc/v1/tx'])(
  'no asset is lost, and each is moved once, if the worker is stopped %s',
  async (crashPoint) => {
    const { id } = await given();
    const before = await restored();
    const found = await search(before);
    before.dieAt(crashPoint.endsWith('writing') ? moneyTransaction(crashPoint) : crashPoint);
    await before.untilDeath(async () => {
      await move(before, found);
      await settled(before);
    });
    expect(before.dead).toBe(true);
    const workerRun = await before.profile.start();
    await handlersOf(workerRun)
      ['vault/unlock']({ password: PASSWORD })
      .catch(() => undefined);
    await workerRun.modules.drive.processAll(wallet);
    if ((await stored(workerRun)).payments.length === 0) await move(workerRun, await search(workerRun));
    await settled(workerRun);
    expect(await held(workerRun)).toMatchObject({ tokens: [{ id, amount: '700' }], ordinals: [{}] });
    expect(await search(workerRun)).toMatchObject({ assets: [], tokens: 0 });
  },
);

/** Returns the name of the crash point at the database transaction that changes coins. */
const moneyTransaction = (when: string) =>
  `${when} requests+payments+receipts+operations+history+coins+totals+addresses+assets+headers+allowances+prompts+sites+permissions+manifests+paymails+appOutputs+appActions+appLog+searchPages+lightPayments`;

test('assets are offered although third parties have sent many forged tokens since', async () => {
  const { id } = await given();
  await network.mine();
  const issuer = new Issuer(network);
  const forged = issuer.holds(id, 5n, addressOf("m/44'/0'/0'/0/0"));
  await issuer.make([], Array(60).fill(forged));
  const found = await search(await restored());
  expect(found.assets.map(({ path }) => path)).toEqual([YOURS, RELAYX]);
});

test('all other addresses are searched, with a warning that assets may be missing, if the index fails at one', async () => {
  await given();
  const workerRun = await restored();
  network.before = (url) => {
    if (url.includes('/ordinals/') && url.includes(addressOf(YOURS))) throw new Error('as the test wants');
  };
  const found = await search(workerRun);
  expect(found).toMatchObject({ assets: [{ path: RELAYX }], assetsUnknown: true });
});

test('assets behind a passphrase are found, and this wallet pays the fee with its own keys', async () => {
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(10n);
  await issuer.make([coin], [issuer.holds(id, 10n, addressOf("m/44'/236'/0'/0/3", '2580'))]);
  const workerRun = await restored();
  expect((await search(workerRun)).assets).toEqual([]);
  const found = await search(workerRun, '2580');
  expect(found.assets).toMatchObject([{ path: "m/44'/236'/0'/0/3", asset: { id, units: '10' } }]);
  await move(workerRun, found, '2580');
  await settled(workerRun);
  expect(await held(workerRun)).toMatchObject({ tokens: [{ id, amount: '10' }] });
});

test('no fee is shown if the wallet has no money for it', async () => {
  await given();
  const found = await search(await restored(0));
  expect(found.assets).toHaveLength(2);
  expect(found.assetsFeeSatoshis).toBeNull();
});

test('money is found, with a warning that assets may be missing, if the index of ordinals is unreachable', async () => {
  await given();
  await network.faucet(addressOf("m/44'/0'/0'/0/0"), 20_000);
  const workerRun = await restored();
  network.down.add('service');
  const found = await search(workerRun);
  expect(found).toMatchObject({ found: [{ satoshis: '20000' }], assets: [], assetsUnknown: true });
});
