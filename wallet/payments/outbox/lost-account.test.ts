/** Payments to a button of the account's own service, which has lost the account. */
import { expect, test } from 'vitest';
import { setTime } from '../../../testkit/wallet/clock.ts';
import type { PaymentReport } from '../../../protocol/http/api.ts';
import { answering, type FakeResponse, type RecordedRequest } from '../../../testkit/network/answers.ts';
import { acknowledging } from '../../../testkit/network/service.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, give, openWallet, pay, paymentWhere, someone } from '../../../testkit/wallet/wallet.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

/** Starts a service that lost the account when its operator restored a backup (docs/operate/backup.md). */
async function restoredService() {
  const reports: { report: PaymentReport; isByAccount: boolean }[] = [];
  let signIns = 0;
  const { url } = await answering(({ method, url: path, body, headers }: RecordedRequest): FakeResponse => {
    if (method !== 'POST')
      return {
        body: {
          network: 'devnet',
          arcUrl: `${network.url}/devnet/arc`,
          wocUrl: `${network.url}/devnet/woc/v1/bsv/test`,
          feePolicy: { satoshis: 100, bytes: 1000 },
        },
      };
    if (path === '/api/v2/payments') {
      const isByAccount = headers.authorization !== undefined;
      reports.push({ report: JSON.parse(body) as PaymentReport, isByAccount });
      return isByAccount
        ? { status: 401, body: { error: { code: 'invalid-token', message: '' } } }
        : { status: 201, body: acknowledging(body) };
    }
    signIns += 1;
    return { status: 404, body: { error: { code: 'unknown-account', message: '' } } };
  });
  return { url, reports, signIns: () => signIns };
}

test('a shop’s service that has lost the payer’s account still gets the payment', async () => {
  const workerRun = await openWallet(network, [4_000_000], { account: true });
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  const service = await restoredService();
  const { readKey, writeKey } = workerRun.modules.database;
  await writeKey(current, 'settings', { ...(await readKey(current, 'settings'))!, serviceUrl: service.url });
  const answer = await ask(workerRun, 'request-1', pay(someone(), 3000), { automatic: true, service: service.url });
  if (typeof answer === 'string') throw new Error(answer);
  const { report } = await paymentWhere(workerRun, answer.id, (one) => one.report.attempts > 0);
  expect([service.signIns() > 0, report.problem, report.state]).toEqual([true, 'unknown-account', 'waiting']);
  // The service is up, and would accept the report of a wallet without an account.
  setTime(current.now() + 25 * 3600_000);
  await workerRun.modules.drive.processAll(current);
  await paymentWhere(workerRun, answer.id, ({ serviceReport }) => serviceReport?.state === 'done');
  expect(service.reports.map(({ report: { id }, isByAccount }) => [id, isByAccount])).toEqual([[answer.id, false]]);
});

test('a shop’s service gets a payment while the wallet is locked, and the account’s record once it is unlocked', async () => {
  const workerRun = await openWallet(network, [4_000_000], { account: true });
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  network.down.add('service');
  const answer = await ask(workerRun, 'request-1', pay(someone(), 3000), { automatic: true, service: network.url });
  if (typeof answer === 'string') throw new Error(answer);
  await paymentWhere(workerRun, answer.id, ({ report }) => report.problem === 'service-unavailable');
  await workerRun.modules.vault.lock(current);
  network.down.clear();
  setTime(current.now() + 3600_000);
  await workerRun.modules.drive.processAll(current);
  const locked = await paymentWhere(workerRun, answer.id, ({ serviceReport }) => serviceReport?.state === 'done');
  expect([locked.report.state, locked.report.problem]).toEqual(['waiting', 'wallet-locked']);
  expect([...network.reports.keys()]).toEqual([answer.id]);
  await workerRun.modules.vault.unlock(current, 'correct horse battery');
  setTime(current.now() + 3600_000);
  await workerRun.modules.drive.processAll(current);
  await paymentWhere(workerRun, answer.id, ({ report }) => report.state === 'done');
});
