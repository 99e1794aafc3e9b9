import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { ask, openWallet, PASSWORD, pay, approveAll, paymentWhere, someone } from '../../testkit/wallet/wallet.ts';
import { NOBODY, handlers, create, party, start } from './testing-network.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const ledger = useNetwork();

describe('a fresh install', () => {
  test.each(['mainnet', 'testnet', 'devnet'] as const)(
    'a new wallet adopts the network of its service, %s, before it is created',
    async (network) => {
      const { url } = await party({ network });
      const workerRun = await start(url);
      await handlers(workerRun)['settings/change']({ currency: 'EUR' }); // other settings don't affect the network
      await create(workerRun);
      expect(await handlers(workerRun)['settings/read']({})).toMatchObject({ network, currency: 'EUR' });
      const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
      expect(receiveAddress).toMatch(network === 'mainnet' ? /^1/ : /^[mn]/);
    },
  );
});

describe('a manually chosen network', () => {
  test.each([
    'http://arc.example',
    'ftp://localhost/arc',
    'javascript:alert(1)',
    'arc.example',
    '',
    'https://user@arc.example',
    'https://:pass@arc.example',
    'https://arc.example/?key=1',
    'https://arc.example/#a',
    'https://arc.example/?',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'https://',
  ])('no network is found at %j', async (bad) => {
    const { urls, paths } = await party();
    const workerRun = await start(NOBODY);
    for (const addresses of [
      { ...urls, arcUrl: bad },
      { ...urls, wocUrl: bad },
    ]) {
      expect(await codeOf(handlers(workerRun)['network/choose']({ network: 'devnet', ...addresses }))).toBe(
        'invalid-request',
      );
    }
    expect(paths()).toEqual([]);
    expect(await workerRun.modules.database.readKey(wallet, 'settings')).toBeUndefined();
  });
});

test('a wallet is restored from its words, pays, and confirms its payment without the service', async () => {
  const before = await openWallet(ledger, [], {});
  const address = (await before.modules.overview.overview(wallet)).receiveAddress;
  await ledger.faucet(address, 700_000);
  await ledger.faucet(address, 50_000);
  await ledger.mine();
  const words = await before.modules.vault.showWords(wallet, PASSWORD);
  await before.modules.poll.refresh(wallet);
  const had = (await before.modules.overview.overview(wallet)).satoshis;
  expect(had).toBe('750000');
  endAllWorkerRuns();

  const workerRun = await new Profile(NOBODY).start();
  await handlers(workerRun)['network/choose']({
    network: 'devnet',
    arcUrl: `${ledger.url}/devnet/arc`,
    wocUrl: `${ledger.url}/devnet/woc/v1/bsv/test`,
  });
  await handlers(workerRun)['vault/create']({ words, password: PASSWORD, restored: true });
  await vi.waitFor(
    async () =>
      expect(await workerRun.modules.overview.overview(wallet)).toMatchObject({
        satoshis: had,
        unconfirmedSatoshis: '0',
        scan: null,
        problem: null,
      }),
    { interval: 20 },
  );

  // Restores the account, as its service would, because the payment report is waiting for it.
  await workerRun.modules.database.writeKey(wallet, 'account', {
    id: '1',
    handle: 'a',
    paymail: 'a@localhost',
    name: '',
  });
  approveAll(workerRun);
  const to = someone();
  const payment = await ask(workerRun, 'request-1', pay(to, 5000));
  expect(payment).toMatchObject({ status: 'RECEIVED' });
  expect(await ledger.unspent(to)).toMatchObject([{ satoshis: 5000 }]);
  await ledger.mine();
  const id = (payment as { id: string }).id;
  await vi.waitFor(
    async () => {
      await handlers(workerRun)['wallet/refresh']({});
      expect((await workerRun.modules.transition.readPayment(wallet, id))?.height).not.toBeNull();
    },
    { interval: 50 },
  );
  expect(await paymentWhere(workerRun, id, ({ height }) => height !== null)).toMatchObject({
    state: 'broadcast',
    report: { state: 'waiting' },
  });
});
