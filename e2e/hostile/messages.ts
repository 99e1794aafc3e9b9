/** What a page posts to the wallet by itself, malformed in every way we know, changes nothing and opens nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { answerTo, fence, freshId, paymentRequest, rawPage, replyTo, say, type RawWindow } from '../drive/raw-page.ts';
import { ADDRESS, type Scene } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';
import { approve, ask, buttonIn, readyApproval, stored, swipe } from '../drive/wallet.ts';

interface StoredPayment {
  id: string;
  origin: string;
  requestId: string;
  state: string;
}

/** @param stage the scene, once it is set */
export function messages(stage: () => Scene): void {
  let scene: Scene;
  let site: Site;
  let page: Page;
  let before: { payments: number; approvals: number; satoshis: string };

  beforeEach(async () => {
    scene = stage();
    site = await startSite();
    site.page('/', rawPage());
    page = await scene.wallet.browser.newPage();
    await page.goto(`${site.origin}/`);
    before = await walletNow();
  });
  afterEach(async () => {
    await page.close();
    await scene.wallet.noApproval();
    await site.stop();
  });

  async function walletNow() {
    return {
      payments: (await stored(scene.page, 'payments')).length,
      approvals: scene.wallet.approvalCount().ever,
      satoshis: (await ask(scene.page, 'wallet/overview', {})).satoshis,
    };
  }

  /** Nothing was stored, no window was opened, no money moved; and the wallet still answers an honest page. */
  async function nothingHappened(): Promise<void> {
    await fence(page);
    expect(await walletNow()).toEqual(before);
  }

  const payments = () => stored<StoredPayment>(scene.page, 'payments');
  const codeOf = async (message: object) => (await answerTo(page, { ...paymentRequest(), ...message })).error?.code;

  test('parameters of a wrong shape are refused, one error each', async () => {
    const output = { to: ADDRESS, amount: '0.10', currency: 'USD' };
    const id = freshId();
    const wrong: unknown[] = [
      null,
      1,
      'pay',
      [],
      {},
      { id },
      { options: {} },
      { id, options: null },
      { id, options: [] },
      { id, options: {} },
      { id, options: { outputs: output } },
      { id, options: { outputs: [] } },
      { id, options: { outputs: [null] } },
      { id, options: { outputs: Array.from({ length: 101 }, () => output) } },
      { id, options: { outputs: [{ ...output, amount: 0.1 }] } },
      { id, options: { outputs: [{ ...output, to: '' }] } },
      { id, options: { outputs: [{ ...output, address: ADDRESS }] } },
      { id, options: { outputs: [{ ...output, currency: 'Usd' }] } },
      { id, options: { outputs: [{ amount: '1', currency: 'USD' }] } },
      { id: 'short', options: { outputs: [output] } },
      { id: `${id}\n`, options: { outputs: [output] } },
      { id: { toString: 'x' }, options: { outputs: [output] } },
    ];
    for (const params of wrong) expect(await codeOf({ params }), JSON.stringify(params)).toBe('invalid-request');
    await nothingHappened();
  });

  test('a field that the protocol does not have is refused, an origin that a page claims above all', async () => {
    const { params } = paymentRequest() as { params: { id: string; options: { outputs: object[] } } };
    const origin = 'https://bank.example';
    const wrong = [
      { ...params, origin },
      { ...params, sender: { origin } },
      { ...params, options: { ...params.options, origin } },
      { ...params, options: { outputs: [{ ...params.options.outputs[0], origin }] } },
      { ...params, approved: true },
    ];
    for (const sent of wrong) expect(await codeOf({ params: sent }), JSON.stringify(sent)).toBe('invalid-request');
    expect(await codeOf({ method: 'wallet/hello', params: { origin } })).toBe('invalid-request');
    await nothingHappened();
  });

  test('an origin in an otherwise valid request is ignored: the window names the requesting page', async () => {
    const request = {
      ...paymentRequest(),
      origin: 'https://bank.example',
      sender: { origin: 'https://bank.example' },
      url: 'https://bank.example/',
    };
    await say(page, request);
    const approval = await readyApproval(scene.wallet);
    expect(await approval.$eval('[data-part=origin]', (shown) => shown.textContent)).toBe(site.origin);
    expect((await payments()).find(({ requestId }) => requestId === request.id)?.origin).toBe(site.origin);
  });

  test('methods of the wallet’s own windows, and names that every object has, are unknown to a page', async () => {
    const methods = [
      'vault/unlock',
      'vault/lock',
      'vault/create',
      'vault/status',
      'approval/decide',
      'approval/read',
      'settings/change',
      'wallet/overview',
      'wallet/faucet',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'payment/request ',
      'PAYMENT/REQUEST',
      '',
    ];
    for (const method of methods) expect(await codeOf({ method }), method).toBe('unsupported-method');
    for (const method of [null, 1, ['payment/request'], { toString: 'payment/request' }])
      expect(await codeOf({ method })).toBe('unsupported-method');
    await nothingHappened();
  });

  test('messages without the wire form are not looked at', async () => {
    const request = paymentRequest();
    const wrong: object[] = [
      { ...request, channel: 'service-button/0' },
      { ...request, channel: ['service-button/1'] },
      { ...request, to: 'background' },
      { ...request, to: ['wallet'] },
      { ...request, id: 1 },
      { ...request, id: 'short' },
      { ...request, id: 'x'.repeat(65) },
      { ...request, id: ['raw-00000'] },
      { ...request, id: 'a b c d e f' },
    ];
    for (const message of wrong) await say(page, message);
    await page.evaluate(() => {
      for (const data of [
        null,
        undefined,
        0,
        '',
        'service-button/1',
        [],
        new Date(),
        new Map(),
        new ArrayBuffer(8),
        /x/,
      ])
        postMessage(data, '*');
    });
    await nothingHappened();
    const ids = await page.evaluate(() => (window as unknown as RawWindow).heard.map(({ id }) => id));
    expect(ids).not.toContain(request.id);
    expect(ids.filter((id) => id && !id.startsWith('raw-'))).toEqual([]);
  });

  test('what JSON cannot say is refused: circles, big numbers, nothing at all', async () => {
    const ids = await page.evaluate((id) => {
      const { say } = window as unknown as RawWindow;
      const circle: Record<string, unknown> = {};
      circle.options = { circle };
      const odd = [circle, { amount: 1n }, undefined];
      odd.forEach((params, i) => say({ id: `${id}-${i}`, method: 'payment/request', params }));
      return odd.map((_, i) => `${id}-${i}`);
    }, freshId());
    for (const id of ids) expect((await replyTo(page, id)).error?.code).toBe('invalid-request');
    await nothingHappened();
  });

  test('two megabytes of parameters are refused before they reach the wallet', async () => {
    const id = freshId();
    await page.evaluate(
      (request, n) => {
        (window as unknown as RawWindow).say({
          ...request,
          params: { ...request.params, options: { opReturn: 'x'.repeat(n) } },
        });
      },
      paymentRequest(id),
      2_000_000,
    );
    expect((await replyTo(page, id)).error?.code).toBe('too-large');
    await nothingHappened();
  });

  test('data beyond its limit is refused although the message fits', async () => {
    const { params } = paymentRequest() as { params: { id: string; options: object } };
    expect(await codeOf({ params: { ...params, options: { ...params.options, opReturn: 'x'.repeat(99_001) } } })).toBe(
      'invalid-request',
    );
    expect(
      await codeOf({ params: { ...params, options: { ...params.options, buttonData: 'x'.repeat(20_001) } } }),
    ).toBe('invalid-request');
    await nothingHappened();
  });

  test.each([90, 250, 3000])(
    'parameters nested %i deep are refused, and later requests are answered',
    async (depth) => {
      const id = freshId();
      await page.evaluate(
        (request, n) => {
          (window as unknown as RawWindow).say({ ...request, params: JSON.parse('['.repeat(n) + ']'.repeat(n)) });
        },
        paymentRequest(id),
        depth,
      );
      expect((await replyTo(page, id)).error?.code).toBe('invalid-request');
      await nothingHappened();
    },
  );

  test('a page cannot put properties into the wallet’s objects', async () => {
    const ids = await page.evaluate((id) => {
      const { say } = window as unknown as RawWindow;
      const params = [
        '{"__proto__":{"polluted":1}}',
        '{"id":"raw-polluted","options":{"__proto__":{"polluted":1},"outputs":[]}}',
        '{"constructor":{"prototype":{"polluted":1}}}',
      ];
      params.forEach((text, i) => say({ id: `${id}-${i}`, method: 'payment/request', params: JSON.parse(text) }));
      return params.map((_, i) => `${id}-${i}`);
    }, freshId());
    for (const id of ids) expect((await replyTo(page, id)).error?.code).toBe('invalid-request');
    const worker = await scene.wallet.worker();
    expect(
      await worker.evaluate(() => [({} as Record<string, unknown>).polluted, Object.keys(Object.prototype)]),
    ).toEqual([null, []]);
    await nothingHappened();
  });

  test('replies that a page makes up move nothing in the wallet, and its own question is answered all the same', async () => {
    const request = paymentRequest();
    await say(page, request);
    const approval = await readyApproval(scene.wallet);
    await say(page, { to: 'page', id: request.id, result: { payment: { status: 'COMPLETED' } } });
    await say(page, { to: 'page', event: 'wallet-present' });
    await fence(page);
    expect((await payments()).find(({ requestId }) => requestId === request.id)?.state).toBe('requested');
    const heard = await page.evaluate(
      (id) => (window as unknown as RawWindow).heard.filter((one) => one.id === id),
      request.id,
    );
    expect(heard).toHaveLength(1); // the forged one; the wallet's own follows
    await approval.close();
    await page.waitForFunction(
      (id) =>
        (window as unknown as RawWindow).heard.filter((one) => one.id === id)[1]?.error?.code === 'approval-closed',
      { polling: 20 },
      request.id,
    );
  });

  test('one request fifty times over is one window and one payment', async () => {
    const paidBefore = (await scene.paid()).length;
    const request = paymentRequest();
    const ids = await page.evaluate(
      (sent) =>
        Array.from({ length: 50 }, (_, i) => {
          const id = `${sent.id}-${i}`;
          (window as unknown as RawWindow).say({ ...sent, id });
          return id;
        }),
      request,
    );
    await approve(scene.wallet);
    const txids = new Set<unknown>();
    for (const id of ids) txids.add(((await replyTo(page, id)).result?.payment as { txid?: string } | undefined)?.txid);
    expect(txids.size).toBe(1);
    expect([...txids][0]).toMatch(/^[0-9a-f]{64}$/);
    // And once more, long after.
    const late = await answerTo(page, { ...request, id: freshId() });
    expect(late.result?.payment).toMatchObject({ txid: [...txids][0] });
    expect((await scene.paid()).length).toBe(paidBefore + 1);
    expect(await walletNow()).toMatchObject({ payments: before.payments + 1, approvals: before.approvals + 1 });
  });

  test('an id that was used for one payment is refused for another', async () => {
    const request = paymentRequest();
    await say(page, request);
    await approve(scene.wallet);
    expect((await replyTo(page, request.id)).result).toBeDefined();
    const dearer = paymentRequest(request.id, { outputs: [{ to: ADDRESS, amount: '0.20', currency: 'USD' }] });
    expect((await answerTo(page, { ...dearer, id: freshId() })).error?.code).toBe('request-id-reused');
    expect(await walletNow()).toMatchObject({ payments: before.payments + 1, approvals: before.approvals + 1 });
  });

  test('the same id from another site is another payment', async () => {
    const request = paymentRequest();
    await say(page, request);
    await approve(scene.wallet);
    const mine = (await replyTo(page, request.id)).result?.payment;
    const other = await startSite();
    other.page('/', rawPage());
    const elsewhere = await scene.wallet.browser.newPage();
    await elsewhere.goto(`${other.origin}/`);
    await say(elsewhere, request);
    const approval = await readyApproval(scene.wallet);
    expect(await approval.$eval('[data-part=origin]', (shown) => shown.textContent)).toBe(other.origin);
    expect(mine).toBeDefined();
    await elsewhere.close();
    await other.stop();
  });

  test('after all this an honest swipe pays', async () => {
    const paidBefore = (await scene.paid()).length;
    const shop = await scene.shop();
    await swipe(shop, await buttonIn(shop, 'ready'));
    await approve(scene.wallet);
    await buttonIn(shop, 'done');
    await shop.close();
    expect((await scene.paid()).length).toBe(paidBefore + 1);
  });
}
