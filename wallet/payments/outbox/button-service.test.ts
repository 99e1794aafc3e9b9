/** Tests that the service of a page's button is checked before the user is prompted. */
import { expect, test, vi } from 'vitest';
import { answering, type FakeResponse } from '../../../testkit/network/answers.ts';
import { startNames } from '../../../testkit/network/hosts.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { approvalOf, ask, decide, openWallet, pay, paymentView, someone } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const wallet = () => openWallet(network, [1_000_000], { account: false });
const request = (workerRun: WorkerRun, service: string, id = 'request-1') =>
  ask(workerRun, id, pay(someone(), 3000), { service });

async function refuses(workerRun: WorkerRun, service: string, code: string): Promise<void> {
  let outcome: unknown = null;
  void request(workerRun, service).then((answer) => (outcome = answer));
  // If the request were accepted, it would wait for the user. The test then fails here instead of timing out.
  await vi.waitFor(() => expect(outcome !== null || workerRun.profile.browser.windowsOpened > 0).toBe(true), {
    interval: 5,
  });
  expect(outcome ?? 'the user was asked').toBe(code);
  const db = await workerRun.modules.database.database(current);
  expect([await db.count('requests'), await db.count('payments'), await db.count('prompts')]).toEqual([0, 0, 0]);
  expect(workerRun.profile.browser.windowsOpened).toBe(0);
}

/** Asserts that the window opens, and returns the service that it names for the report. */
async function asksUser(workerRun: WorkerRun, service: string): Promise<string | undefined> {
  const asked = request(workerRun, service);
  const id = await approvalOf(workerRun);
  const { reportedTo } = await paymentView(workerRun, id);
  await decide(workerRun, id, 'refuse');
  expect(await asked).toBe('refused');
  return reportedTo;
}

test('an invalid or forbidden origin ends the request before anything is stored', async () => {
  const workerRun = await wallet();
  for (const service of [
    'http://shop.example',
    'https://192.168.0.1',
    'https://intranet',
    'https://shop.example/path',
    'https://shop.example/',
    'https://user:pass@shop.example',
    'ftp://shop.example',
    'nonsense',
    '',
  ])
    await refuses(workerRun, service, 'invalid-service');
});

test('a service on this machine is allowed only on devnet', async () => {
  await wallet();
  const { isServiceForm } = await import('./button-service.ts');
  const settings = { serviceUrl: 'https://service.example' };
  for (const service of ['http://localhost:3000', 'https://127.0.0.1']) {
    expect(isServiceForm(service, { ...settings, network: 'devnet' }), service).toBe(true);
    for (const network of ['mainnet', 'testnet'] as const)
      expect(isServiceForm(service, { ...settings, network }), service).toBe(false);
  }
  expect(isServiceForm('https://shop.example', { ...settings, network: 'mainnet' })).toBe(true);
});

test.each<[string, FakeResponse, string]>([
  ['is on another network', { body: { network: 'mainnet' } }, 'wrong-network'],
  ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'invalid-service'],
  ['answers without end', { body: { network: 'x'.repeat(50_000) } }, 'invalid-service'],
])('a service that %s ends the request before anything is stored', async (_name, answer, code) => {
  const { url, asked } = await answering(answer);
  await refuses(await wallet(), url, code);
  expect(asked.map(({ method, url: path, headers }) => [method, path, headers.cookie, headers.authorization])).toEqual([
    ['GET', '/api/v2/network', undefined, undefined],
  ]);
});

test('a public host name that resolves to a private network is never queried', async () => {
  const workerRun = await wallet();
  const names = await startNames(workerRun.profile);
  const { url, asked } = await answering({ body: { network: 'devnet' } });
  workerRun.profile.hosts.set('https://near.example', url);
  names.records.set('near.example A', { data: ['192.168.1.1'] });
  await refuses(workerRun, 'https://near.example', 'invalid-service');
  expect(asked).toEqual([]);
});

test.each<[string, FakeResponse]>([
  ['is down', (_, response) => void response.destroy()],
  ['fails', { status: 503 }],
  ['never answers', () => undefined],
  ['is only a place for files', { status: 404, body: '<h1>Not found</h1>' }],
])('a service that %s does not prevent the payment', async (_name, answer) => {
  const { url } = await answering(answer);
  expect(await asksUser(await wallet(), url)).toBe(new URL(url).host);
});

test('repeated requests query the service once while the payment is being quoted, and queries to many services are limited', async () => {
  const workerRun = await wallet();
  const { url, asked } = await answering({ body: { network: 'devnet' } });
  const all = [1, 2, 3].map((n) => request(workerRun, url, `request-${n}`));
  await decide(workerRun, await approvalOf(workerRun), 'refuse');
  await vi.waitFor(async () => expect(await Promise.race(all)).toBeTypeOf('string'));
  expect(asked).toHaveLength(1);
  const { checkServiceNetwork } = await import('./button-service.ts');
  const flood = Array.from({ length: 200 }, (_, n) =>
    checkServiceNetwork(current, `http://127.0.0.1:9/${n}`, 'https://flood.example').then(
      () => 'asked',
      ({ code }: { code: string }) => code,
    ),
  );
  expect(await Promise.all(flood)).toContain('too-many-requests');
});

test('the window doesn’t name the button’s service if that service already gets the account’s report', async () => {
  const workerRun = await openWallet(network, [1_000_000], { account: true });
  expect(await asksUser(workerRun, network.url)).toBeUndefined();
});
