/** Tests a page's request during quoting: it is stored, reused by repeated requests, and deleted if quoting fails. */
import { expect, test, vi } from 'vitest';
import type { Payment, PaymentOptions } from '../../../../protocol/payments/payment.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
  ask,
  decide,
  openWallet,
  someone,
  stored,
  type Asking,
} from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import type { PaymentRequest } from '../../record.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

const network = useNetwork();

const TO = someone();
const dollars = (amount = '0.01'): PaymentOptions => ({ outputs: [{ to: TO, amount, currency: 'USD' }] });

interface Quoting {
  workerRun: WorkerRun;
  answer: Promise<Payment | string>;
  request: PaymentRequest;
  release: () => void;
}

/** Opens a wallet with a page's request, and delays the service's rates until `release` is called. */
async function quoting(asking: Asking = {}): Promise<Quoting> {
  const workerRun = await openWallet(network, [1_000_000]);
  await workerRun.modules.database.deleteKey(wallet, 'rates');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  network.before = (url) => (url === '/api/v2/rates' ? released : undefined);
  const answer = ask(workerRun, 'request-1', dollars(), asking);
  const request = await vi.waitFor(
    async () => {
      const [one] = (await stored(workerRun)).requests;
      if (!one) throw new Error('nothing is stored yet');
      return one;
    },
    { interval: 2 },
  );
  return { workerRun, answer, request, release };
}

async function expectNothing(workerRun: WorkerRun): Promise<void> {
  expect(await stored(workerRun)).toMatchObject({ requests: [], payments: [] });
  expect(await (await workerRun.modules.database.database(wallet)).getAll('prompts')).toEqual([]);
  expect(approvals(workerRun)).toEqual([]);
}

test('a request is not a payment while it is being quoted, and then becomes one with the same ID', async () => {
  const { workerRun, answer, request, release } = await quoting();
  expect(request).toMatchObject({ requestId: 'request-1', origin: 'https://shop.example', options: dollars() });
  expect((await stored(workerRun)).payments).toEqual([]);
  expect(await workerRun.modules.promptStore.openPrompts(wallet)).toMatchObject([
    { message: request.id, state: 'preparing' },
  ]);
  release();
  const id = await approvalOf(workerRun);
  expect(await stored(workerRun)).toMatchObject({
    requests: [],
    payments: [{ id: request.id, state: 'requested', createdAt: request.createdAt, quote: { satoshis: 20_000n } }],
  });
  await decide(workerRun, id);
  expect(await answer).toMatchObject({ id: request.id });
});

test('a request repeated after the worker was stopped is the same payment', async () => {
  const { workerRun, request, release } = await quoting();
  workerRun.end();
  release();
  const next = await workerRun.profile.start();
  const answer = ask(next, 'request-1', dollars(), { userActivation: 'active' });
  await decide(next, await approvalOf(next));
  expect(await answer).toMatchObject({ id: request.id });
  expect((await stored(next)).requests).toEqual([]);
});

test('a request not repeated after the worker was stopped leaves nothing, and is a new payment later', async () => {
  const { workerRun, request, release } = await quoting();
  workerRun.end();
  release();
  const next = await workerRun.profile.start();
  await vi.waitFor(() => expectNothing(next));
  const answer = ask(next, 'request-1', dollars(), { userActivation: 'active' });
  await decide(next, await approvalOf(next));
  const { id } = (await answer) as Payment;
  expect(id).not.toBe(request.id);
});

test('a request whose browser is closed leaves nothing', async () => {
  const { workerRun, release } = await quoting();
  workerRun.profile.browser.restart();
  release();
  const next = await workerRun.profile.start();
  next.browserApi.events.onStartup.tell();
  await vi.waitFor(() => expectNothing(next));
});

test('a request withdrawn while its price is being fetched is not shown to the user', async () => {
  const { workerRun, answer, request, release } = await quoting();
  await workerRun.modules.prompts.withdraw(wallet, { origin: request.origin, message: request.id });
  await expectNothing(workerRun);
  release();
  expect(await answer).toBe('page-gone');
  await expectNothing(workerRun);
});

test('a different request can’t reuse the ID of a request', async () => {
  const { workerRun, answer, release } = await quoting();
  const other = ask(workerRun, 'request-1', dollars('0.02'));
  const operations = await import('../../../crypto-operations/operations-prompt.ts');
  await expect(
    operations.requestOperations(
      wallet,
      'request-1',
      { outputs: [] },
      { origin: 'https://shop.example', message: 'message-1', client: {}, userActivation: 'new' },
    ),
  ).rejects.toMatchObject({ code: 'request-id-reused' });
  release();
  expect(await other).toBe('request-id-reused');
  await decide(workerRun, await approvalOf(workerRun), 'refuse');
  expect(await answer).toBe('refused');
});
