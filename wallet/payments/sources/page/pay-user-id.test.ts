/** Tests payments to a user ID that belongs to different people at two services. */
import { expect, test } from 'vitest';
import { paymentReport, type PaymentReport } from '../../../../protocol/http/api.ts';
import { startHost, startNames, type TestHost } from '../../../../testkit/network/hosts.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { acknowledging } from '../../../../testkit/network/service.ts';
import {
  approvalOf,
  ask,
  decide,
  give,
  openWallet,
  pay,
  paymentView,
  paymentWhere,
} from '../../../../testkit/wallet/wallet.ts';
import type { Profile } from '../../../../testkit/wallet/worker-run.ts';

const network = useNetwork();

/** Starts a service whose user 75101 has the given handle. */
async function startService(profile: Profile, origin: string, handle: string): Promise<TestHost> {
  const host = await startHost(profile, origin);
  const paymail = `${handle}@${new URL(origin).host}`;
  host.instead.set('api', ({ url, method }, response) => {
    response.setHeader('content-type', 'application/json');
    response.statusCode = method === 'POST' ? 201 : 200;
    if (url === '/api/v2/network') response.end(JSON.stringify({ network: 'devnet' }));
    else if (method === 'POST') response.end(JSON.stringify(acknowledging(host.asked.at(-1)?.body ?? '')));
    else response.end(JSON.stringify({ id: '75101', paymail, name: handle }));
  });
  return host;
}

async function open() {
  const workerRun = await openWallet(network, [1_000_000, 1_000_000, 1_000_000], { account: true });
  await startNames(workerRun.profile);
  const one = await startService(workerRun.profile, 'https://one.example', 'ann');
  const two = await startService(workerRun.profile, 'https://two.example', 'bob');
  return { workerRun, one, two };
}

const reportsTo = ({ asked }: TestHost) =>
  asked.filter(({ url }) => url === '/api/v2/payments').map(({ body }) => JSON.parse(body) as PaymentReport);

test('the same user ID at two services belongs to two people, and each window shows the paymail and its service', async () => {
  const { workerRun } = await open();
  for (const [service, paymail, windows] of [
    ['https://one.example', 'ann@one.example', 1],
    ['https://two.example', 'bob@two.example', 2],
  ] as const) {
    const asked = ask(workerRun, `request ${service}`, pay('75101', 5000), { service });
    const id = await approvalOf(workerRun, windows);
    const { outputs, reportedTo } = await paymentView(workerRun, id);
    const { host } = new URL(service);
    expect(outputs).toMatchObject([
      { type: 'USER', to: '75101', host: { paymail, namedBy: host, host, known: false } },
    ]);
    expect(reportedTo).toBe(host);
    await decide(workerRun, id);
    expect(await asked).toMatchObject({ outputs: [{ type: 'USER', userId: '75101' }] });
  }
});

test('a request repeated with another service is rejected as a different request', async () => {
  const { workerRun } = await open();
  await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
  const request = (service: string) => ask(workerRun, 'request-1', pay('75101', 5000), { automatic: true, service });
  const first = await request('https://one.example');
  expect(first).toMatchObject({ satoshis: '5000' });
  expect(await request('https://two.example')).toBe('request-id-reused');
  expect(await request('https://one.example')).toEqual(first);
});

test('only the service that issued the user ID gets the user ID, and the payer’s service gets the paymail', async () => {
  const { workerRun, one, two } = await open();
  await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
  const service = 'https://one.example';
  const answer = await ask(workerRun, 'request-1', pay('75101', 5000), { automatic: true, service });
  if (typeof answer === 'string') throw new Error(answer);
  await paymentWhere(
    workerRun,
    answer.id,
    ({ report, serviceReport }) => report.state === 'done' && serviceReport?.state === 'done',
  );
  const [report] = reportsTo(one);
  expect(paymentReport.parse(report).outputs).toMatchObject([
    { type: 'USER', to: '75101', userId: '75101', paymail: null, reference: 'reference-1' },
  ]);
  const own = network.reports.get(answer.id) as PaymentReport;
  expect(paymentReport.parse(own).outputs).toMatchObject([
    { type: 'PAYMAIL', to: 'ann@one.example', userId: null, paymail: 'ann@one.example', reference: null },
  ]);
  expect(JSON.stringify(own)).not.toContain('75101');
  expect(two.asked).toEqual([]);
});
