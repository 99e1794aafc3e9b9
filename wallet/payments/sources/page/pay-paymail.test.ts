import { expect, test, vi } from 'vitest';
import { parseTransactionHex } from '../../../../protocol/bitcoin/transaction.ts';
import type { ApprovalView } from '../../../../protocol/messages/wallet-messages.ts';
import { startHost, startNames, type TestHost } from '../../../../testkit/network/hosts.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import {
  approvalOf,
  ask,
  decide,
  give,
  openWallet,
  pay,
  paymentView,
  stored,
} from '../../../../testkit/wallet/wallet.ts';

const network = useNetwork();

const BOB = 'bob@pay.example';
const OTHER_KEY = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';

async function open() {
  const workerRun = await openWallet(network, [1_000_000, 1_000_000, 1_000_000, 1_000_000]);
  await startNames(workerRun.profile);
  const host = await startHost(workerRun.profile);
  host.split = (satoshis) => [satoshis - 3000, 1000, 2000];
  return { workerRun, host };
}

test('[S-08] [R-33] a page can pay a paymail: the window shows the paymail, its profile and host, and the host’s outputs are paid', async () => {
  const { workerRun } = await open();
  const asked = ask(workerRun, 'request-1', pay(BOB, 50_000));
  const id = await approvalOf(workerRun);
  const view = (await paymentView(workerRun, id)) as ApprovalView;
  expect(view.outputs).toMatchObject([
    {
      type: 'PAYMAIL',
      to: BOB,
      paymail: BOB,
      satoshis: '50000',
      own: false,
      scripts: [],
      host: { paymail: BOB, host: 'pay.example', name: 'BOB', known: false, keyChangedSince: null },
    },
  ]);
  await decide(workerRun, id);
  const payment = await asked;
  if (typeof payment === 'string') throw new Error(payment);
  expect(payment.outputs).toEqual([
    {
      type: 'PAYMAIL',
      to: BOB,
      paymail: BOB,
      userId: null,
      address: null,
      script: null,
      amount: '0.00050000',
      currency: 'BSV',
      satoshis: '50000',
    },
  ]);
  const paid = parseTransactionHex(payment.rawtx).outputs.map(({ satoshis }) => satoshis);
  for (const satoshis of [47_000n, 1000n, 2000n]) expect(paid.filter((one) => one === satoshis)).toHaveLength(1);
});

test('hosts that never respond do not block payments at another site, or open more than four windows', async () => {
  const { workerRun, host } = await open();
  host.instead.set('.well-known', () => undefined); // never responds
  const site = (n: number, userActivation: 'none' | 'new') => ({ origin: `https://${n}.example`, userActivation });
  for (const n of [1, 2, 3, 4]) void ask(workerRun, 'request-1', pay(BOB, 50_000), site(n, 'none'));
  await vi.waitFor(() => expect(host.asked).not.toEqual([]));
  expect(await ask(workerRun, 'request-1', pay(BOB, 50_000), site(5, 'none'))).toBe('busy');
  host.instead.clear();
  await startHost(workerRun.profile, 'https://other.example');
  const answers = [6, 7, 8, 9, 10].map((n) =>
    ask(workerRun, 'request-1', pay('bob@other.example', 50_000), site(n, 'new')),
  );
  await approvalOf(workerRun, 4);
  expect(await Promise.race(answers)).toBe('busy');
  expect(workerRun.profile.browser.windowsOpened).toBe(4);
});

test.each<[string, (host: TestHost) => void, object]>([
  [
    'has changed',
    (host) => void (host.key = OTHER_KEY),
    { known: true, keyChangedSince: expect.any(Number) as number },
  ],
  [
    'is no longer available, so it may have changed',
    (host) => void host.instead.set('pki', { status: 404 }),
    { known: true, keyChangedSince: null, keyUnavailable: true },
  ],
])('an allowance pays a paymail, but the user is prompted if its key %s', async (_, change, seen) => {
  const { workerRun, host } = await open();
  await give(workerRun, { kind: 'swipe', currency: 'BSV', limit: 1_000_000n });
  const first = await ask(workerRun, 'request-1', pay(BOB, 50_000));
  expect(first).toMatchObject({ status: 'RECEIVED' });
  expect(workerRun.profile.browser.windowsOpened).toBe(0);
  change(host);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 120_000); // after this time, the host's data is requested again
  const asked = ask(workerRun, 'request-2', pay(BOB, 50_000));
  const view = (await paymentView(workerRun, await approvalOf(workerRun))) as ApprovalView;
  expect(view.outputs[0]?.host).toMatchObject(seen);
  await decide(workerRun, await approvalOf(workerRun), 'refuse');
  expect(await asked).toBe('refused');
  const { payments } = await stored(workerRun);
  expect(payments.find(({ requestId }) => requestId === 'request-2')?.signed).toBeNull();
});
