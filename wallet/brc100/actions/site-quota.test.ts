/**
 * A site's storage limit. Excess data is rejected before anything is stored or paid. Money for the user is never
 * rejected.
 */
import { Beef, LockingScript, Transaction, UnlockingScript } from '@bsv/sdk';
import { describe, expect, test } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import {
  APP,
  appScript,
  call,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { give, openWallet, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { readBeef } from '../../chain/read-beef.ts';

const network = useNetwork();
const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
const MAX_SITE_BYTES = 16_000_000;
const OTHER = { origin: 'https://other.example' };
const dbOf = ({ modules }: WorkerRun) => modules.database.database(wallet);
const keptBy = async (workerRun: WorkerRun, origin = APP) =>
  ((await (await dbOf(workerRun)).get('totals', `kept ${origin}`)) as { bytes: number } | undefined)?.bytes ?? 0;
const leaveRoom = async (workerRun: WorkerRun, bytes: number) =>
  (await dbOf(workerRun)).put('totals', { bytes: MAX_SITE_BYTES - bytes }, `kept ${APP}`);
const keep = (more: object = {}, options: object = {}) => ({
  description: 'keep a thing',
  outputs: [output(5000, appScript(0), { basket: 'things', ...more })],
  options: { randomizeOutputs: false, acceptDelayedBroadcast: false, ...options },
});
const FULL = { code: 1, reason: 'baskets-full', description: expect.stringContaining('keeps too much') as string };

async function allowed(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [500_000, 500_000]);
  for (const origin of [APP, OTHER.origin]) await give(workerRun, { origin, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}

test('outputs count toward their site’s limit as long as they are stored', async () => {
  const workerRun = await allowed();
  const { txid } = await called(workerRun, 'createAction', keep({ customInstructions: 'x'.repeat(10_000) }));
  const bytes = await keptBy(workerRun);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(11_000);
  expect(await keptBy(workerRun, OTHER.origin)).toBe(0);
  const labels = Array.from({ length: 100 }, (_, n) => String(n).padStart(99, 'x'));
  const LABELS = 19_000;
  await called(workerRun, 'createAction', { ...keep(), labels });
  expect(await keptBy(workerRun)).toBeGreaterThan(bytes + LABELS);
  await called(workerRun, 'relinquishOutput', { basket: 'things', output: `${txid}.0` });
  expect(await keptBy(workerRun)).toBeGreaterThan(LABELS);
  expect(await keptBy(workerRun)).toBeLessThan(LABELS + 2000);
});

test("a site at its limit can't store more outputs, and its allowance, its payments and other sites are unaffected", async () => {
  const workerRun = await allowed();
  await leaveRoom(workerRun, 200);
  const before = await stored(workerRun);
  expect(await call(workerRun, 'createAction', keep())).toMatchObject(FULL);
  expect(await stored(workerRun)).toEqual(before);
  expect((await (await dbOf(workerRun)).getAll('allowances')).map((one) => one.spentSatoshis)).toEqual([0n, 0n]);
  await called(workerRun, 'createAction', { ...keep(), outputs: [output(5000, SOMEBODY)] });
  const { tx } = await called(workerRun, 'createAction', keep(), OTHER);
  const insertion = { outputIndex: 1, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } };
  const asked = network.broadcasts.length;
  const bringing = { tx, outputs: [insertion], description: 'what was sent' };
  expect(await call(workerRun, 'internalizeAction', bringing)).toMatchObject(FULL);
  expect(network.broadcasts.length).toBe(asked);
  expect(await (await dbOf(workerRun)).count('appOutputs')).toBe(1);
  await leaveRoom(workerRun, 1000);
  expect(await call(workerRun, 'internalizeAction', bringing)).toEqual({ accepted: true });
});

describe('an action that the network doesn’t have', () => {
  const totalOf = async (workerRun: WorkerRun) =>
    ((await (await dbOf(workerRun)).get('totals', `unfinished ${APP}`)) as { bytes: number } | undefined)?.bytes ?? 0;
  /** Returns an output with the given number of data bytes. */
  const data = (bytes: number) => ({
    ...output(0, `006a4d${toHex(Uint8Array.of(bytes % 256, bytes >> 8))}${'00'.repeat(bytes)}`),
  });
  const store = (bytes: number, options: object = {}) => ({
    description: 'store data',
    outputs: [data(bytes)],
    options: { acceptDelayedBroadcast: false, ...options },
  });

  test('its scripts count toward its site’s limit until the network has it', async () => {
    const workerRun = await allowed();
    const { txid } = await called(workerRun, 'createAction', store(3000, { noSend: true }));
    expect(await totalOf(workerRun)).toBeGreaterThan(5000);
    expect(await totalOf(workerRun)).toBeLessThan(6000);
    const send = { description: 'send it', options: { sendWith: [txid], acceptDelayedBroadcast: false } };
    await called(workerRun, 'createAction', send);
    expect(await totalOf(workerRun)).toBe(0);
  });

  test('its scripts count toward its site’s limit until it ends unsigned', async () => {
    const workerRun = await allowed();
    const { signableTransaction } = await called(workerRun, 'createAction', store(3000, { signAndProcess: false }));
    expect(await totalOf(workerRun)).toBeGreaterThan(5000);
    await called(workerRun, 'abortAction', { reference: signableTransaction!.reference });
    expect(await totalOf(workerRun)).toBe(0);
  });

  test('an action is rejected before it is paid if its site has no room for its scripts', async () => {
    const workerRun = await allowed();
    await called(workerRun, 'createAction', store(3000, { noSend: true }));
    await leaveRoom(workerRun, 8000);
    const before = await stored(workerRun);
    const again = { ...store(3000, { noSend: true }), description: 'store more' };
    expect(await call(workerRun, 'createAction', again)).toMatchObject(FULL);
    expect(await stored(workerRun)).toEqual(before);
    await called(workerRun, 'createAction', again, OTHER);
    await leaveRoom(workerRun, 12_000);
    await called(workerRun, 'createAction', again);
  });

  /** A BEEF with the transaction of an output, its parent, and an unrelated transaction. */
  async function sources(workerRun: WorkerRun) {
    const { tx, txid } = await called(workerRun, 'createAction', keep());
    const beef = Beef.fromBinary(tx!);
    const junk = new Transaction();
    junk.addInput({ sourceTXID: '11'.repeat(32), sourceOutputIndex: 0, unlockingScript: new UnlockingScript() });
    junk.addOutput({ satoshis: 0, lockingScript: LockingScript.fromHex(data(3000).lockingScript) });
    beef.mergeRawTx(junk.toBinary());
    return {
      inputBEEF: beef.toBinary(),
      txid: txid!,
      junk: junk.id('hex'),
      members: readBeef(Uint8Array.from(tx!)).members,
    };
  }
  const beefsOf = async (workerRun: WorkerRun) =>
    (await stored(workerRun)).payments.flatMap(({ action }) => action?.beef ?? []);

  test.each([{ noSend: true }, { signAndProcess: false }])(
    'its source transactions aren’t stored if it spends none of their outputs: %j',
    async (options) => {
      const workerRun = await allowed();
      const { inputBEEF } = await sources(workerRun);
      await called(workerRun, 'createAction', { ...store(1, options), inputBEEF });
      expect(await beefsOf(workerRun)).toEqual([]);
    },
  );

  test('an action’s source transactions are stored only as far as its inputs need them, until it is signed', async () => {
    const workerRun = await allowed();
    const { inputBEEF, txid, junk, members } = await sources(workerRun);
    const { signableTransaction } = await called(workerRun, 'createAction', {
      ...store(1, { noSend: true }),
      inputBEEF,
      inputs: [{ outpoint: `${txid}.0`, inputDescription: 'a thing', unlockingScriptLength: UNLOCKING_BYTES }],
    });
    const [beef = expect.fail()] = await beefsOf(workerRun);
    expect([...readBeef(beef).members.keys()].toSorted()).toEqual([...members.keys()].toSorted());
    expect(beef.length).toBeLessThan(inputBEEF.length - 3000);
    const { tx, reference } = signableTransaction!;
    const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 5000) } };
    const signed = await called(workerRun, 'signAction', { reference, spends });
    expect(readBeef(Uint8Array.from(signed.tx!)).members.has(txid)).toBe(true);
    expect(readBeef(Uint8Array.from(signed.tx!)).members.has(junk)).toBe(false);
    expect(await beefsOf(workerRun)).toEqual([]);
  });
});

test('internalized actions still count after their outputs are relinquished', async () => {
  const workerRun = await allowed();
  const labels = Array.from({ length: 10 }, (_, n) => String(n).padStart(80, 'x'));
  const insertion = { outputIndex: 0, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } };
  for (let n = 1; n <= 3; n += 1) {
    const { tx, txid } = await called(workerRun, 'createAction', { ...keep(), outputs: [output(5000, SOMEBODY)] });
    const bringing = { tx, outputs: [insertion], description: 'what was sent', labels };
    await called(workerRun, 'internalizeAction', bringing, OTHER);
    await called(workerRun, 'relinquishOutput', { basket: 'things', output: `${txid}.0` }, OTHER);
    const db = await dbOf(workerRun);
    const left = (await db.getAll('appActions')).filter(({ origin }) => origin === OTHER.origin);
    expect(left).toHaveLength(n);
    expect(await keptBy(workerRun, OTHER.origin)).toBeGreaterThan(JSON.stringify(left.map((one) => one.labels)).length);
  }
});

test('log entries of relinquished outputs are limited per site', async () => {
  const workerRun = await openWallet(network, []);
  const { appRecord, database } = workerRun.modules;
  await database.inTransaction(wallet, async (tx) => {
    const gone = (n: number, origin: string) =>
      appRecord.recordEntry(wallet, tx, {
        kind: 'output-gone',
        outpoint: `${n.toString(16).padStart(64, '0')}:0`,
        origin,
      });
    await gone(0, OTHER.origin);
    for (let n = 0; n < 1010; n += 1) await gone(n, APP);
  });
  const logged = await (await dbOf(workerRun)).getAll('appLog');
  expect(logged.map(({ entry }) => 'origin' in entry && entry.origin).filter((origin) => origin === APP)).toHaveLength(
    1000,
  );
  expect(logged).toHaveLength(1001);
});

test('the site’s limit is checked again when a prepared action is signed', async () => {
  const workerRun = await allowed();
  const { signableTransaction } = await called(workerRun, 'createAction', keep({}, { signAndProcess: false }));
  await leaveRoom(workerRun, 200);
  const sign = () => call(workerRun, 'signAction', { reference: signableTransaction!.reference, spends: {} });
  expect(await sign()).toMatchObject(FULL);
  expect((await stored(workerRun)).payments.map(({ state, signed }) => [state, signed])).toEqual([['signable', null]]);
  await leaveRoom(workerRun, 1000);
  expect(await sign()).toHaveProperty('txid');
});

test('a spent output is removed only once its spend has been mined and a week has passed', async () => {
  const workerRun = await allowed();
  const { txid } = await called(workerRun, 'createAction', keep());
  await called(workerRun, 'createAction', keep());
  const bytes = await keptBy(workerRun);
  const { signableTransaction } = await called(workerRun, 'createAction', {
    description: 'spend the thing',
    inputs: [{ outpoint: `${txid}.0`, inputDescription: 'a thing', unlockingScriptLength: UNLOCKING_BYTES }],
    outputs: [output(700, SOMEBODY)],
    options: { acceptDelayedBroadcast: false },
  });
  const { tx, reference } = signableTransaction!;
  const unlockingScript = signInput(transactionIn(tx), 0, 5000);
  const spent = await called(workerRun, 'signAction', { reference, spends: { 0: { unlockingScript } } });
  const { pruneOutputs } = await import('../../baskets/prune.ts');
  /** Backdates the spending by a number of days. Moving the clock would affect other parts of the wallet. */
  const after = async (days: number) => {
    const db = await dbOf(workerRun);
    const output = (await db.getFromIndex('appOutputs', 'outpoint', `${txid}:0`))!;
    await db.put('appOutputs', { ...output, overSince: Date.now() - days * 24 * 3600_000 });
    await pruneOutputs(wallet, new Set());
    return keptBy(workerRun);
  };
  expect(await after(8)).toBe(bytes);
  await network.mine();
  const { id } = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === spent.txid)!;
  await paymentWhere(workerRun, id, ({ height }) => height !== null);
  expect(await after(6)).toBe(bytes);
  expect(await after(8)).toBe(bytes / 2);
  expect(await (await dbOf(workerRun)).count('appOutputs')).toBe(1);
});

test('a spent output is kept for a week after its spend has been mined, even if that took more than a week', async () => {
  const workerRun = await allowed();
  const { txid } = await called(workerRun, 'createAction', keep());
  await called(workerRun, 'createAction', keep());
  const bytes = await keptBy(workerRun);
  const { signableTransaction } = await called(workerRun, 'createAction', {
    description: 'spend the thing',
    inputs: [{ outpoint: `${txid}.0`, inputDescription: 'a thing', unlockingScriptLength: UNLOCKING_BYTES }],
    outputs: [output(700, SOMEBODY)],
    options: { acceptDelayedBroadcast: false },
  });
  const { tx, reference } = signableTransaction!;
  const unlockingScript = signInput(transactionIn(tx), 0, 5000);
  const spent = await called(workerRun, 'signAction', { reference, spends: { 0: { unlockingScript } } });
  const { pruneOutputs } = await import('../../baskets/prune.ts');
  /** Backdates the spending by a number of days. Moving the clock would affect other parts of the wallet. */
  const after = async (days: number) => {
    const db = await dbOf(workerRun);
    const output = (await db.getFromIndex('appOutputs', 'outpoint', `${txid}:0`))!;
    await db.put('appOutputs', { ...output, overSince: Date.now() - days * 24 * 3600_000 });
    await pruneOutputs(wallet, new Set());
    return keptBy(workerRun);
  };
  expect(await after(8)).toBe(bytes);
  await network.mine();
  const { id } = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === spent.txid)!;
  await paymentWhere(workerRun, id, ({ height }) => height !== null);
  await pruneOutputs(wallet, new Set()); // as on the next alarm
  expect(await keptBy(workerRun)).toBe(bytes);
});

/**
 * Creates outputs that were spent or became void the given number of days ago. `undefined` means that the time wasn't
 * recorded, as in earlier versions.
 */
async function over(status: 'spent' | 'void', days: (number | undefined)[]): Promise<WorkerRun> {
  const workerRun = await openWallet(network, []);
  const db = await dbOf(workerRun);
  for (const [n, since] of days.entries())
    await db.put('appOutputs', {
      ...{ id: n + 1, outpoint: `${'ab'.repeat(32)}:${n}`, satoshis: 1000n, script: '51', basket: 'things', tags: [] },
      ...{ customInstructions: null, description: '', origin: APP, status, madeBy: null, spentBy: null },
      ...(since !== undefined && { overSince: Date.now() - since * 24 * 3600_000 }),
    });
  return workerRun;
}
const placesOf = async (workerRun: WorkerRun) =>
  (await (await dbOf(workerRun)).getAll('appOutputs')).map(({ outpoint }) => Number(outpoint.slice(65)));

test('an output that a third party has spent is kept until a block contains the spend', async () => {
  const workerRun = await over('spent', [8, 8, 6]);
  const { pruneOutputs } = await import('../../baskets/prune.ts');
  await pruneOutputs(wallet, new Set([`${'ab'.repeat(32)}:1`]));
  expect(await placesOf(workerRun)).toEqual([1, 2]);
});

test.each([
  ['without a recorded time', undefined],
  ['whose time was recorded while the clock was a year ahead', -365],
])('an ended output %s is removed after a week', async (_, days) => {
  const workerRun = await over('void', [days]);
  const { pruneOutputs } = await import('../../baskets/prune.ts');
  await pruneOutputs(wallet, new Set());
  const db = await dbOf(workerRun);
  const [kept] = await db.getAll('appOutputs');
  expect(Math.abs(Date.now() - kept!.overSince!)).toBeLessThan(24 * 3600_000);
  await db.put('appOutputs', { ...kept!, overSince: kept!.overSince! - 8 * 24 * 3600_000 });
  await pruneOutputs(wallet, new Set());
  expect(await placesOf(workerRun)).toEqual([]);
});

test('an ended output behind hundreds of kept ones is removed after several runs', async () => {
  const workerRun = await over('spent', [...Array<number>(540).fill(1), 8]);
  for (let looks = 0; looks < 100 && (await placesOf(workerRun)).length > 540; looks += 1) {
    const { pruneOutputs } = await import('../../baskets/prune.ts');
    await pruneOutputs(wallet, new Set());
  }
  expect(await placesOf(workerRun)).toHaveLength(540);
});
