import { expect, test } from 'vitest';
import type { ShownOutput } from '../../../../protocol/messages/wallet-messages.ts';
import { codeOf } from '../../../../testing/code-of.ts';
import { startHost, startNames } from '../../../../testkit/network/hosts.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import {
  approvalOf,
  approvals,
  ask,
  decide,
  decline,
  give,
  openWallet,
  pay,
  paymentView,
} from '../../../../testkit/wallet/wallet.ts';
import { bsv, click, network, quote, someone } from '../send/testing-send.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

/** Two addresses with the same first and last characters, ignoring case. A search finds such a pair within a second. */
const [KNOWN, ALIKE] = ['mgA7SfyBBrVGVSpQ7oqGHPhxpp2gUZWtfc', 'mgA7SfyBBrVGVSpQ7ohapsRYdfYQCDwTFc'];
const alike = (as: 'paid' | 'contact') => ({ resembles: { compared: ALIKE, to: KNOWN, as } });

let requests = 0;
const nextRequest = () => `request-number-${(requests += 1)}`;

/** Returns a recipient as shown by the send form. */
async function shown(workerRun: WorkerRun, to: string): Promise<ShownOutput> {
  return (await quote(workerRun, bsv(to, 1000))).outputs[0] as ShownOutput;
}

async function send(workerRun: WorkerRun, to: string): Promise<void> {
  await click(workerRun, await quote(workerRun, bsv(to, 1000)), nextRequest());
}

/** Returns a recipient as shown in the window of a page's payment, then rejects the payment. */
async function asked(workerRun: WorkerRun, to: string): Promise<ShownOutput> {
  const answer = ask(workerRun, nextRequest(), pay(to, 1000));
  const window = await approvalOf(workerRun);
  const { outputs } = await paymentView(workerRun, window);
  await decline(workerRun, window);
  await answer;
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
  return outputs[0] as ShownOutput;
}

test('only the first payment to an address is marked', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const to = someone();
  expect((await asked(workerRun, to)).firstPayment).toBe('ever');
  expect((await shown(workerRun, to)).firstPayment).toBe('ever');
  await send(workerRun, to);
  expect(await asked(workerRun, to)).not.toHaveProperty('firstPayment');
  expect(await shown(workerRun, to)).not.toHaveProperty('firstPayment');
});

test('a payment to the wallet’s own address is not marked as a first payment', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const own = (await workerRun.modules.overview.overview(wallet)).receiveAddress;
  expect(await shown(workerRun, own)).toMatchObject({ own: true });
  expect(await shown(workerRun, own)).not.toHaveProperty('firstPayment');
});

test('an address that was paid as a script is recognized', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  await send(workerRun, `OP_DUP OP_HASH160 ${'07'.repeat(20)} OP_EQUALVERIFY OP_CHECKSIG`);
  expect(await shown(workerRun, KNOWN)).not.toHaveProperty('firstPayment');
  expect(await shown(workerRun, ALIKE)).toMatchObject(alike('paid'));
});

test('a warning is shown for an address that begins and ends like one that the user has paid', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  expect(await shown(workerRun, ALIKE)).not.toHaveProperty('resembles');
  await send(workerRun, KNOWN);
  expect(await asked(workerRun, ALIKE)).toMatchObject({ firstPayment: 'ever', ...alike('paid') });
  expect(await shown(workerRun, ALIKE)).toMatchObject(alike('paid'));
  expect(await shown(workerRun, KNOWN)).not.toHaveProperty('resembles');
  expect(await shown(workerRun, someone())).not.toHaveProperty('resembles');
});

test('no swipe is planned for an address that resembles one that the user has paid', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const plan = (to: string) =>
    workerRun.modules.planSwipe.planSwipe(wallet, {
      options: pay(to, 1000),
      origin: 'https://shop.example',
      service: null,
    });
  expect(await plan(ALIKE)).toMatchObject({ quote: { satoshis: 1000n } });
  await send(workerRun, KNOWN);
  expect(await codeOf(plan(ALIKE))).toBe('not-paid');
  expect(await plan(KNOWN)).toMatchObject({ quote: { satoshis: 1000n } });
});

test('a warning is shown for an address that looks like a contact’s, until the user has approved a payment to it', async () => {
  const workerRun = await openWallet(network, [1_000_000, 1_000_000]);
  await workerRun.modules.handlers.walletHandlers(wallet)['contacts/save']({ id: null, to: KNOWN, name: 'Ada' });
  expect(await shown(workerRun, ALIKE)).toMatchObject(alike('contact'));
  await send(workerRun, ALIKE);
  expect(await shown(workerRun, ALIKE)).not.toHaveProperty('resembles');
});

test('a warning is shown for a look-alike address that only an allowance has paid', async () => {
  const workerRun = await openWallet(network, [1_000_000, 1_000_000]);
  await send(workerRun, KNOWN);
  await give(workerRun);
  const paid = await ask(workerRun, nextRequest(), pay(ALIKE, 1000), { automatic: true });
  expect(paid).toHaveProperty('txid');
  expect(await shown(workerRun, ALIKE)).toMatchObject(alike('paid'));
  expect(await shown(workerRun, ALIKE)).not.toHaveProperty('firstPayment');
});

test('recipients that another wallet with the same words has paid are recognized', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const db = await workerRun.modules.database.database(wallet);
  await db.put('receipts', {
    txid: 'ab'.repeat(32),
    satoshis: 1000n,
    address: someone(),
    createdAt: 1,
    height: null,
    unconfirmed: 0,
    spent: { feeSatoshis: 1n, count: 1, paid: [{ address: KNOWN, satoshis: 1000n }] },
  });
  expect(await shown(workerRun, KNOWN)).not.toHaveProperty('firstPayment');
  expect(await shown(workerRun, ALIKE)).toMatchObject(alike('paid'));
});

test('the user’s recipients are recognized after many payments to sites, but unknown ones are no longer marked as never paid', async () => {
  const workerRun = await openWallet(network, [1_000_000, 1_000_000]);
  await send(workerRun, KNOWN);
  const answer = ask(workerRun, nextRequest(), pay(someone(), 1000));
  await decide(workerRun, await approvalOf(workerRun));
  await answer;
  const db = await workerRun.modules.database.database(wallet);
  const ofPage = (await db.getAll('payments')).find(({ origin }) => origin !== '');
  const ended = { ...(ofPage as NonNullable<typeof ofPage>), state: 'settled' as const, unfinished: 0 as const };
  const tx = db.transaction('payments', 'readwrite');
  for (let n = 0; n < 450; n += 1) {
    const id = `later-${n}`;
    void tx.store.put({ ...ended, id, requestId: id, createdAt: Date.now() + n });
  }
  await tx.done;
  expect(await shown(workerRun, ALIKE)).toMatchObject({ firstPayment: 'lately', ...alike('paid') });
  expect(await shown(workerRun, KNOWN)).not.toHaveProperty('firstPayment');
});

test('a warning is shown for a paymail that resembles one that the user has paid', async () => {
  const workerRun = await openWallet(network, [1_000_000, 1_000_000]);
  await startNames(workerRun.profile);
  const host = await startHost(workerRun.profile);
  host.instead.set('receive', { status: 503 });
  await send(workerRun, 'bill@pay.example');
  expect(await shown(workerRun, 'bi11@pay.example')).toMatchObject({
    resembles: { compared: 'bi11@pay.example', to: 'bill@pay.example', as: 'paid' },
  });
  expect(await shown(workerRun, 'BILL@pay.example')).not.toHaveProperty('resembles');
  expect(await shown(workerRun, 'bell@pay.example')).not.toHaveProperty('resembles');
  // Long ago, the user paid hundreds of others.
  const tx = (await workerRun.modules.database.database(wallet)).transaction('paymails', 'readwrite');
  for (const alias of [...Array.from({ length: 450 }, (_, n) => `ann${n}`), 'will'])
    void tx.store.put({ paymail: `${alias}@pay.example`, publicKey: null, since: 1 });
  await tx.done;
  expect(await shown(workerRun, 'wi11@pay.example')).toMatchObject({
    resembles: { compared: 'wi11@pay.example', to: 'will@pay.example', as: 'paid' },
  });
});
