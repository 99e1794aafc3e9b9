/** Sending assets where something goes wrong: the worker dies, the network refuses, another payment comes in between. */
import { describe, expect, test } from 'vitest';
import { addressScript } from '../../../protocol/address.ts';
import { writeInscription } from '../../../protocol/bsv21/inscription.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { parseTransactionHex } from '../../../protocol/transaction.ts';
import { Issuer, one } from '../testing/assets.ts';
import { HOST_KEY, startHost, startNames, type TestHost } from '../testing/hosts.ts';
import { useNetwork } from '../testing/network.ts';
import { ask, openWallet, pay, paymentWhere, someone, stored, approveAll } from '../testing/wallet.ts';
import type { WorkerRun } from '../testing/worker-run.ts';

const network = useNetwork();
/** Of the crash points of a run, every how many-th is tried. */
const STRIDE = 3;
/** The same of what is delivered as well, which takes longer. */
const DELIVERED_STRIDE = 9;

/** What anybody can send for little. */
const DUST = toHex(addressScript(someone(), 'devnet'));

const handlersOf = (run: WorkerRun) => run.modules.handlers.walletHandlers;

/** A wallet with money and 1,000 of a token, in two coins. */
async function holder(satoshis: readonly number[] = [100_000]) {
  const run = await openWallet(network, satoshis);
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(1000n);
  const to = (await run.modules.overview.overview()).receiveAddress;
  await issuer.make([coin], [issuer.holds(id, 600n, to), issuer.holds(id, 400n, to)]);
  await handlersOf(run)['assets/refresh']({});
  return { run, id, issuer };
}

async function quoted(run: WorkerRun, id: string, amount: string, to: string) {
  const { asset, feeSatoshis } = await handlersOf(run)['assets/quote']({ asset: { token: id, amount }, to });
  if (asset?.type !== 'token' || feeSatoshis === null) throw new Error('no quote');
  return { requestId: 'the request', asset: { token: id, units: asset.units }, to, feeSatoshis };
}

async function amountOf(run: WorkerRun): Promise<string | undefined> {
  await handlersOf(run)['assets/refresh']({});
  return (await handlersOf(run)['assets/list']({})).tokens[0]?.amount;
}

/** What an address holds of the token, by the ledger. */
async function heldBy(address: string): Promise<string[]> {
  const answer = await fetch(`${network.url}/devnet/ordinals/api/txos/address/${address}/unspent?bsv20=true`);
  const list = (await answer.json()) as { data: { bsv20: { amt: string; status: number } } }[];
  return list.map(({ data: { bsv20 } }) => `${bsv20.amt} ${bsv20.status}`);
}

/** Sends 700 to an address while the worker dies at a point. */
async function sendThroughDeath(dieAt: number): Promise<void> {
  const { run, id } = await holder();
  const to = someone();
  const wanted = await quoted(run, id, '700', to);
  run.dieAt(dieAt);
  let now = run;
  for (;;) {
    const sent = await now.untilDeath(() => handlersOf(now)['assets/send'](wanted));
    if (sent?.taken) break;
    if (now.dead) now = await now.profile.start();
  }
  if (now.dead) now = await now.profile.start();
  expect(await heldBy(to)).toEqual(['700 1']);
  expect(await amountOf(now)).toBe('300');
  const { payments, coins } = await stored(now);
  expect(payments).toHaveLength(1);
  expect(coins.filter(({ status }) => status !== 'spent' && status !== 'available')).toEqual([]);
}

describe('an asset that is sent', () => {
  test('arrives once, and what is left comes back, wherever the worker dies', async () => {
    const { run, id } = await holder();
    const wanted = await quoted(run, id, '700', someone());
    run.dieAt(Number.POSITIVE_INFINITY); // counts from here on
    await handlersOf(run)['assets/send'](wanted);
    const points = run.crashPoints.length;
    expect(points).toBeGreaterThan(5);
    for (let dieAt = 1; dieAt <= points; dieAt += STRIDE) await sendThroughDeath(dieAt);
  });

  test('costs money for its fee alone, never another asset, and is refused without money', async () => {
    const { run, id } = await holder([]);
    const answer = await handlersOf(run)['assets/quote']({ asset: { token: id, amount: '1' }, to: someone() });
    expect(answer).toMatchObject({ feeSatoshis: null, problem: { code: 'insufficient-funds' } });
  });

  test('goes to addresses of this network alone, at most at the fee that was shown', async () => {
    const { run, id } = await holder();
    const wanted = await quoted(run, id, '1', someone());
    const send = handlersOf(run)['assets/send'];
    for (const to of ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'x', 'OP_1'])
      await expect(send({ ...wanted, to })).rejects.toMatchObject({ code: 'invalid-recipient' });
    await expect(send({ ...wanted, feeSatoshis: '1' })).rejects.toMatchObject({ code: 'fee-changed' });
    await run.modules.vault.lock();
    await expect(send(wanted)).rejects.toMatchObject({ code: 'wallet-locked' });
    expect((await stored(run)).payments).toEqual([]);
  });

  test('and that the network refuses is replaced by way of its money: its own coins are spent by nothing else', async () => {
    const { run, id } = await holder([]);
    // Its own coins are in a block, where the money is not: of such coins one is spent in place of another payment.
    await network.mine();
    await handlersOf(run)['assets/refresh']({});
    const { receiveAddress } = await run.modules.overview.overview();
    for (const satoshis of [100_000, 90_000]) await network.faucet(receiveAddress, satoshis);
    await run.modules.poll.refresh();
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
    // Once a block has decided for the other payment, all of the token is free again.
    await network.mine();
    await run.modules.poll.refresh();
    await paymentWhere(run, refused?.id ?? '', ({ state }) => state === 'failed');
    expect(await amountOf(run)).toBe('1000');
  });
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

  test('is shown with what its host says, goes where that says, and is delivered there', async () => {
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
    // Quoted twice, it has asked once: what is paid is what was shown.
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
    // The next one has another destination.
    await handlersOf(run)['assets/send']({ ...(await quoted(run, id, '300', BOB)), requestId: 'another' });
    expect(new Set(host.ordinals.addresses).size).toBe(2);
  });

  test('arrives once and is delivered, wherever the worker dies', async () => {
    const once = async (dieAt: number) => {
      const { run, id, host } = await withHost();
      const wanted = await quoted(run, id, '700', BOB);
      run.dieAt(dieAt);
      let now = run;
      let asking = wanted;
      for (let requests = 1; ;) {
        const sent = await now.untilDeath(() =>
          handlersOf(now)
            ['assets/send'](asking)
            .catch(({ code }: { code: string }) => code),
        );
        if (sent === 'approval-expired') {
          // What the host gave is gone with the worker, before anything was stored: it is shown anew.
          expect((await stored(now)).payments).toEqual([]);
          requests += 1;
          asking = { ...(await quoted(now, id, '700', BOB)), requestId: `request ${requests}` };
        } else if (sent !== null) {
          if (typeof sent === 'string') throw new Error(sent);
          if (await now.untilDeath(() => paymentWhere(now, sent.id, ({ state }) => state === 'settled'))) break;
        }
        if (now.dead) now = await now.profile.start();
      }
      const points = run.crashPoints.length;
      const { payments, coins } = await stored(now);
      expect(payments.map(({ deliveries }) => deliveries.map(({ state }) => state))).toEqual([['done']]);
      expect(new Set(host.ordinals.taken)).toEqual(new Set([payments[0]?.signed?.txid]));
      const held = await Promise.all(host.ordinals.addresses.map(heldBy));
      expect(held.flat()).toEqual(['700 1']);
      expect(await amountOf(now)).toBe('300');
      expect(coins.filter(({ status }) => status !== 'spent' && status !== 'available')).toEqual([]);
      return points;
    };
    const points = await once(Number.POSITIVE_INFINITY);
    expect(points).toBeGreaterThan(5);
    for (let dieAt = 2; dieAt <= points; dieAt += DELIVERED_STRIDE) await once(dieAt);
  });

  test('whose host is away when it is sent is delivered later', async () => {
    const { run, id, host } = await withHost();
    host.instead.set('take', { status: 503 });
    await handlersOf(run)['assets/send'](await quoted(run, id, '700', BOB));
    const [payment] = (await stored(run)).payments;
    const waiting = await paymentWhere(run, payment?.id ?? '', ({ deliveries }) => deliveries[0]?.attempts === 1);
    expect(waiting.state).toBe('broadcast');
    host.instead.delete('take');
    await run.modules.transition.transition(waiting.id, 'broadcast', ({ deliveries }) => ({
      deliveries: deliveries.map((one) => ({ ...one, nextAt: 0 })),
    }));
    void run.modules.drive.processPayment(waiting.id);
    await paymentWhere(run, waiting.id, ({ state }) => state === 'settled');
    expect(host.ordinals.taken).toEqual([waiting.signed?.txid]);
  });

  test.each<[string, (host: TestHost) => void, string]>([
    ['takes no ordinals', ({ capabilities }) => delete capabilities['2cc00c7f93c3'], 'unsupported-recipient'],
    [
      'gives money’s destinations alone',
      ({ capabilities }) => delete capabilities.cc2154bfa6a2,
      'unsupported-recipient',
    ],
    ['is away', ({ instead }) => instead.set('ordinal', { status: 503 }), 'paymail-unavailable'],
    [
      'gives no script of an address',
      ({ instead }) => instead.set('ordinal', { body: { outputs: [{ script: '51' }], reference: 'r' } }),
      'paymail-mismatch',
    ],
    [
      'knows nobody of that name',
      ({ instead }) => instead.set('ordinal', { status: 404, body: {} }),
      'unknown-recipient',
    ],
  ])('whose host %s is told from other problems, before anything is signed', async (_, change, code) => {
    const { run, id, host } = await withHost();
    change(host);
    const quote = await handlersOf(run)['assets/quote']({ asset: { token: id, amount: '700' }, to: BOB });
    expect(quote).toMatchObject({ badRecipient: code, recipient: null, feeSatoshis: null, problem: null });
    const wanted = { requestId: 'r', asset: { token: id, units: '700' }, to: BOB, feeSatoshis: '100' };
    await expect(handlersOf(run)['assets/send'](wanted)).rejects.toMatchObject({ code });
    expect((await stored(run)).payments).toEqual([]);
  });

  test('is shown anew where another answer takes the place of the one that was reviewed', async () => {
    const { run, id, host } = await withHost();
    const wanted = await quoted(run, id, '700', BOB);
    const next = await run.profile.start();
    host.key = `03${HOST_KEY.slice(2)}`;
    await expect(handlersOf(next)['assets/send'](wanted)).rejects.toMatchObject({ code: 'approval-expired' });
    expect((await stored(next)).payments).toEqual([]);
    const again = await quoted(next, id, '700', BOB);
    expect((await handlersOf(next)['assets/send'](again)).taken).toBe(true);
  });

  test('is an ordinal, too: its satoshi goes where the host says', async () => {
    const { run, issuer, host } = await withHost();
    const { receiveAddress } = await run.modules.overview.overview();
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

test('of tokens nobody hides what the wallet knows to be good behind thousands of other coins of one satoshi', async () => {
  const { run, id } = await holder();
  const db = await run.modules.database.database();
  const [coin] = await db.getAllFromIndex('coins', 'rank', IDBKeyRange.bound(['available', 3], ['available', 4]));
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
