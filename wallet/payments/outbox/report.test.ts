/** Tests reports to the service of a page's button while that service or the worker fails. */
import { expect, test, vi } from 'vitest';
import bsv from 'bsv';
import Message from 'bsv/message/index.js';
import { paymentReport, type PaymentReport } from '../../../protocol/http/api.ts';
import { anonymousReportMessage } from '../../../protocol/signed-messages/report-message.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction } from '../../../protocol/bitcoin/transaction.ts';
import { answering, type FakeResponse, type RecordedRequest } from '../../../testkit/network/answers.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { holdTime } from '../../../testkit/wallet/clock.ts';
import { acknowledging } from '../../../testkit/network/service.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, give, openWallet, pay, paymentWhere, stored, someone } from '../../../testkit/wallet/wallet.ts';
import type { PaymentRecord } from '../record.ts';
import { accountReport } from './report.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

/** Every nth crash point is tested. */
const STRIDE = 4;

const network = useNetwork();

/** Returns the network's operators. An account's service must also name these operators. */
const operators = () => ({
  arcUrl: `${network.url}/devnet/arc`,
  wocUrl: `${network.url}/devnet/woc/v1/bsv/test`,
  feePolicy: { satoshis: 100, bytes: 1000 },
});

/** Starts a service, at a separate address, that stores the reports it receives. */
/** Starts a service that acknowledges a report unless `answer` returns another response. */
async function startService(answer: () => FakeResponse | undefined = () => undefined) {
  const asked: RecordedRequest[] = [];
  const { url } = await answering((question: RecordedRequest) => {
    if (question.method !== 'POST') return { body: { network: 'devnet', ...operators() } };
    asked.push(question);
    return answer() ?? { status: 201, body: acknowledging(question.body) };
  });
  return { url, asked, reports: () => asked.map(({ body }) => JSON.parse(body) as PaymentReport) };
}

/** Opens a wallet that pays without a prompt. */
async function wallet(account: boolean): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [4_000_000], { account });
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  return workerRun;
}

const TOO_EARLY = { status: 422, body: { error: { code: 'not-accepted', message: '' } } };

let requests = 0;

/** Pays a button of `service` automatically, and returns the payment. */
async function paid(workerRun: WorkerRun, service: string): Promise<PaymentRecord> {
  const asking = { automatic: true, service };
  const answer = await ask(
    workerRun,
    `request-${(requests += 1)}`,
    pay(someone(), 3000, { buttonId: 'invoice-7' }),
    asking,
  );
  if (typeof answer === 'string') throw new Error(`the page was told: ${answer}`);
  return paymentWhere(workerRun, answer.id, ({ signed }) => signed !== null);
}

test('the service gets the report during the broadcast, with a Prefer header because the wallet waits', async () => {
  const [workerRun, shop] = [await wallet(false), await startService()];
  let reported = 0;
  network.before = async (url) => {
    // The broadcast waits for the report, so the test times out if they aren't concurrent.
    if (url.endsWith('/v1/tx')) await vi.waitFor(() => expect((reported = shop.asked.length)).toBe(1));
  };
  const record = await paid(workerRun, shop.url);
  expect([reported, shop.asked.length, shop.asked[0]?.headers.prefer]).toEqual([1, 1, 'wait=2']);
  expect(record.serviceReport).toMatchObject({ state: 'done', attempts: 1 });
});

test('the service gets the report again once the network has the payment, if the first report was too early', async () => {
  const answers: FakeResponse[] = [TOO_EARLY];
  const [workerRun, shop] = [await wallet(false), await startService(() => answers.shift())];
  const record = await paid(workerRun, shop.url);
  expect(record.serviceReport).toMatchObject({ state: 'done', attempts: 1, problem: null });
  const [first, second] = shop.reports();
  expect([shop.asked.length, second]).toEqual([2, first]);
  expect(shop.asked[1]?.headers.prefer).toBeUndefined();
});

test('the service gets the same report again if the first broadcast fails', async () => {
  const [workerRun, shop] = [await wallet(false), await startService(() => TOO_EARLY)];
  network.faults.push('refused');
  const asked = ask(workerRun, 'unsent', pay(someone(), 3000), { automatic: true, service: shop.url });
  await vi.waitFor(() => expect(shop.asked).toHaveLength(1));
  await asked;
  await vi.waitFor(() => expect(shop.asked.length).toBeGreaterThan(1));
  expect(new Set(shop.reports().map(({ rawtx }) => rawtx)).size).toBe(1);
});

test('a wallet without an account reports before the page’s response, with a proof for that service that doesn’t identify the user', async () => {
  const [workerRun, shop] = [await wallet(false), await startService()];
  const record = await paid(workerRun, shop.url);
  expect(record.serviceReport).toMatchObject({ service: shop.url, state: 'done', attempts: 1, problem: null });
  const [report] = shop.reports();
  expect(shop.asked.map(({ method, url, headers }) => [method, url, headers.authorization, headers.cookie])).toEqual([
    ['POST', '/api/v2/payments', undefined, undefined],
  ]);
  expect(paymentReport.parse(report)).toMatchObject({
    id: record.id,
    rawtx: record.signed?.rawtx,
    origin: 'https://shop.example',
    buttonId: 'invoice-7',
  });
  // An independent implementation verifies that the first input's key signed the message for this service.
  const key = toHex(
    parseTransaction(fromHex(report?.rawtx ?? '')).inputs[0]?.unlockingScript.slice(-33) ?? new Uint8Array(),
  );
  const text = anonymousReportMessage(record.id, record.signed?.txid ?? '', shop.url);
  expect(new Message(Buffer.from(text)).verify(new bsv.PublicKey(key).toAddress().toString(), report?.inputProof)).toBe(
    true,
  );
  const { identity } = await (await import('../../vault/vault.ts')).publicKeys(current);
  expect(shop.asked[0]?.body).not.toContain(identity);
  expect(network.reports.has(record.id)).toBe(false);
  expect(
    (await workerRun.modules.handlers.walletHandlers(current)['activity/read']({ id: record.id })).serviceReport,
  ).toEqual({
    host: new URL(shop.url).host,
    state: 'done',
  });
});

test('the button’s service gets a report in addition to the wallet’s own service, which gets only the account’s report', async () => {
  const [workerRun, shop] = [await wallet(true), await startService()];
  const record = await paid(workerRun, shop.url);
  await paymentWhere(workerRun, record.id, ({ state }) => state === 'settled');
  expect([shop.reports().map(({ id }) => id), network.reports.has(record.id)]).toEqual([[record.id], true]);
  expect(shop.reports()[0]?.inputProof).not.toBe((network.reports.get(record.id) as PaymentReport).inputProof);
  const own = await paid(workerRun, network.url);
  const settled = await paymentWhere(workerRun, own.id, ({ state }) => state === 'settled');
  expect([settled.serviceReport?.state, network.reports.has(own.id)]).toEqual(['by-account', true]);
  expect((network.reports.get(own.id) as PaymentReport).inputProof).toBe(own.signed?.inputProof);
});

test.each([
  ['for none', { noAccount: true }, false],
  ['for one at another service', {}, false],
  ['and the worker dies right after that', { noAccount: true }, true],
])(
  'the service gets a report without an account if the user gives up the account %s, before the account’s report arrived',
  async (_, change, dies) => {
    const workerRun = await wallet(true);
    const goOn = holdTime(); // prevents retries after the first attempt
    network.before = (url) => {
      if (url === '/api/v2/payments') throw new Error('down');
    };
    const { id } = await paid(workerRun, network.url);
    const tried = await paymentWhere(workerRun, id, ({ report }) => report.attempts > 0);
    expect([tried.serviceReport?.state, network.reports.has(id)]).toEqual(['by-account', false]);
    network.before = () => undefined;
    const elsewhere = { serviceUrl: network.url.replace('127.0.0.1', 'localhost') };
    const wanted = { ...elsewhere, ...change };
    if (dies) {
      const { writeSettings } = await import('../../settings.ts');
      await writeSettings(current, wanted);
      workerRun.end();
    } else await workerRun.modules.handlers.walletHandlers(current)['settings/change'](wanted);
    goOn();
    const now = dies ? await workerRun.profile.start() : workerRun;
    const told = await paymentWhere(now, id, ({ serviceReport }) => serviceReport?.state === 'done');
    expect((network.reports.get(id) as PaymentReport).inputProof).toBe(told.serviceReport?.proof);
    expect(told.report.state).toBe('waiting'); // waits for the next account
  },
);

/** Opens a wallet whose account is at a shop that fails until `isUp`, and pays the shop's button. */
async function withAccountAtShop() {
  const [workerRun, state] = [await wallet(true), { isUp: false }];
  const shop = await startService(() => (state.isUp ? undefined : { status: 500 }));
  const { readKey, writeKey } = workerRun.modules.database;
  const moveTo = async (serviceUrl: string) =>
    writeKey(current, 'settings', { ...(await readKey(current, 'settings')), serviceUrl });
  const goOn = holdTime(); // allows only one attempt
  await moveTo(shop.url);
  const { id } = await paid(workerRun, shop.url);
  const record = await paymentWhere(workerRun, id, ({ report }) => report.attempts > 0);
  expect(record.serviceReport?.state).toBe('by-account');
  return { workerRun, shop, state, record, moveTo, goOn };
}

test('the service gets the report once it is up again, even if the next account’s report was sent earlier', async () => {
  const { workerRun, shop, state, record, moveTo, goOn } = await withAccountAtShop();
  await moveTo(network.url);
  goOn();
  await workerRun.modules.revive.reviveReports(current);
  const moved = await paymentWhere(workerRun, record.id, ({ report }) => report.state === 'done');
  expect([moved.serviceReport?.state, network.reports.has(record.id)]).toEqual(['waiting', true]);
  state.isUp = true;
  const told = await paymentWhere(workerRun, record.id, ({ serviceReport }) => serviceReport?.state === 'done');
  expect(shop.reports().at(-1)?.inputProof).toBe(told.serviceReport?.proof);
});

test('a report for the account’s service isn’t sent to the service that the user has since moved to', async () => {
  const { shop, record, moveTo, goOn } = await withAccountAtShop();
  const report = accountReport(current, record, shop.url);
  await moveTo(network.url);
  expect(await report?.send()).toEqual({ problem: 'service-unavailable', final: false });
  expect(network.reports.has(record.id)).toBe(false);
  goOn();
});

test('the wallet’s own service gets a report without an account, and the account’s report once there is an account', async () => {
  const workerRun = await wallet(false);
  const { id } = await paid(workerRun, network.url);
  const told = await paymentWhere(workerRun, id, ({ serviceReport }) => serviceReport?.state === 'done');
  const first = network.reports.get(id) as PaymentReport;
  expect([first.inputProof, told.report.state]).toEqual([told.serviceReport?.proof, 'waiting']);
  const shown = () => workerRun.modules.handlers.walletHandlers(current)['activity/read']({ id });
  expect((await shown()).report).toBeNull(); // reported without an account, so no record is expected
  await workerRun.modules.client.registerAccount(current, 'alice', 'Alice');
  await workerRun.modules.revive.reviveReports(current);
  const settled = await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
  // Only the proof differs, so the service assigns the payment to the account.
  expect(network.reports.get(id)).toEqual({ ...first, inputProof: settled.signed?.inputProof });
  expect((await shown()).report).toBe('done');
});

test('the account’s report is also sent if the account is created during the broadcast', async () => {
  const workerRun = await wallet(false);
  const reportsBefore = network.reports.size;
  let isRegistered = false;
  network.before = async (url) => {
    if (!url.endsWith('/v1/tx') || isRegistered) return;
    isRegistered = true;
    await vi.waitFor(() => expect(network.reports.size).toBe(reportsBefore + 1));
    await workerRun.modules.client.registerAccount(current, 'alice', 'Alice');
  };
  const { id } = await paid(workerRun, network.url);
  const settled = await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
  expect([isRegistered, settled.report.state, settled.serviceReport?.state]).toEqual([true, 'done', 'by-account']);
  expect((network.reports.get(id) as PaymentReport).inputProof).toBe(settled.signed?.inputProof);
});

test('only the account’s report is sent if the account is created before the report without an account arrives', async () => {
  const workerRun = await wallet(false);
  const goOn = holdTime(); // prevents retries after the first attempt
  network.before = (url) => {
    if (url === '/api/v2/payments') throw new Error('down');
  };
  const { id } = await paid(workerRun, network.url);
  await paymentWhere(workerRun, id, ({ serviceReport }) => (serviceReport?.attempts ?? 0) > 0);
  const asked: string[] = [];
  network.before = (url) => void asked.push(url);
  await workerRun.modules.client.registerAccount(current, 'alice', 'Alice');
  goOn();
  await workerRun.modules.revive.reviveReports(current);
  const settled = await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
  expect([settled.report.state, settled.serviceReport?.state]).toEqual(['done', 'by-account']);
  expect((network.reports.get(id) as PaymentReport).inputProof).toBe(settled.signed?.inputProof);
  expect(asked.filter((url) => url === '/api/v2/payments')).toHaveLength(1);
});

test.each<[string, FakeResponse, 'refused' | 'waiting']>([
  ['declines it for good', { status: 422, body: { error: { code: 'unrelated-payment', message: '' } } }, 'refused'],
  ['is no service of this kind', { status: 404, body: '<h1>Not found</h1>' }, 'refused'],
  ['fails', { status: 500 }, 'waiting'],
  [
    'has not heard of the transaction yet',
    { status: 422, body: { error: { code: 'not-accepted', message: '' } } },
    'waiting',
  ],
  ['answers without end', { status: 201, body: JSON.stringify({ payment: 'x'.repeat(2_000_000) }) }, 'waiting'],
  ['only serves its start page', { status: 200, body: '<!doctype html>' }, 'waiting'],
  ['is behind a proxy with errors of its own', { status: 200, body: { error: 'busy' } }, 'waiting'],
  ['acknowledges another payment', { status: 201, body: { payment: { id: 'another' } } }, 'waiting'],
  [
    'sends the wallet elsewhere',
    { status: 307, headers: { location: 'http://127.0.0.1:9/api/v2/payments' } },
    'waiting',
  ],
])('a service that %s does not affect the payment', async (_name, answer, state) => {
  const workerRun = await wallet(false);
  const shop = await startService(() => answer);
  const record = await paid(workerRun, shop.url);
  expect(['broadcast', 'settled']).toContain(record.state);
  const tried = await paymentWhere(workerRun, record.id, ({ serviceReport }) => (serviceReport?.attempts ?? 0) > 0);
  expect(tried.serviceReport?.state).toBe(state);
});

test('a service that never responds delays neither the page nor the report to the wallet’s own service', async () => {
  const workerRun = await wallet(true);
  const shop = await startService(() => () => undefined);
  const record = await paid(workerRun, shop.url);
  expect(shop.reports()).toHaveLength(1);
  const { report, serviceReport } = await paymentWhere(workerRun, record.id, (now) => now.report.state === 'done');
  expect([report.state, serviceReport?.state, serviceReport?.attempts]).toEqual(['done', 'waiting', 0]);
});

test('the report is repeated until the service acknowledges it', async () => {
  const workerRun = await wallet(false);
  let fails = 3;
  const shop = await startService(() => ((fails -= 1) >= 0 ? { status: 503 } : undefined));
  const { id } = await paid(workerRun, shop.url);
  const record = await paymentWhere(workerRun, id, ({ serviceReport }) => serviceReport?.state === 'done');
  expect(record.serviceReport?.attempts).toBe(4);
  expect(new Set(shop.asked.map(({ body }) => body)).size).toBe(1);
});

test('the service gets the same report if the worker is stopped at any point', async () => {
  let died = true;
  for (let n = 1; died; n += STRIDE) {
    const shop = await startService();
    let workerRun = await wallet(false);
    const request = `request-${(requests += 1)}`;
    const options = pay(someone(), 3000);
    const asking = (now: WorkerRun) => ask(now, request, options, { automatic: true, service: shop.url });
    workerRun.dieAt(n);
    const first = await workerRun.untilDeath(() => asking(workerRun));
    died = first === null;
    if (workerRun.dead) workerRun = await workerRun.profile.start(); // the worker may have stopped during the response
    if (died) {
      expect(await asking(workerRun), `crash point ${n}`).toMatchObject({ satoshis: '3000' });
    }
    const record = (await stored(workerRun)).payments.at(-1) as PaymentRecord;
    const last = await paymentWhere(workerRun, record.id, ({ serviceReport }) => serviceReport?.state === 'done');
    expect(last.serviceReport?.service, `crash point ${n}`).toBe(shop.url);
    const ids = new Set(shop.reports().map(({ id, rawtx, inputProof }) => `${id} ${rawtx} ${inputProof}`));
    expect(ids.size, `crash point ${n}`).toBe(1);
    expect(shop.reports()[0]?.rawtx).toBe(record.signed?.rawtx);
    endAllWorkerRuns();
  }
});

test.each(['<!doctype html>', '{"error":"busy"}', '{"payment":{"id":"another"}}', '{"payment":{"id":'])(
  'the account’s report is repeated if a proxy responds with status 200 and %s',
  async (body) => {
    const workerRun = await wallet(true);
    const goOn = holdTime();
    const others = fetch;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
      url.endsWith('/api/v2/payments') ? new Response(body) : others(url, init),
    );
    const { id } = await paid(workerRun, network.url);
    const tried = await paymentWhere(workerRun, id, ({ report }) => report.attempts > 0 || report.state === 'done');
    expect(tried.report).toMatchObject({ state: 'waiting', problem: 'service-unavailable' });
    vi.unstubAllGlobals();
    goOn();
    await workerRun.modules.revive.reviveReports(current);
    await paymentWhere(workerRun, id, ({ report }) => report.state === 'done');
    expect(network.reports.has(id)).toBe(true);
  },
);
