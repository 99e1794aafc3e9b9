/** The wallet finds the account after the user has signed in on one of its service's pages. */
import { expect, test, vi } from 'vitest';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { approvalOf, approve, openWallet } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { timeToRead } from '../../testkit/wallet/clock.ts';

const network = useNetwork();
let signIns = 0;

/** Makes a page with this origin request an account, and approves the request as the user. */
async function signFor(workerRun: WorkerRun, origin: string): Promise<void> {
  signIns = 0;
  network.before = (url) => {
    if (url === '/api/v2/sign-in') signIns += 1;
  };
  const now = Date.now();
  const times = { issuedAt: new Date(now).toISOString(), expiresAt: new Date(now + 300_000).toISOString() };
  const answer = workerRun.modules.signIn.promptSignIn(
    wallet,
    { nonce: 'nonce-0123456789abcdef', ...times, register: { handle: 'alice', name: '' } },
    { origin, message: 'message-1', client: {}, userActivation: 'new' },
  );
  const id = await approvalOf(workerRun);
  await workerRun.modules.decide.viewPrompt(wallet, id);
  await timeToRead();
  await approve(workerRun, id, { decision: 'sign' });
  await answer;
}

const account = (workerRun: WorkerRun) => workerRun.modules.database.readKey(wallet, 'account');
const known = (workerRun: WorkerRun) =>
  vi.waitFor(async () => expect(await account(workerRun)).toMatchObject({ id: '75101', paymail: 'alice@localhost' }));

test('an account created on a page of the wallet’s own service becomes the wallet’s account', async () => {
  const workerRun = await openWallet(network, []);
  await signFor(workerRun, network.url);
  await known(workerRun);
});

test('the account is joined even if the service was unreachable at first, or the worker was stopped right after', async () => {
  const workerRun = await openWallet(network, []);
  network.down.add('service');
  await signFor(workerRun, network.url);
  const next = await workerRun.profile.start();
  network.down.delete('service');
  await known(next);
});

test('an account at another service does not affect the wallet’s service', async () => {
  const workerRun = await openWallet(network, []);
  await signFor(workerRun, 'https://shop.example');
  const { joinService } = await import('./join.ts');
  await joinService(wallet);
  expect(signIns).toBe(0);
  expect(await account(workerRun)).toBeUndefined();
});
