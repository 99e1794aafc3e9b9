import { describe, expect, test } from 'vitest';
import type { Payment } from '../../protocol/payments/payment.ts';
import { ADDRESS } from '../drive/scene.ts';
import { approve, buttonIn, swipe, readyApproval, refuse } from '../../tooling/drive/wallet.ts';
import { useShopPages, PAYS, scene, page, visit, payments, states, pay } from './pages-stage.ts';

useShopPages();

describe('a button pays', () => {
  test('[S-11] [R-04] a script output', async () => {
    await visit(
      `<div class="service-button" data-to="OP_DUP OP_HASH160 344a0f48ca150ec2b903817660b9b68b13a67026 OP_EQUALVERIFY OP_CHECKSIG" data-amount="0.01" data-on-payment="onPay"></div>`,
    );
    await pay();
    expect((await payments())[0]).toMatchObject({ outputs: [{ type: 'SCRIPT', satoshis: '20000' }] });
  });

  test('[R-24] [R-25] the typed amount if it is editable', async () => {
    await visit(
      `<div class="service-button" data-editable="true" data-amount="9" data-to="nobody@example.com" data-on-payment="onPay"></div>`,
    );
    const host = await buttonIn(page, 'ready');
    const field = async (nth: number, text: string) => {
      await page.evaluate((n) => {
        const input = document.querySelector('.service-button')!.shadowRoot!.querySelectorAll('input')[n]!;
        input.focus();
        input.select();
      }, nth);
      await page.keyboard.type(text);
    };
    await swipe(page, host); // a button without an amount doesn't query the wallet
    expect(await states()).toEqual(['ready']);
    await field(0, ADDRESS);
    await field(1, '0,04');
    await pay();
    expect((await payments())[0]).toMatchObject({ amount: '0.04', currency: 'USD', outputs: [{ address: ADDRESS }] });
    const locked = () =>
      page.$eval('.service-button', (shown) =>
        [...shown.shadowRoot!.querySelectorAll('input')].every((input) => input.disabled),
      );
    expect(await locked()).toBe(true);
    await page.$eval('.service-button', (shown) => shown.shadowRoot!.querySelector('button')!.click());
    await buttonIn(page, 'ready');
    expect(await locked()).toBe(false);
  });

  test('[C-02] [A-08] [A-14] a payment with crypto operations, and returns their results before the payment and within it', async () => {
    const keep = 'function onRun(results) { errors.push(payments.length); window.results = results; }';
    await visit(
      `<div class="service-button" ${PAYS} data-on-crypto-operations="onRun" data-crypto-operations='[{"name":"mark","method":"sign","data":"x"},{"name":"key","method":"public-key"}]'></div>`,
      { before: `<script>${keep}</script>` },
    );
    await pay();
    const { results, errors } = await page.evaluate(() => {
      const { results, errors } = window as unknown as { results: Payment['cryptoOperations']; errors: unknown[] };
      return { results, errors };
    });
    expect(errors).toEqual([0]); // the results arrived before any payment
    expect(results).toMatchObject([
      { id: '1', name: 'mark', method: 'sign', data: 'x', algorithm: 'bitcoin-signed-message' },
      { id: '2', name: 'key', valueEncoding: 'hex' },
    ]);
    expect((await payments()).map(({ cryptoOperations }) => cryptoOperations)).toEqual([results]);
  });

  test('the button shows the fee that the wallet reports', async () => {
    await visit(`<div class="service-button" ${PAYS}></div>`);
    await buttonIn(page, 'ready');
    await page.waitForFunction(() =>
      /^fee <\s\$0\.01$/.test(
        document.querySelector('.service-button')!.shadowRoot!.querySelector('.cost')!.textContent ?? '',
      ),
    );
  });
});

describe('an invalid button', () => {
  test('[C-07] fails before it can be swiped if the wallet finds the error, otherwise at the first swipe, without calling data-on-error', async () => {
    const bad = (attributes: string) => `<div class="service-button" data-on-error="onFail" ${attributes}></div>`;
    await visit(
      [
        bad(`data-to="${ADDRESS}" data-amount="1" data-currency="QQQ"`),
        bad('data-to="1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" data-amount="1"'),
        bad(`data-to="${ADDRESS}" data-amount="0.00000001"`),
        bad(`data-crypto-operations='[{"name":"mark","method":"sign","data":"x","valueEncoding":"hex"}]'`),
      ].join(''),
    );
    for (const nth of [0, 1, 2]) await buttonIn(page, 'failed', nth);
    await swipe(page, await buttonIn(page, 'ready', 3));
    await buttonIn(page, 'failed', 3);
    expect(
      await page.$$eval('.service-button', (hosts) => hosts.map((host) => (host as HTMLElement).dataset.reason)),
    ).toEqual(['invalid-currency', 'invalid-recipient', 'amount-too-small', 'invalid-crypto-operation']);
    expect(await page.evaluate(() => (window as unknown as { errors: unknown[] }).errors)).toEqual([]);
    expect(await scene.wallet.approvals()).toHaveLength(0);
  });
});

describe('several buttons', () => {
  test.each([
    ['on the script element', `data-observe="false"`, ''],
    ['by JavaScript', '', '<script>serviceButton.observe(false)</script>'],
  ])('new buttons are found only by a scan if the page turns the observer off %s', async (_, attribute, after) => {
    await visit(`<div class="service-button" ${PAYS}></div>`, {
      script: `<script ${attribute} src="${scene.publicUrl}/button.js"></script>`,
      after,
    });
    await buttonIn(page, 'ready');
    await page.evaluate(async (to) => {
      const late = document.createElement('div');
      late.className = 'service-button';
      Object.assign(late.dataset, { to, amount: '1' });
      document.body.append(late);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }, ADDRESS);
    expect(await states()).toEqual(['ready', '']);
    await page.evaluate(() => window.serviceButton!.scan());
    await buttonIn(page, 'ready', 1);
  });
});

test('two copies of the script render one button and make one payment', async () => {
  const again = `<script src="${scene.publicUrl}/button.js"></script>`;
  await visit(`<div class="service-button" ${PAYS}></div>`, { before: again, after: again });
  await pay();
  expect(await payments()).toHaveLength(1);
  expect(await scene.wallet.approvals()).toHaveLength(0);
});

describe('a page that changed built-in objects', () => {
  test.each([
    [
      'toJSON on arrays and text, as an old library did',
      `
      Array.prototype.toJSON = function () { return '[' + this.map(String).join(', ') + ']'; };
      String.prototype.toJSON = function () { return '"' + this + '"'; };`,
    ],
    [
      'names in the window that the button might use',
      `window.name = 'x'; window.status = 'y'; window.parts = window.template = window.sheet = window.fill = window.make = 1; window.Observer = window.PaymentError = null;`,
    ],
    [
      'a document that was extended',
      `Element.prototype.make = Node.prototype.draw = () => { throw new Error('mine'); }; HTMLElement.prototype.show = 1;`,
    ],
    [
      'timers and frames that were wrapped',
      `const later = setTimeout; window.setTimeout = function (run, ...rest) { return later(() => run(), ...rest); }; window.requestAnimationFrame = null;`,
    ],
    [
      'listeners that are wrapped',
      `const add = EventTarget.prototype.addEventListener; EventTarget.prototype.addEventListener = function (type, heard, ...rest) { return add.call(this, type, heard && ((event) => (heard.handleEvent ? heard.handleEvent(event) : heard.call(this, event))), ...rest); };`,
    ],
    ['a Promise of its own', `const Native = Promise; window.Promise = class Promise extends Native {};`],
    [
      'collections with more methods',
      `Map.prototype.has = function (key) { return [...this.keys()].includes(key); }; Array.prototype.first = function () { return this[0]; }; Array.prototype.contains = 1;`,
    ],
  ])('%s', async (_, script) => {
    await visit(`<div class="service-button" ${PAYS} data-button-id="odd"></div>`, {
      before: `<script>${script}</script>`,
    });
    await pay();
    expect((await payments()).map(({ buttonId }) => buttonId)).toEqual(['odd']);
  });
});

test('properties that a page added to Object.prototype are not read as options or responses', async () => {
  // Puppeteer fails on a page with these properties, so the page itself swipes, then deletes the properties.
  const names = `{ to: 'nobody', paymail: 'x@example.com', error: { code: 'x' }, default: 1, channel: 'other', amount: '9', currency: 'XXX', outputs: [] }`;
  await visit(`<div class="service-button" ${PAYS} data-button-id="odd" data-on-load="go"></div>`, {
    before: `<script>
      const names = ${names};
      Object.assign(Object.prototype, names);
      function go() {
        document.querySelector('.service-button').shadowRoot.querySelector('[role=slider]').dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
        for (const name of Object.keys(names)) delete Object.prototype[name];
      }</script>`,
  });
  await approve(scene.wallet);
  await buttonIn(page, 'done');
  expect((await payments()).map(({ buttonId, amount }) => [buttonId, amount])).toEqual([['odd', '0.01']]);
});

test('a page renders a button in a frame of its own origin', async () => {
  await visit('<iframe title="Empty"></iframe>');
  await page.evaluate((to) => {
    const { contentDocument } = document.querySelector('iframe')!;
    const host = contentDocument!.createElement('div');
    contentDocument!.body.append(host);
    window.serviceButton!.render(host, { to, amount: '1' });
  }, ADDRESS);
  const frame = await (await page.waitForSelector('iframe'))!.contentFrame();
  await frame.waitForSelector('[data-state=ready]');
  expect(await frame.$eval('[data-state]', (host) => host.getBoundingClientRect().height)).toBe(48);
});

describe('several buttons', () => {
  test('are paid separately', async () => {
    await visit(
      `<div class="service-button" ${PAYS} data-button-id="a"></div><div class="service-button" ${PAYS} data-button-id="b"></div>`,
    );
    await pay(1);
    expect(await states()).toEqual(['ready', 'done']);
    await pay(0);
    expect((await payments()).map(({ buttonId }) => buttonId)).toEqual(['b', 'a']);
  });

  test('can be added later, changed, moved and removed', async () => {
    await visit(`<div class="service-button" ${PAYS}></div><main></main>`);
    await buttonIn(page, 'ready');
    await page.evaluate((to) => {
      const late = document.createElement('p');
      late.innerHTML = `<span><div class="service-button" data-to="${to}" data-amount="3"></div></span>`;
      document.body.append(late);
    }, ADDRESS);
    await buttonIn(page, 'ready', 1);
    const amount = (n: number) =>
      page.$$eval(
        '.service-button',
        (hosts, i) => hosts[i]!.shadowRoot!.querySelector('[part=amount]')!.textContent,
        n,
      );
    expect(await amount(1)).toBe('$3.00');
    await page.$$eval('.service-button', ([, host]) => host!.setAttribute('data-amount', '4'));
    await page.waitForFunction(
      () =>
        document.querySelectorAll('.service-button')[1]!.shadowRoot!.querySelector('[part=amount]')!.textContent ===
        '$4.00',
    );
    await page.$$eval('.service-button', ([, host]) => document.querySelector('main')!.append(host!));
    await buttonIn(page, 'ready', 1);
    const gone = await page.$$eval('.service-button', async ([, host]) => {
      host!.remove();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return (host as HTMLElement).dataset.state;
    });
    expect(gone).toBeUndefined();
    await pay(0);
  });
});

test('leaving a page cancels its pending payment, and the next swipe is a new one', async () => {
  scene.site.page('/elsewhere', '<!doctype html><title>Elsewhere</title>');
  await visit(`<div class="service-button" ${PAYS}></div>`);
  await swipe(page, await buttonIn(page, 'ready'));
  await readyApproval(scene.wallet);
  await page.goto(`${scene.site.origin}/elsewhere`);
  await scene.wallet.noApproval();
  await page.goto(`${scene.site.origin}/`);
  await swipe(page, await buttonIn(page, 'ready'));
  await refuse(scene.wallet);
  await buttonIn(page, 'error');
});
