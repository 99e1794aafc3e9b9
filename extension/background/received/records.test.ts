/** What a restored wallet gets back of its past from the account's service, whatever that says. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityItem } from '../../../protocol/wallet-messages.ts';
import type { PaymentReport } from '../../../protocol/api.ts';
import { txidOf } from '../../../protocol/transaction.ts';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { p2pkhScript, writeAddress } from '../../../protocol/address.ts';
import { useNetwork } from '../testing/network.ts';
import { approveAll, ask, openWallet, PASSWORD, pay, sealQuickly, someone } from '../testing/wallet.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../testing/worker-run.ts';
import { publicKeyHashes } from '../vault/keys.ts';
import type { SentRecord } from '../../../protocol/records.ts';

/** Of the crash points of a run, every how many-th is tried. */
const STRIDE = 3;

const network = useNetwork();
afterEach(endAllWorkerRuns);

let before: WorkerRun;
let words: string;
/** Paid before, and what the service keeps of it; and what came in by paymail. */
let said: SentRecord;
let to: string;
let arrived: { txid: string; script: string };

beforeEach(async () => {
  before = await openWallet(network, [1_000_000], { account: true });
  approveAll(before);
  to = someone();
  await ask(before, 'request-1', pay(to, 20_000, { label: 'A book', buttonId: 'order-7' }));
  await before.modules.poll.refresh();
  const report = [...network.reports.values()].at(-1) as PaymentReport;
  const { origin, clientIdentifier, label = null, buttonId = null, buttonData = null, refundOf = null } = report;
  const outputs = report.outputs.map(({ type, to: name, scripts }) => ({ type, to: name, scripts }));
  const txid = txidOf(fromHex(report.rawtx));
  said = { txid, origin, clientIdentifier, label, buttonId, buttonData, refundOf, outputs };
  const { publicKeys } = await import('../vault/vault.ts');
  const [hash] = publicKeyHashes(await publicKeys(), 'service', [0]) as [Uint8Array];
  arrived = { txid: await network.faucet(writeAddress(hash, 'devnet'), 7_000), script: toHex(p2pkhScript(hash)) };
  await network.mine();
  words = await before.modules.vault.showWords(PASSWORD);
});

/** The same words in another browser, signed in to the account. */
async function restored(profile = new Profile(network.url)): Promise<WorkerRun> {
  sealQuickly();
  const run = await profile.start();
  await run.modules.vault.createVault(words, PASSWORD, true);
  await run.modules.client.signInToAccount();
  await run.modules.poll.refresh();
  return run;
}

const rows = async (run: WorkerRun) =>
  ((await run.modules.handlers.walletHandlers['activity/list']({ limit: 100 })) as { items: ActivityItem[] }).items;
const rowOf = async (run: WorkerRun, txid: string) => (await rows(run)).find((row) => row.txid === txid);
const askService = async () => (await import('./records.ts')).readRecords();
const received = () => ({
  txid: arrived.txid,
  scripts: [{ script: arrived.script, satoshis: '7000' }],
  sender: 'bob@two.example',
  senderVerified: true,
  note: 'For the concert',
});

test('site, button and recipients of what it paid come back, and who sent what came in; once', async () => {
  network.records = { sent: [said], received: [received()] };
  const run = await restored();
  const { satoshis } = await run.modules.store.balance();
  await askService();
  const asked = network.recordsAsked.length;
  expect(asked).toBeGreaterThan(0);
  expect(await rowOf(run, said.txid)).toMatchObject({
    direction: 'sent',
    origin: said.origin,
    label: 'A book',
    counterparty: to,
    satoshis: '20000',
    isFromChain: true,
    isFromService: true,
  });
  expect(await run.modules.handlers.walletHandlers['activity/read']({ id: said.txid })).toMatchObject({
    label: 'A book',
    buttonId: 'order-7',
    outputs: [{ type: 'ADDRESS', to, address: to, satoshis: '20000', amount: '0.0002', currency: 'BSV' }],
  });
  expect(await rowOf(run, arrived.txid)).toMatchObject({
    direction: 'received',
    satoshis: '7000',
    sender: { paymail: 'bob@two.example', verified: true },
    note: 'For the concert',
  });
  expect(run.profile.browser.notified).toEqual([]);
  for (const search of ['book', 'order-7', 'bob@two', 'concert'])
    expect(
      ((await run.modules.handlers.walletHandlers['activity/list']({ limit: 9, search })) as { items: unknown[] })
        .items,
    ).toHaveLength(1);
  await askService();
  expect(network.recordsAsked).toHaveLength(asked);
  expect((await run.modules.store.balance()).satoshis).toBe(satoshis);
});

test('what a payment was worth is the service’s word, where that knew it', async () => {
  network.records = { sent: [{ ...said, serviceAmount: '0.0110', currency: 'USD' }], received: [] };
  const run = await restored();
  await askService();
  expect(await rowOf(run, said.txid)).toMatchObject({ worthThen: { amount: '0.0110', currency: 'USD' } });
  expect((await rowOf(run, arrived.txid))?.worthThen).toBeUndefined();
});

test('a name stands in the place of an address: amounts stay the transaction’s', async () => {
  const [output] = said.outputs as [SentRecord['outputs'][number]];
  network.records = {
    sent: [{ ...said, outputs: [{ ...output, type: 'PAYMAIL', to: 'till@shop.example' }] }],
    received: [],
  };
  const run = await restored();
  await askService();
  expect(await rowOf(run, said.txid)).toMatchObject({ counterparty: 'till@shop.example', satoshis: '20000' });
  expect(await rowOf(run, arrived.txid)).toMatchObject({ sender: null, note: null });
});

describe('nothing changes where the service', () => {
  test.each<[string, () => unknown]>([
    [
      'names another amount',
      () => ({
        ...said,
        outputs: said.outputs.map((one) => ({ ...one, scripts: [{ ...one.scripts[0], satoshis: '20001' }] })),
      }),
    ],
    ['names no recipient', () => ({ ...said, outputs: [] })],
    ['names a worth that is no amount', () => ({ ...said, serviceAmount: '=1+1', currency: 'USD' })],
    ['has too long a label', () => ({ ...said, label: 'a'.repeat(201) })],
    ['answers nonsense', () => 7],
  ])('%s', async (_, wrong) => {
    const run = await restored();
    const shown = await rows(run);
    expect(shown).toContainEqual(expect.objectContaining({ txid: said.txid, satoshis: '20000' }));
    network.records = { sent: [wrong()], received: [] };
    await askService();
    expect(network.recordsAsked).not.toEqual([]);
    expect(await rows(run)).toEqual(shown);
  });

  test.each<[string, () => object]>([
    ['names another amount as received', () => ({ scripts: [{ script: arrived.script, satoshis: '7001' }] })],
    ['has too long a note', () => ({ note: 'a'.repeat(501) })],
  ])('%s', async (_, wrong) => {
    const run = await restored();
    const shown = await rows(run);
    network.records = { sent: [], received: [{ ...received(), ...wrong() }] };
    await askService();
    expect(await rows(run)).toEqual(shown);
  });
});

test('without an account nobody is asked, and while the service is down it is asked later', async () => {
  network.records = { sent: [said], received: [] };
  sealQuickly();
  const run = await new Profile(network.url).start();
  await run.modules.vault.createVault(words, PASSWORD, true);
  await run.modules.poll.refresh();
  await askService();
  expect(network.recordsAsked).toEqual([]);
  await run.modules.client.signInToAccount();
  network.down.add('service');
  await askService();
  expect(await rowOf(run, said.txid)).toMatchObject({ origin: null, label: null });
  network.down.clear();
  const next = await run.profile.start();
  await next.modules.vault.unlock(PASSWORD);
  await askService();
  expect(await rowOf(next, said.txid)).toMatchObject({ label: 'A book' });
});

test('a worker that is killed in between goes on, and loses nothing', async () => {
  network.records = { sent: [said], received: [received()] };
  for (let dieAt = 1, isWhole = false; !isWhole; dieAt += STRIDE) {
    const first = await restored();
    const { profile } = first;
    const doomed = await profile.start(dieAt);
    await doomed.untilDeath(() => doomed.modules.vault.unlock(PASSWORD).then(askService));
    isWhole = !doomed.dead;
    const next = await profile.start();
    await next.modules.vault.unlock(PASSWORD);
    await askService();
    expect(await rowOf(next, said.txid), `crash point ${dieAt}`).toMatchObject({ label: 'A book', satoshis: '20000' });
    expect(await rowOf(next, arrived.txid)).toMatchObject({ note: 'For the concert' });
  }
});
