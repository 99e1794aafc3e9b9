/**
 * Neither responses nor windows reveal to a site which addresses and transactions are the user's, regardless of its
 * permissions. Each attempt has the same outcome with the user's coins as with a third party's.
 */
import { expect, test } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { writeInscription } from '../../../protocol/assets/bsv21/inscription.ts';
import { serializeTransaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { APP, call, called, output, transactionIn, UNLOCKING_BYTES } from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
  decide,
  decline,
  give,
  openWallet,
  paymentView,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { holdTime } from '../../../testkit/wallet/clock.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();
const SITE = { origin: 'https://curious.example' };
const FOREIGN = toHex(p2pkhScript(new Uint8Array(20).fill(9)));

interface Scene {
  workerRun: WorkerRun;
  own: string;
  /** Confirmed outputs: one of the user's coins, one of the user's inscriptions, and a third party's output. */
  places: { own: string; inscribed: string; foreign: string };
  /** The transaction that creates these outputs, as the application received it. */
  tx: number[];
}

/** Starts a wallet, and an application that pays the user and a third party. */
async function scene(): Promise<Scene> {
  const workerRun = await openWallet(network, [1_000_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  const [address] = await (await workerRun.modules.database.database(wallet)).getAll('addresses');
  const own = address!.script;
  const inscribed = toHex(writeInscription('text/plain', new Uint8Array([1]), fromHex(own)));
  const outputs = [output(40_000, own), output(40_000, inscribed), output(40_000, FOREIGN)];
  const options = { randomizeOutputs: false, acceptDelayedBroadcast: false };
  const { txid, tx } = await called(workerRun, 'createAction', { description: 'pay them', outputs, options });
  await network.mine();
  await workerRun.modules.poll.refresh(wallet);
  const [first, second, third] = [0, 1, 2].map((vout) => `${txid}.${vout}`);
  return { workerRun, own, places: { own: first!, inscribed: second!, foreign: third! }, tx: tx! };
}

/** Returns the parts of a response that a site can compare, without references or IDs. */
const told = (answer: object) =>
  JSON.stringify(answer, (key, value: unknown) =>
    key === 'tx' || key === 'reference' || key === 'txid' ? key : value,
  );
const windows = ({ profile }: WorkerRun) => profile.browser.windowsOpened;
const spending = (outpoint: string, more: object = {}) => ({
  description: 'spend it',
  inputs: [{ outpoint, inputDescription: 'what it is about', unlockingScriptLength: UNLOCKING_BYTES, ...more }],
  outputs: [output(500, FOREIGN)],
});

test("the user's input waits for the site's signature like any other input, and no signature from the site is valid", async () => {
  const { workerRun, places } = await scene();
  await give(workerRun, { ...SITE, currency: 'BSV', limit: 1_000_000n });
  const before = (await stored(workerRun)).coins;
  const outcomes = [];
  for (const place of [places.foreign, places.own, places.inscribed]) {
    const created = await call(workerRun, 'createAction', spending(place), SITE);
    const { reference } = ('signableTransaction' in created && created.signableTransaction) as { reference: string };
    const spends = { 0: { unlockingScript: '51'.repeat(UNLOCKING_BYTES) } };
    const signed = await call(workerRun, 'signAction', { reference, spends }, SITE);
    expect(signed).toMatchObject({ parameter: 'unlockingScript' });
    const given = await call(workerRun, 'abortAction', { reference }, SITE);
    outcomes.push([created, signed, given].map(told).join().replaceAll(place, 'place'));
  }
  expect(new Set(outcomes).size).toBe(1);
  expect(windows(workerRun)).toBe(0);
  expect((await stored(workerRun)).coins).toEqual(before);
});

test("an input with a wrong signature always opens a window, and only the window shows that the input is the user's", async () => {
  const { workerRun, places } = await scene();
  const sentBefore = network.broadcasts.length;
  for (const place of [places.foreign, places.own]) {
    const wrong = { unlockingScript: '51'.repeat(UNLOCKING_BYTES), unlockingScriptLength: undefined };
    const answer = call(workerRun, 'createAction', spending(place, wrong), { ...SITE, userActivation: 'new' });
    const id = await approvalOf(workerRun);
    if (place === places.foreign) {
      await paymentView(workerRun, id);
      await expect(decide(workerRun, id)).rejects.toMatchObject({ code: 'unusable-input' });
      expect(await answer).toMatchObject({ reason: 'unusable-input' });
    } else {
      // Only the user sees the reason.
      expect((await paymentView(workerRun, id)).problem).toMatchObject({ code: 'own-input' });
      await decline(workerRun, id);
      expect(await answer).toMatchObject({ reason: 'refused' });
    }
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
  }
  expect(network.broadcasts.length).toBe(sentBefore);
});

test('one of the user’s coins that a site names as an input is not selected again', async () => {
  const { workerRun, places } = await scene();
  await give(workerRun, { ...SITE, currency: 'BSV', limit: 1_000_000n });
  for (const place of [places.foreign, places.own]) {
    const wanted = { ...spending(place), outputs: [output(60_000, FOREIGN)] };
    const { signableTransaction } = await called(workerRun, 'createAction', wanted, SITE);
    const { inputs } = transactionIn(signableTransaction!.tx);
    const spent = inputs.map(({ txid, vout }) => `${txid}.${vout}`);
    expect(spent.filter((one) => one === place)).toHaveLength(1);
    expect(new Set(spent).size).toBe(spent.length);
    await called(workerRun, 'abortAction', { reference: signableTransaction!.reference }, SITE);
  }
  expect(windows(workerRun)).toBe(0);
});

test('a basket accepts an output that pays the user like any other output, and the money stays the user’s', async () => {
  const { workerRun, own, places, tx } = await scene();
  await give(workerRun, { ...SITE, currency: 'BSV', limit: 1_000_000n });
  const balance = async () => (await workerRun.modules.store.balance(wallet)).satoshis;
  const had = await balance();
  const bogus = { noSendChange: [`${'ab'.repeat(32)}.0`] };
  const asked = [];
  for (const script of [own, FOREIGN]) {
    const outputs = [output(1000, script, { basket: 'things' })];
    asked.push(told(await call(workerRun, 'createAction', { description: 'keep it', outputs, options: bogus }, SITE)));
  }
  expect(new Set(asked).size).toBe(1);
  for (const outputIndex of [0, 2]) {
    const insertion = { outputIndex, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } };
    const bringing = { tx, outputs: [insertion], description: 'what was sent' };
    expect(await call(workerRun, 'internalizeAction', bringing, SITE)).toEqual({ accepted: true });
  }
  const listed = async () => (await called(workerRun, 'listOutputs', { basket: 'things' }, SITE)).outputs;
  expect((await listed()).map(({ outpoint }) => outpoint)).toEqual([places.own, places.foreign]);
  for (const place of [places.own, places.foreign]) {
    const { signableTransaction } = await called(workerRun, 'createAction', spending(place), SITE);
    expect(await listed()).toHaveLength(1);
    await called(workerRun, 'abortAction', { reference: signableTransaction!.reference }, SITE);
    expect(await listed()).toHaveLength(2);
  }
  expect(await balance()).toBe(had);
});

test("the status of an internalized transaction doesn't show that another output pays the user", async () => {
  const { workerRun, tx } = await scene();
  const insertion = { outputIndex: 2, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } };
  const bringing = { tx, outputs: [insertion], description: 'what was sent' };
  await called(workerRun, 'internalizeAction', bringing, SITE);
  // Simulates a scan that found that the transaction pays the user.
  const receipt = { satoshis: 40_000n, address: 'm', createdAt: 1, height: 2, unconfirmed: 0 } as const;
  const txid = txidOf(serializeTransaction(transactionIn(tx)));
  await (await workerRun.modules.database.database(wallet)).put('receipts', { txid, ...receipt });
  const [action] = (await called(workerRun, 'listActions', { labels: [] }, SITE)).actions;
  expect(action).toMatchObject({ satoshis: 0, status: 'unproven', isOutgoing: false });
});

test('noSendChange contains only change, and no payment to any of the user’s addresses', async () => {
  const { workerRun, own } = await scene();
  for (const script of [FOREIGN, own]) {
    const outputs = [output(1000, script)];
    const options = { noSend: true, randomizeOutputs: false };
    const { txid, noSendChange } = await called(workerRun, 'createAction', {
      description: 'pay somebody',
      outputs,
      options,
    });
    expect(noSendChange).not.toContain(`${txid}.0`);
    const next = { ...spending(`${txid}.0`), inputs: [], options: { noSendChange: [`${txid}.0`] } };
    expect(await call(workerRun, 'createAction', next)).toMatchObject({ parameter: 'noSendChange' });
  }
});

test('a site over its request limit gets the same error for one of the user’s transactions as for an unknown one', async () => {
  const { workerRun, places } = await scene();
  const stranger = { origin: 'https://stranger.example' };
  const goOn = holdTime(); // pauses the refill of the request limit
  const ask = (outpoint: string) => call(workerRun, 'createAction', spending(outpoint), stranger);
  await Promise.all(Array.from({ length: 200 }, (_, n) => ask(`${n.toString(16).padStart(64, '0')}.0`)));
  const [theirs, unknown] = [await ask(places.own.replace(/\.0$/, '.777')), await ask(`${'ab'.repeat(32)}.0`)];
  expect(theirs).toMatchObject({ reason: 'too-many-requests' });
  expect(told(theirs)).toBe(told(unknown));
  goOn();
});
