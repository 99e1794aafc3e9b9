/**
 * The service receives the balance only if an application may read it and the wallet is unlocked, and no more often
 * than needed.
 */
import { BSM, PublicKey, Signature, Utils } from '@bsv/sdk';
import { describe, expect, test, vi } from 'vitest';
import type { BalancePublication } from '../../protocol/http/api-v2.ts';
import { assetBalanceMessage, balanceMessage } from '../../protocol/signed-messages/balance-message.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { openWallet, PASSWORD } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();

const publish = async () => {
  const { publishedTokens } = await import('../assets/published.ts');
  return (await import('./publish-balance.ts')).publishBalance(wallet, () => publishedTokens(wallet));
};
const published = () => network.balances as BalancePublication[];
/** Stops the wallet's clock at this offset from now (milliseconds). */
function clock(later: number): void {
  const at = Date.now() + later;
  vi.spyOn(Date, 'now').mockImplementation(() => at);
}
async function receive(workerRun: WorkerRun, satoshis: number): Promise<void> {
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  await network.faucet(receiveAddress, satoshis);
  await workerRun.modules.poll.refresh(wallet);
}

test('a requested balance is published, signed for this service and this account', async () => {
  const workerRun = await openWallet(network, [70_000, 30_000], { account: true });
  network.balanceWanted = true;
  await publish();
  const [said] = published();
  expect(said).toMatchObject({ satoshis: '100000' });
  const { satoshis, time, signature } = said as BalancePublication;
  const message = balanceMessage({ origin: network.url, userId: '75101', satoshis, time });
  const { identity } = await workerRun.modules.vault.publicKeys(wallet);
  expect(
    BSM.verify(
      Utils.toArray(message, 'utf8'),
      Signature.fromCompact(signature, 'base64'),
      PublicKey.fromString(identity),
    ),
  ).toBe(true);
  expect(new Date(time).toISOString()).toBe(time);
});

test('nothing is published if no one may read it', async () => {
  await openWallet(network, [70_000], { account: true });
  await publish();
  expect([network.balanceAsked, published()]).toEqual([1, []]);
});

test('the service is not even queried without an account, or while the wallet is locked', async () => {
  network.balanceWanted = true;
  await openWallet(network, [70_000]);
  await publish();
  const workerRun = await openWallet(network, [70_000], { account: true });
  await workerRun.modules.vault.lock(wallet); // the sign-in token remains
  await publish();
  expect([network.balanceAsked, published()]).toEqual([0, []]);
  await workerRun.modules.vault.unlock(wallet, PASSWORD);
  await publish();
  expect(published()).toHaveLength(1);
});

test('the balance is published once a minute, or when it changes', async () => {
  const workerRun = await openWallet(network, [70_000], { account: true });
  network.balanceWanted = true;
  clock(0);
  await Promise.all([publish(), publish(), publish()]);
  await publish();
  clock(59_999);
  await publish();
  expect([network.balanceAsked, published().length]).toEqual([1, 1]);
  clock(1);
  await publish();
  expect([network.balanceAsked, published().length]).toEqual([2, 2]);
  await receive(workerRun, 5_000);
  await publish();
  expect(published().map(({ satoshis }) => satoshis)).toEqual(['70000', '70000', '75000']);
});

test('a service that does not respond changes nothing, and is queried again', async () => {
  await openWallet(network, [70_000], { account: true });
  network.balanceWanted = true;
  network.down.add('service');
  await publish();
  expect(published()).toEqual([]);
  network.down.clear();
  await publish();
  expect(published()).toHaveLength(1);
});

test('a refresh of the popup publishes the balance', async () => {
  const workerRun = await openWallet(network, [70_000], { account: true });
  network.balanceWanted = true;
  await workerRun.modules.handlers.walletHandlers(wallet)['wallet/refresh']({});
  await vi.waitFor(() => expect(published()).toHaveLength(1));
});

describe('tokens', () => {
  /** Starts a wallet that holds a valid amount of a token, and a forged amount of the same token. */
  async function holder() {
    const run = await openWallet(network, [70_000], { account: true });
    network.balanceWanted = true;
    const issuer = new Issuer(network);
    const to = (await run.modules.overview.overview(wallet)).receiveAddress;
    const { id, coin } = await issuer.mint(1000n, { dec: 2 });
    await issuer.make([coin], [issuer.holds(id, 600n, to), issuer.holds(id, 150n, to), issuer.holds(id, 250n)]);
    await issuer.make([], [issuer.holds(id, 5n, to)]);
    await run.modules.handlers.walletHandlers(wallet)['assets/refresh']({});
    return { run, id, issuer, to };
  }

  test('tokens that the wallet has verified itself are published if they may be read, with a separate signature', async () => {
    const { run, id } = await holder();
    network.assetsWanted = true;
    await publish();
    const { assets, assetsSignature, time } = published()[0] as BalancePublication;
    expect(assets).toEqual([{ tokenId: id, amount: '750' }]);
    const message = assetBalanceMessage({ origin: network.url, userId: '75101', assets: assets ?? [], time });
    const { identity } = await run.modules.vault.publicKeys(wallet);
    const signature = Signature.fromCompact(assetsSignature ?? '', 'base64');
    expect(BSM.verify(Utils.toArray(message, 'utf8'), signature, PublicKey.fromString(identity))).toBe(true);
  });

  test.each([[false], [null]])('tokens are not published if no one may read them: %s', async (assetsWanted) => {
    await holder();
    network.assetsWanted = assetsWanted;
    await publish();
    expect(Object.keys(published()[0] ?? {}).sort()).toEqual(['satoshis', 'signature', 'time']);
  });

  test('tokens that only the index reports are not published', async () => {
    const { run, id, issuer, to } = await holder();
    const odd = writeInscription(
      'application/bsv-20',
      new TextEncoder().encode('{"p":"bsv-20","amt":1}'),
      new Uint8Array(1),
    );
    const other = await issuer.mint(10n);
    await issuer.make([other.coin], [issuer.holds(other.id, 10n, to), one(odd)]);
    const { walletHandlers } = run.modules.handlers;
    await walletHandlers(wallet)['assets/refresh']({});
    expect((await walletHandlers(wallet)['assets/list']({})).tokens.map(({ word }) => word).sort()).toEqual([
      'chain',
      'index',
    ]);
    network.assetsWanted = true;
    await publish();
    expect(published()[0]?.assets).toEqual([{ tokenId: id, amount: '750' }]);
  });

  test('tokens are published again when they change', async () => {
    const { run, issuer, to } = await holder();
    network.assetsWanted = true;
    await publish();
    const { id, coin } = await issuer.mint(7n);
    await issuer.make([coin], [issuer.holds(id, 7n, to)]);
    await run.modules.handlers.walletHandlers(wallet)['assets/refresh']({});
    await publish();
    expect(published().map(({ assets }) => assets?.length)).toEqual([1, 2]);
  });
});
