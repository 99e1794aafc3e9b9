/** Restoring recovers applications' outputs as they are on the chain, and each action exactly once, despite crashes. */
import { PrivateKey, ProtoWallet } from '@bsv/sdk';
import { describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { PAYMENT_PROTOCOL_ID } from '../../protocol/messages/permission.ts';
import type { LogEntry } from '../app-log/entry.ts';
import { APP, appScript, called, output } from '../../testkit/wallet/applications.ts';
import { Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { keepUnlocked, give, PASSWORD, someone } from '../../testkit/wallet/wallet.ts';
import { hash160 } from '../keys/keys.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();
// For requests made by the test itself, not by a worker.
const ownFetch = globalThis.fetch;
const WORDS = 'abandon '.repeat(11) + 'about';
const AGAIN_AFTER_MS = 10 * 60_000;
/** Number of blocks after which no reorganization can replace a block. */
const FINAL_DEPTH = 100;
/** Every nth crash point is tested. */
const STRIDE = 7;

async function walletWith({ restored = false, words = WORDS } = {}): Promise<WorkerRun> {
  const workerRun = await new Profile(network.url).start();
  await keepUnlocked(workerRun);
  await workerRun.modules.vault.createVault(wallet, words, PASSWORD, restored);
  await workerRun.modules.client.registerAccount(wallet, 'alice', 'Alice');
  return workerRun;
}

const sync = (workerRun: WorkerRun) => workerRun.modules.appSync.syncAppLog(wallet);
const dbOf = (workerRun: WorkerRun) => workerRun.modules.database.database(wallet);
async function record(workerRun: WorkerRun, ...entries: LogEntry[]): Promise<void> {
  const { database, appRecord } = workerRun.modules;
  await database.inTransaction(wallet, async (tx) => {
    for (const entry of entries) await appRecord.recordEntry(wallet, tx, entry);
  });
}

async function fundedOutpoint(address: string, satoshis: number): Promise<string> {
  const txid = await network.faucet(address, satoshis);
  const list = await ownFetch(`${network.url}/devnet/woc/v1/bsv/test/address/${address}/unspent/all`);
  const { result } = (await list.json()) as { result: { tx_pos: number }[] };
  return `${txid}:${result[0]?.tx_pos}`;
}

async function outputOnChain(satoshis: number, more: Partial<LogEntry & { kind: 'output' }> = {}): Promise<LogEntry> {
  return {
    kind: 'output',
    outpoint: await fundedOutpoint(someone(), satoshis),
    satoshis: `${satoshis}`,
    basket: 'tokens',
    tags: ['blue'],
    customInstructions: 'fold',
    origin: 'https://app.example',
    description: 'A token',
    ...more,
  };
}
const action = (n: number): LogEntry => ({
  kind: 'action',
  txid: n.toString(16).padStart(64, '0'),
  origin: 'https://app.example',
  description: `Move ${n}`,
  labels: ['game'],
  outputs: [],
  at: n,
});

/** Creates an unswept payment of 80,000 satoshis to a key derived for the wallet. */
async function derivedPayment(
  workerRun: WorkerRun,
  derivationSuffix = 'AQ==',
): Promise<LogEntry & { kind: 'wallet-payment' }> {
  const sender = new PrivateKey(12_345);
  const remittance = { derivationPrefix: 'AA==', derivationSuffix };
  const { publicKey } = await new ProtoWallet(sender).getPublicKey({
    protocolID: [...PAYMENT_PROTOCOL_ID],
    keyID: `${remittance.derivationPrefix} ${remittance.derivationSuffix}`,
    counterparty: (await workerRun.modules.vault.publicKeys(wallet)).identity,
  });
  const outpoint = await fundedOutpoint(writeAddress(hash160(fromHex(publicKey)), 'devnet'), 80_000);
  const senderIdentityKey = sender.toPublicKey().toString();
  return { kind: 'wallet-payment', outpoint, ...remittance, senderIdentityKey, satoshis: '80000' };
}

describe('restoring', () => {
  test('outputs are restored with the amount and script of their transaction, regardless of the log', async () => {
    const first = await walletWith();
    const entry = await outputOnChain(5_000, { satoshis: '999999999' });
    await record(first, entry, action(2), action(1));
    await sync(first);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    const db = await dbOf(restored);
    const [kept, ...others] = await db.getAll('appOutputs');
    expect(others).toEqual([]);
    expect(kept).toMatchObject({
      outpoint: entry.kind === 'output' && entry.outpoint,
      satoshis: 5_000n,
      basket: 'tokens',
      tags: ['blue'],
      customInstructions: 'fold',
      origin: 'https://app.example',
      status: 'available',
      listing: 'tokens',
    });
    expect(kept?.script).toMatch(/^76a914[0-9a-f]{40}88ac$/);
    const actions = await db.getAllFromIndex('appActions', 'label', ['https://app.example', 'game']);
    expect(actions.map(({ description, at }) => [description, at]).sort()).toEqual([
      ['Move 1', 1],
      ['Move 2', 2],
    ]);
    // Restored entries aren't sent back to the service.
    expect(await db.countFromIndex('appLog', 'unsent')).toBe(0);
    expect((await restored.modules.overview.overview(wallet)).satoshis).toBe('0');
  });

  test('actions are restored with their cost once their transactions are read, and the cost is missing until then, never zero', async () => {
    // Tests share the ledger, so other tests with the default words would find this money.
    const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    const first = await walletWith({ words });
    const { receiveAddress } = await first.modules.overview.overview(wallet);
    await network.faucet(receiveAddress, 500_000);
    await first.modules.poll.refresh(wallet);
    await give(first, { origin: APP, currency: 'BSV', limit: 100_000n });
    const outputs = [output(20_000, appScript(0))];
    await called(first, 'createAction', {
      description: 'buy a thing',
      outputs,
      options: { acceptDelayedBroadcast: false },
    });
    await network.mine();
    const listed = async (workerRun: WorkerRun) =>
      (await called(workerRun, 'listActions', { labels: [] })).actions.find(
        ({ description }) => description === 'buy a thing',
      );
    const [before] = [await listed(first)];
    expect(before?.satoshis).toBeLessThan(-20_000);
    await sync(first);
    const restored = await walletWith({ words, restored: true });
    await sync(restored);
    expect(await listed(restored)).toMatchObject({ txid: before?.txid, isOutgoing: true, status: 'unproven' });
    expect(await listed(restored)).not.toHaveProperty('satoshis');
    await vi.waitFor(async () => {
      await restored.modules.poll.refresh(wallet);
      expect(await listed(restored)).toMatchObject({
        satoshis: before?.satoshis,
        isOutgoing: true,
        status: 'completed',
      });
    });
  });

  test('an application’s internalized payment is restored with its description, without a notification for the user’s part', async () => {
    const words = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above';
    const first = await walletWith({ words });
    const { receiveAddress } = await first.modules.overview.overview(wallet);
    const txid = await network.faucet(receiveAddress, 500_000);
    await network.mine();
    const incoming = { satoshis: '0', isProven: true, version: 2, lockTime: 7 };
    await record(first, { ...action(1), txid, origin: APP, incoming } as LogEntry);
    await sync(first);
    const restored = await walletWith({ words, restored: true });
    await sync(restored);
    await restored.modules.poll.refresh(wallet);
    expect(await (await dbOf(restored)).get('receipts', txid)).toMatchObject({ satoshis: 500_000n });
    const { actions } = await called(restored, 'listActions', { labels: [] });
    expect(actions).toMatchObject([
      { txid, satoshis: 0, isOutgoing: false, status: 'completed', version: 2, lockTime: 7 },
    ]);
  });

  test('an output that was spent in the meantime is not restored', async () => {
    const first = await walletWith();
    const { receiveAddress } = await first.modules.overview.overview(wallet);
    await network.faucet(receiveAddress, 50_000);
    await first.modules.poll.refresh(wallet);
    const [coin] = await (await dbOf(first)).getAll('coins');
    const entry = await outputOnChain(700);
    await record(first, entry, { ...entry, outpoint: coin?.outpoint ?? '' } as LogEntry);
    await sync(first);
    // The first wallet spends the coin without informing the service.
    const handlers = first.modules.handlers.walletHandlers(wallet);
    const recipients = [{ to: someone(), amount: '0.0002', currency: 'BSV' }];
    const quote = await handlers['send/quote']({ recipients });
    const { outputs, feeSatoshis, time } = quote;
    await handlers['send/pay']({ requestId: 'request-of-window', outputs, feeSatoshis: feeSatoshis ?? '0', time });
    await network.mine(FINAL_DEPTH + 1);
    const restored = await walletWith({ restored: true });
    await restored.modules.poll.refresh(wallet);
    await sync(restored);
    const kept = await (await dbOf(restored)).getAll('appOutputs');
    expect(kept.map(({ satoshis }) => satoshis)).toEqual([700n]);
    expect(await (await dbOf(restored)).get('appLog', `${coin?.outpoint} output https://app.example`)).toMatchObject({
      entry: { kind: 'output-gone' },
    });
  });

  describe('while no block contains the spender', () => {
    /** Syncs after ten minutes, with the spender either forgotten by the index or confirmed. */
    async function syncLater(restored: WorkerRun, isForgotten: boolean): Promise<void> {
      const [now, { fetch: worker }] = [Date.now(), globalThis];
      vi.spyOn(Date, 'now').mockImplementation(() => now + AGAIN_AFTER_MS);
      if (isForgotten)
        globalThis.fetch = (url, init) =>
          String(url).endsWith('/spent') ? Promise.resolve(new Response('', { status: 404 })) : worker(url, init);
      else await network.mine();
      await sync(restored);
      globalThis.fetch = worker;
      vi.restoreAllMocks();
    }

    test.each([true, false])(
      'an output waits, and is restored only if the spender is forgotten: %s',
      async (isForgotten) => {
        network.appLog.reset();
        const first = await walletWith();
        const outpoint = await fundedOutpoint((await first.modules.overview.overview(wallet)).receiveAddress, 50_000);
        await first.modules.poll.refresh(wallet);
        await record(first, { ...(await outputOnChain(1)), outpoint } as LogEntry);
        await sync(first);
        await network.mine();
        const handlers = first.modules.handlers.walletHandlers(wallet);
        const quote = await handlers['send/quote']({ recipients: [{ to: someone(), amount: null, currency: 'BSV' }] });
        const { outputs, feeSatoshis, time } = quote;
        await handlers['send/pay']({ requestId: 'request-of-window', outputs, feeSatoshis: feeSatoshis ?? '0', time });
        const restored = await walletWith({ restored: true });
        await sync(restored);
        const db = await dbOf(restored);
        expect([await db.count('appOutputs'), await db.countFromIndex('appLog', 'unapplied')]).toEqual([0, 1]);
        await syncLater(restored, isForgotten);
        if (!isForgotten) {
          // A reorganization can still undo the spender's block.
          expect((await db.getAll('appLog')).map(({ entry }) => entry.kind)).toEqual(['output']);
          await network.mine(FINAL_DEPTH);
          await restored.modules.poll.refresh(wallet);
          const later = Date.now() + 2 * AGAIN_AFTER_MS;
          vi.spyOn(Date, 'now').mockImplementation(() => later);
          await sync(restored);
          vi.restoreAllMocks();
        }
        expect((await db.getAll('appOutputs')).map((one) => one.outpoint)).toEqual(isForgotten ? [outpoint] : []);
        expect((await db.getAll('appLog')).map(({ entry }) => entry.kind)).toEqual([
          isForgotten ? 'output' : 'output-gone',
        ]);
        expect(await db.countFromIndex('appLog', 'unapplied')).toBe(0);
      },
    );

    test.each([true, false])(
      'a payment waits, and is swept only if the spender is forgotten: %s',
      async (isForgotten) => {
        network.appLog.reset();
        const first = await walletWith();
        await record(first, await derivedPayment(first));
        await sync(first);
        const sweeper = await walletWith({ restored: true });
        await sync(sweeper);
        const sweeps = { sweep: true, signed: { inputs: [expect.any(String)] } };
        expect(await (await dbOf(sweeper)).getAll('payments')).toMatchObject([sweeps]);
        const restored = await walletWith({ restored: true });
        await sync(restored);
        const db = await dbOf(restored);
        expect([await db.count('payments'), await db.countFromIndex('appLog', 'unapplied')]).toEqual([0, 1]);
        await syncLater(restored, isForgotten);
        expect(await db.getAll('payments')).toMatchObject(isForgotten ? [sweeps] : []);
        expect(await db.countFromIndex('appLog', 'unapplied')).toBe(0);
      },
    );
  });

  test('an output that the index lacks waits, and delays no other', async () => {
    const first = await walletWith();
    const entry = await outputOnChain(900);
    await record(first, { ...entry, outpoint: `${'ab'.repeat(32)}:0` } as LogEntry, entry);
    await sync(first);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    const db = await dbOf(restored);
    expect((await db.getAll('appOutputs')).map(({ satoshis }) => satoshis)).toEqual([900n]);
    expect(await db.countFromIndex('appLog', 'unapplied')).toBe(1);
  });

  test('an unswept payment to a derived key is swept, and then counts as money', async () => {
    const first = await walletWith();
    const payment = await derivedPayment(first);
    await record(first, payment);
    await sync(first);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    const db = await dbOf(restored);
    expect(await db.getAll('payments')).toMatchObject([{ sweep: true, signed: { inputs: [payment.outpoint] } }]);
    const { satoshis } = await restored.modules.overview.overview(wallet);
    expect(Number(satoshis)).toBeGreaterThan(79_000);
    expect(await db.countFromIndex('appLog', 'unapplied')).toBe(0);
  });

  test('a payment mined under a different transaction ID is found by its key, but only once it is mined', async () => {
    network.appLog.reset();
    const first = await walletWith();
    // Two payments of the same amount to the same key: one is mined and swept, and the other's ID has changed.
    const [payment, other] = [await derivedPayment(first, 'Ag=='), await derivedPayment(first, 'Ag==')];
    await record(first, other);
    await sync(first);
    const sweeper = await walletWith({ restored: true });
    await sync(sweeper);
    expect(await (await dbOf(sweeper)).getAll('payments')).toMatchObject([{ signed: { inputs: [other.outpoint] } }]);
    const logged = { ...payment, outpoint: 'ab'.repeat(32) + payment.outpoint.slice(-2) };
    await record(first, { kind: 'payment-gone', outpoint: other.outpoint }, logged);
    await sync(first);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    const db = await dbOf(restored);
    expect([await db.count('payments'), await db.countFromIndex('appLog', 'unapplied')]).toEqual([0, 1]);
    await network.mine();
    const now = Date.now() + AGAIN_AFTER_MS;
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    await sync(restored);
    expect(await db.getAll('payments')).toMatchObject([{ sweep: true, signed: { inputs: [payment.outpoint] } }]);
    expect(await db.countFromIndex('appLog', 'unapplied')).toBe(1);
    expect((await db.getAll('appLog')).map(({ entry }) => entry)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'wallet-payment', outpoint: logged.outpoint }),
        expect.objectContaining({ kind: 'wallet-payment', outpoint: payment.outpoint }),
      ]),
    );
    vi.restoreAllMocks();
  });

  test('a payment is found by its key if a reorganization gives it an earlier transaction ID again', async () => {
    network.appLog.reset();
    const first = await walletWith();
    const payment = await derivedPayment(first, 'Aw==');
    const changed = { ...payment, outpoint: 'cd'.repeat(32) + payment.outpoint.slice(-2) };
    await record(first, { kind: 'payment-gone', outpoint: payment.outpoint }, changed);
    await sync(first);
    await network.mine();
    const restored = await walletWith({ restored: true });
    await sync(restored);
    const db = await dbOf(restored);
    expect(await db.getAll('payments')).toMatchObject([{ sweep: true, signed: { inputs: [payment.outpoint] } }]);
    const entryAt = async (outpoint: string) => (await db.get('appLog', `${outpoint} payment`))?.entry.kind;
    expect([await entryAt(payment.outpoint), await entryAt(changed.outpoint)]).toEqual([
      'wallet-payment',
      'wallet-payment',
    ]);
  });
});

/** Runs a worker that stops at a crash point, and lets the next worker finish. */
async function through(workerRun: WorkerRun, crashPoint: number): Promise<WorkerRun> {
  workerRun.dieAt(crashPoint);
  await workerRun.untilDeath(() => sync(workerRun));
  if (!workerRun.dead) return workerRun;
  const next = await workerRun.profile.start();
  await sync(next);
  return next;
}

test('if a worker is killed at any point of saving or replacing, everything is saved once', async () => {
  const entries = [await outputOnChain(600), action(1), action(2)];
  const begin = async () => {
    network.appLog.reset();
    const first = await walletWith();
    await record(first, ...entries.slice(0, 2));
    await sync(first);
    // The next sync replaces everything, including the new entries.
    await first.modules.appState.changeState(wallet, (state) => ({ ...state, bytes: 10_000_000 }));
    await record(first, ...entries.slice(2));
    return first;
  };
  const points = await pointsOf(begin);
  expect(points).toBeGreaterThan(20);
  for (let crashPoint = 1; crashPoint <= points; crashPoint += STRIDE) {
    const after = await through(await begin(), crashPoint);
    expect(await (await dbOf(after)).countFromIndex('appLog', 'unsent'), `crash point ${crashPoint}`).toBe(0);
    expect((await after.modules.appState.readState(wallet)).replacing).toBeNull();
    const restored = await walletWith({ restored: true });
    await sync(restored);
    const db = await dbOf(restored);
    expect((await restored.modules.appState.readState(wallet)).problem, `crash point ${crashPoint}`).toBeNull();
    expect([await db.count('appOutputs'), await db.count('appActions')]).toEqual([1, 2]);
  }
});

test('if a worker is killed at any point of restoring, everything is restored once', async () => {
  const first = await walletWith();
  await record(first, await outputOnChain(600), action(1), action(2));
  await sync(first);
  const points = await pointsOf(() => walletWith({ restored: true }));
  for (let crashPoint = 1; crashPoint <= points; crashPoint += STRIDE) {
    const db = await dbOf(await through(await walletWith({ restored: true }), crashPoint));
    expect([await db.count('appOutputs'), await db.count('appActions')], `crash point ${crashPoint}`).toEqual([1, 2]);
    expect([await db.countFromIndex('appLog', 'unapplied'), await db.countFromIndex('appLog', 'unsent')]).toEqual([
      0, 0,
    ]);
  }
});

async function pointsOf(begin: () => Promise<WorkerRun>): Promise<number> {
  const workerRun = await begin();
  workerRun.dieAt(Number.POSITIVE_INFINITY);
  await sync(workerRun);
  return workerRun.crashPoints.length;
}
