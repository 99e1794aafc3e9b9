/** Tests asset transfers during crashes, after rejections by the network, and with another payment in between. */
import { describe, expect, test } from 'vitest';
import { addressScript } from '../../../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../../../protocol/assets/bsv21/inscription.ts';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../../../protocol/bitcoin/transaction.ts';
import { one } from '../../../../testkit/wallet/assets.ts';
import { HOST_KEY, startHost, startNames, type TestHost } from '../../../../testkit/network/hosts.ts';
import { ask, pay, paymentWhere, someone, stored, approveAll } from '../../../../testkit/wallet/wallet.ts';
import { network, handlersOf, holder, quoted, amountOf, heldBy, sendThroughDeath } from './testing-send-asset.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { markFailed } from '../../../coins/gone.ts';

/** The script of coins that strangers can send cheaply. */
const DUST = toHex(addressScript(someone(), 'devnet'));

describe('an asset that is sent', () => {
  test('an asset arrives once, with its change, if the worker stops during the transfer', () => sendThroughDeath(4));

  test('an asset can’t be sent without money for the fee', async () => {
    const { run, id } = await holder([]);
    const answer = await handlersOf(run)['assets/quote']({ asset: { token: id, amount: '1' }, to: someone() });
    expect(answer).toMatchObject({ feeSatoshis: null, problem: { code: 'insufficient-funds' } });
  });

  test('an asset is sent only to addresses of this network, for at most the displayed fee', async () => {
    const { run, id } = await holder();
    const wanted = await quoted(run, id, '1', someone());
    const send = handlersOf(run)['assets/send'];
    for (const to of ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'x', 'OP_1'])
      await expect(send({ ...wanted, to })).rejects.toMatchObject({ code: 'invalid-recipient' });
    await expect(send({ ...wanted, feeSatoshis: '1' })).rejects.toMatchObject({ code: 'fee-changed' });
    await run.modules.vault.lock(wallet);
    await expect(send(wanted)).rejects.toMatchObject({ code: 'wallet-locked' });
    expect((await stored(run)).payments).toEqual([]);
  });

  test('a transfer can be canceled if it was rejected after an operator had reported a fee of zero', async () => {
    network.policy = { satoshis: 0, bytes: 1000 };
    const { run, id } = await holder();
    const wanted = await quoted(run, id, '700', someone());
    network.faults = [461];
    await expect(handlersOf(run)['assets/send'](wanted)).rejects.toMatchObject({ code: 'payment-contested' });
    const [refused] = (await stored(run)).payments;
    expect(refused?.asset?.coins).toHaveLength(2);
    expect(refused?.signed?.inputs).toHaveLength(3);
    expect((await handlersOf(run)['activity/read']({ id: refused?.id ?? '' })).cancelFee).not.toBeNull();
  });

  test('another payment replaces a rejected transfer by spending its money, and never spends its asset’s coins', async () => {
    const { run, id } = await holder([]);
    // Mines only the asset's coins. Replacements usually prefer mined coins, but must not use these.
    await network.mine();
    await handlersOf(run)['assets/refresh']({});
    const { receiveAddress } = await run.modules.overview.overview(wallet);
    for (const satoshis of [100_000, 90_000]) await network.faucet(receiveAddress, satoshis);
    await run.modules.poll.refresh(wallet);
    const wanted = await quoted(run, id, '700', someone());
    network.faults = [461];
    await expect(handlersOf(run)['assets/send'](wanted)).rejects.toMatchObject({ code: 'payment-contested' });
    const [refused] = (await stored(run)).payments;
    expect(refused?.trouble).toBe('refused');
    approveAll(run);
    const paid = await ask(run, 'another', pay(someone(), 150_000));
    if (typeof paid === 'string') throw new Error(paid);
    const [, other] = (await stored(run)).payments.toSorted((a, b) => a.createdAt - b.createdAt);
    const carriers = refused?.asset?.coins ?? [];
    expect(carriers).toHaveLength(2);
    expect(other?.replaces).toBe(refused?.id);
    expect(other?.signed?.inputs.filter((key) => carriers.includes(key))).toEqual([]);
    // Once the other payment is mined, the whole token is available again.
    await network.mine();
    await run.modules.poll.refresh(wallet);
    await paymentWhere(run, refused?.id ?? '', ({ state }) => state === 'failed');
    expect(await amountOf(run)).toBe('1000');
  });

  test('the user can end a rejected transfer whose money has disappeared, and send the asset again', async () => {
    const { run, id } = await holder([]);
    await network.mine();
    await handlersOf(run)['assets/refresh']({});
    const { receiveAddress } = await run.modules.overview.overview(wallet);
    const money = await network.faucet(receiveAddress, 100_000);
    await run.modules.poll.refresh(wallet);
    network.faults = [461];
    const wanted = await quoted(run, id, '1000', someone());
    await expect(handlersOf(run)['assets/send'](wanted)).rejects.toMatchObject({ code: 'payment-contested' });
    const [refused] = (await stored(run)).payments;
    const read = () => handlersOf(run)['activity/read']({ id: refused?.id ?? '' });
    expect((await read()).canEnd).toBeUndefined();
    await markFailed(wallet, money, 'dropped', { at: Date.now(), unknown: 4, since: 0 });
    // Only the missing money could pay for a cancellation.
    expect(await read()).toMatchObject({ cancelFee: null, canEnd: true });
    await handlersOf(run)['activity/end']({ id: refused?.id ?? '' });
    expect((await stored(run)).payments[0]).toMatchObject({ state: 'failed', error: { code: 'action-ended' } });
    expect(await amountOf(run)).toBe('1000');
    await network.faucet(receiveAddress, 50_000);
    await run.modules.poll.refresh(wallet);
    const again = { ...(await quoted(run, id, '1000', someone())), requestId: 'another' };
    expect((await handlersOf(run)['assets/send'](again)).taken).toBe(true);
    const [first, second] = (await stored(run)).payments.toSorted((a, b) => a.createdAt - b.createdAt);
    expect(first?.asset?.coins).toEqual(second?.asset?.coins);
  });
});

test('the user can end a page’s rejected payment in tokens whose money has disappeared, and the tokens are free again', async () => {
  const { run, id } = await holder([]);
  await network.mine();
  await handlersOf(run)['assets/refresh']({});
  const { receiveAddress } = await run.modules.overview.overview(wallet);
  const money = await network.faucet(receiveAddress, 100_000);
  await run.modules.poll.refresh(wallet);
  network.faults = [461];
  approveAll(run);
  const outputs = [{ to: someone(), amount: '1000', currency: id }];
  expect(await ask(run, 'request-1', { outputs })).toBe('payment-contested');
  const [refused] = (await stored(run)).payments;
  const read = () => handlersOf(run)['activity/read']({ id: refused?.id ?? '' });
  expect((await read()).canEnd).toBeUndefined();
  await markFailed(wallet, money, 'dropped', { at: Date.now(), unknown: 4, since: 0 });
  // Only the missing money could pay for a cancellation.
  expect(await read()).toMatchObject({ cancelFee: null, canEnd: true });
  await handlersOf(run)['activity/end']({ id: refused?.id ?? '' });
  expect(await amountOf(run)).toBe('1000');
});

describe('an asset that is sent to a paymail', () => {
  const BOB = 'bob@pay.example';

  async function withHost(
    satoshis?: readonly number[],
  ): Promise<Awaited<ReturnType<typeof holder>> & { host: TestHost }> {
    const opened = await holder(satoshis);
    await startNames(opened.run.profile);
    const host = await startHost(opened.run.profile);
    host.takeOrdinals();
    return { ...opened, host };
  }

  const askedFor = ({ asked }: TestHost, part: string) => asked.filter(({ url }) => url.startsWith(`/${part}/`)).length;

  test('a transfer shows the host’s data, pays the host’s destination, and is delivered to the host', async () => {
    const { run, id, host } = await withHost();
    const quote = await handlersOf(run)['assets/quote']({ asset: { token: id, amount: '700' }, to: BOB });
    expect(quote).toMatchObject({
      recipient: {
        type: 'PAYMAIL',
        to: BOB,
        own: false,
        scripts: [],
        host: { paymail: BOB, name: 'BOB', known: false },
      },
      problem: null,
    });
    const wanted = await quoted(run, id, '700', BOB);
    expect((await handlersOf(run)['assets/send'](wanted)).taken).toBe(true);
    // Despite two quotes, the host was queried once, and the destination that was shown is paid.
    expect([askedFor(host, 'ordinal'), askedFor(host, 'p2p'), askedFor(host, 'destination')]).toEqual([1, 0, 0]);
    expect(await heldBy(host.ordinals.addresses[0] ?? '')).toEqual(['700 1']);
    const [payment] = (await stored(run)).payments;
    await paymentWhere(run, payment?.id ?? '', ({ state }) => state === 'settled');
    expect(host.ordinals.taken).toEqual([payment?.signed?.txid]);
    const { items } = await handlersOf(run)['activity/list']({ limit: 10 });
    expect(items.find(({ direction }) => direction === 'sent')).toMatchObject({
      counterparty: BOB,
      asset: { type: 'token', units: '700', symbol: 'GOLD' },
    });
    // The next transfer gets a new destination.
    await handlersOf(run)['assets/send']({ ...(await quoted(run, id, '300', BOB)), requestId: 'another' });
    expect(new Set(host.ordinals.addresses).size).toBe(2);
  });

  test('a transfer must be reviewed again after a restart of the worker, because the host may respond differently', async () => {
    const { run, id, host } = await withHost();
    const wanted = await quoted(run, id, '700', BOB);
    const next = await run.profile.start();
    host.key = `03${HOST_KEY.slice(2)}`;
    await expect(handlersOf(next)['assets/send'](wanted)).rejects.toMatchObject({ code: 'approval-expired' });
    expect((await stored(next)).payments).toEqual([]);
    const again = await quoted(next, id, '700', BOB);
    expect((await handlersOf(next)['assets/send'](again)).taken).toBe(true);
  });

  test('an ordinal’s satoshi goes to the destination from the host', async () => {
    const { run, issuer, host } = await withHost();
    const { receiveAddress } = await run.modules.overview.overview(wallet);
    const lock = addressScript(receiveAddress, 'devnet');
    await issuer.make([], [one(writeInscription('text/plain', new TextEncoder().encode('hello'), lock))]);
    await handlersOf(run)['assets/refresh']({});
    const [ordinal] = (await handlersOf(run)['assets/list']({})).ordinals;
    const asset = { ordinal: ordinal?.outpoint ?? '' };
    const { feeSatoshis, recipient } = await handlersOf(run)['assets/quote']({ asset, to: BOB });
    expect(recipient).toMatchObject({ to: BOB, scripts: [] });
    await handlersOf(run)['assets/send']({ requestId: 'o', asset, to: BOB, feeSatoshis: feeSatoshis ?? '0' });
    const [payment] = (await stored(run)).payments;
    const { inputs, outputs } = parseTransactionHex(payment?.signed?.rawtx ?? '');
    expect(`${inputs[0]?.txid}_${inputs[0]?.vout}`).toBe(asset.ordinal);
    expect(outputs[0]?.satoshis).toBe(1n);
    expect(outputs[0]?.lockingScript).toEqual(addressScript(host.ordinals.addresses[0] ?? '', 'devnet'));
  });
});

test('thousands of other coins of one satoshi do not hide valid tokens', async () => {
  const { run, id } = await holder();
  const db = await run.modules.database.database(wallet);
  const [coin] = await db.getAllFromIndex('coins', 'rank', wallet.keyRange.bound(['available', 3], ['available', 4]));
  if (!coin) throw new Error('no coin of one satoshi');
  const tx = db.transaction('coins', 'readwrite');
  for (let n = 0; n < 2100; n += 1) {
    const txid = n.toString(16).padStart(64, '0');
    void tx.store.put({ ...coin, txid, vout: 0, outpoint: `${txid}:0`, script: DUST });
  }
  await tx.done;
  const { tokens } = await handlersOf(run)['assets/list']({});
  expect(tokens).toMatchObject([{ id, amount: '1000' }]);
  expect(await quoted(run, id, '700', someone())).toMatchObject({ asset: { units: '700' } });
});
