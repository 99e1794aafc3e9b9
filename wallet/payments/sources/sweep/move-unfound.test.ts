/**
 * Tests that coins beyond the gap limit, at addresses issued by the service or an earlier version, are moved so that a
 * restore finds them.
 */
import { expect, test } from 'vitest';
import { addressScript, writeAddress } from '../../../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../../../protocol/assets/bsv21/inscription.ts';
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import type { TestCoin } from '../../../../server/devnet/test-ledger.ts';
import { Issuer, one } from '../../../../testkit/wallet/assets.ts';
import { expectFoundElsewhere } from '../../../../testkit/wallet/restore-elsewhere.ts';
import { setTime } from '../../../../testkit/wallet/clock.ts';
import { openWallet, PASSWORD, stored } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { arrive, balance, network, report, scriptAt, sweeps, until } from './testing-move-unfound.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

const PICTURE = new Uint8Array([1, 2, 3]);
const ownFetch = globalThis.fetch;

/** Sends an issuer's one-satoshi outputs to indexes of the service's chain. @returns the transaction ID */
async function arriveAssets(
  make: (issuer: Issuer, addresses: string[]) => Promise<TestCoin[]>,
  indexes: number[],
): Promise<string> {
  const scripts = await Promise.all(indexes.map((index) => scriptAt('service', index)));
  const addresses = scripts.map((script) => writeAddress(fromHex(script).slice(3, 23), 'devnet'));
  const [coin] = await make(new Issuer(network), addresses);
  const txid = coin?.txid ?? '';
  const rawtx = await (await ownFetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).text();
  await report(
    txid,
    rawtx,
    indexes.map((index, i) => ({ script: scripts[i] as string, satoshis: '1', index })),
  );
  return txid;
}

/**
 * Returns the chain and index of each unspent one-satoshi coin, with its token amount and status according to the
 * index.
 */
async function assetsOf(workerRun: WorkerRun): Promise<string[]> {
  await workerRun.modules.handlers.walletHandlers(wallet)['assets/refresh']({});
  const coins = (await stored(workerRun)).coins.filter((one) => one.satoshis === 1n && one.status === 'available');
  const places = coins.map(async ({ txid, vout, chain, index }) => {
    const answer = await ownFetch(`${network.url}/devnet/ordinals/api/bsv20/outpoint/${txid}_${vout}`);
    const { amt, status } = (await answer.json()) as { amt?: string; status?: number };
    return `${chain} ${index}: ${answer.ok ? `${amt} ${status}` : 'no token'}`;
  });
  return (await Promise.all(places)).sort();
}

test('coins that a restore finds are not moved', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  await arrive('service', 19);
  const { moveUnfound } = await import('./move-unfound.ts');
  await moveUnfound(wallet);
  expect(await sweeps(workerRun)).toEqual([]);
  expect(await balance(workerRun)).toBe(30_000n);
  await expectFoundElsewhere(network, workerRun);
});

test.each([20, 25, 900])(
  'coins that the service reports at index %d are moved, and the activity lists the move',
  async (index) => {
    const workerRun = await openWallet(network, [], { account: true });
    await arrive('service', index);
    await until(async () => expect((await sweeps(workerRun)).map(({ state }) => state)).toEqual(['settled']));
    const [moved] = await sweeps(workerRun);
    expect(await balance(workerRun)).toBe(30_000n - (moved?.signed?.feeSatoshis ?? 0n));
    await expectFoundElsewhere(network, workerRun);
    const { items } = await workerRun.modules.handlers
      .walletHandlers(wallet)
      ['activity/list']({ limit: 5, search: '' });
    expect(items.map(({ isSweep, direction }) => isSweep ?? direction)).toEqual([true, 'received']);
  },
);

test('a coin beyond the gap limit counts only once it is moved, after the wallet is unlocked', async () => {
  const workerRun = await openWallet(network, [100_000], { account: true });
  await workerRun.modules.vault.lock(wallet);
  await arrive('service', 25);
  const { moveUnfound } = await import('./move-unfound.ts');
  await moveUnfound(wallet);
  expect(await sweeps(workerRun)).toEqual([]);
  expect(await balance(workerRun)).toBe(100_000n);
  await workerRun.modules.handlers.walletHandlers(wallet)['vault/unlock']({ password: PASSWORD });
  await until(async () => expect(await balance(workerRun)).toBeGreaterThan(129_000n));
  await expectFoundElsewhere(network, workerRun);
});

test('coins are moved a minute after a failed attempt, even if a move was requested in between', async () => {
  const workerRun = await openWallet(network, [100_000], { account: true });
  await workerRun.modules.vault.lock(wallet);
  await arrive('service', 25);
  const { moveUnfound } = await import('./move-unfound.ts');
  const { fetch } = wallet;
  const failed: string[] = [];
  wallet.fetch = (request, options) => {
    if (!/\/woc\//.test(String(request))) return fetch(request, options);
    failed.push(String(request));
    return Promise.reject(new TypeError('offline'));
  };
  await workerRun.modules.handlers.walletHandlers(wallet)['vault/unlock']({ password: PASSWORD });
  await moveUnfound(wallet);
  await moveUnfound(wallet);
  expect(failed).not.toEqual([]);
  expect(await sweeps(workerRun)).toEqual([]);
  wallet.fetch = fetch;
  setTime(Date.now() + 60_000);
  await moveUnfound(wallet);
  expect(await sweeps(workerRun)).toHaveLength(1);
});

test('a coin beyond the gap limit counts without a move once another payment has closed the gap', async () => {
  const workerRun = await openWallet(network, [100_000], { account: true });
  await workerRun.modules.vault.lock(wallet);
  await arrive('service', 25);
  expect(await balance(workerRun)).toBe(100_000n);
  await arrive('service', 10);
  const { moveUnfound } = await import('./move-unfound.ts');
  await moveUnfound(wallet);
  expect(await balance(workerRun)).toBe(160_000n);
  await workerRun.modules.handlers.walletHandlers(wallet)['vault/unlock']({ password: PASSWORD });
  await moveUnfound(wallet);
  expect(await sweeps(workerRun)).toEqual([]);
  await expectFoundElsewhere(network, workerRun);
});

test('coins that an earlier version or another browser left beyond a gap are moved', async () => {
  const workerRun = await openWallet(network, [100_000]);
  const { extendChain } = await import('../../../coins/addresses/addresses.ts');
  const { publicKeys } = await import('../../../vault/vault.ts');
  await extendChain(wallet, await publicKeys(wallet), 'devnet', 'change', 60);
  await arrive('change', 33);
  await workerRun.modules.poll.refresh(wallet, { all: true });
  await until(async () => expect((await sweeps(workerRun)).map(({ state }) => state)).toEqual(['settled']));
  await expectFoundElsewhere(network, workerRun);
});

test('nothing is moved if earlier addresses were used, even if only the index knows that', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  await arrive('service', 18);
  const { inTransaction } = await import('../../../store/database.ts');
  const { putAddress } = await import('../../../coins/addresses/records.ts');
  const script = await scriptAt('service', 18);
  // A restored wallet can't tell that an address was used if the coin there has been spent.
  await inTransaction(wallet, async (tx) => {
    const address = await tx.objectStore('addresses').get(script);
    if (address) await putAddress(wallet, tx, { ...address, seen: false });
  });
  await arrive('service', 36);
  const { moveUnfound } = await import('./move-unfound.ts');
  await moveUnfound(wallet);
  expect(await sweeps(workerRun)).toEqual([]);
  expect(await balance(workerRun)).toBe(60_000n);
  await expectFoundElsewhere(network, workerRun);
});

test('tokens and ordinals are also moved, each to an address that a restore finds', async () => {
  const workerRun = await openWallet(network, [100_000], { account: true });
  const arrived = await arriveAssets(
    async (issuer, [first = '', second = '', third = '']) => {
      const { id, coin } = await issuer.mint(1000n);
      return issuer.make(
        [coin],
        [
          issuer.holds(id, 600n, first),
          issuer.holds(id, 400n, second),
          one(writeInscription('image/png', PICTURE, addressScript(third, 'devnet'))),
        ],
      );
    },
    [25, 26, 900],
  );
  await assetsOf(workerRun);
  await until(async () => expect((await sweeps(workerRun)).map(({ state }) => state)).toEqual(['settled']));
  const [moved] = await sweeps(workerRun);
  const found = await assetsOf(workerRun);
  expect(found.map((text) => text.replace(/^change \d:/, 'change:'))).toEqual([
    'change: 400 1',
    'change: 600 1',
    'change: no token',
  ]);
  const { tokens, ordinals } = await workerRun.modules.handlers.walletHandlers(wallet)['assets/list']({});
  expect(tokens).toMatchObject([{ amount: '1000' }]);
  // The ordinal is still on the inscribed satoshi.
  expect(ordinals).toMatchObject([{ origin: `${arrived}_2` }]);
  expect(await balance(workerRun)).toBe(100_000n - (moved?.signed?.feeSatoshis ?? 0n));
  await expectFoundElsewhere(network, workerRun);
});

test('assets that a restore finds, and coins with forged or unknown tokens, are not moved', async () => {
  const workerRun = await openWallet(network, [100_000], { account: true });
  await arriveAssets(
    async (issuer, [near = '', far = '', farther = '']) => {
      const { id, coin } = await issuer.mint(1000n);
      await issuer.make([coin], [issuer.holds(id, 1000n)]);
      return issuer.make(
        [],
        [
          one(writeInscription('image/png', PICTURE, addressScript(near, 'devnet'))),
          one(addressScript(far, 'devnet')),
          issuer.holds(id, 9n, farther),
        ],
      );
    },
    [19, 45, 46],
  );
  await assetsOf(workerRun);
  const { moveUnfound } = await import('./move-unfound.ts');
  await moveUnfound(wallet);
  expect(await sweeps(workerRun)).toEqual([]);
});
