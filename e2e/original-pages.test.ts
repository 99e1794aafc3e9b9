/**
 * Pages in the style of the original service's documentation, with the script's address and the names changed, and
 * nothing else.
 */
import { afterEach, expect, test } from 'vitest';
import type { ElementHandle, Page } from 'puppeteer-core';
import type { CryptoResult, Payment } from '../protocol/payment.ts';
import { ADDRESS, setScene, type Scene } from './drive/scene.ts';
import { onStage } from './drive/stage.ts';
import { approve, ask, buttonIn, readyApproval, swipe } from './drive/wallet.ts';

let scene: Scene;
let page: Page;

onStage(
  async () => {
    scene = await setScene({ satoshis: 20_000_000 });
  },
  () => scene?.end(),
);
afterEach(async () => {
  await page?.close();
  await scene.wallet.noApproval();
});

/** Opens a page of somebody's site. */
async function visit(body: string): Promise<void> {
  scene.site.page(
    '/',
    `<!doctype html>\n<html>\n<head><title>My page</title></head>\n<body>\n${body}\n</body>\n</html>`,
  );
  page = await scene.wallet.browser.newPage();
  await page.goto(`${scene.site.origin}/`);
}
/** What a page's callbacks noted in `window.log`, once there is so much of it. */
async function log<T = [name: string, given: Payment]>(length: number): Promise<T[]> {
  await page.waitForFunction(
    (wanted) => (window as unknown as { log: unknown[] }).log.length >= wanted,
    { polling: 20 },
    length,
  );
  return page.evaluate(() => (window as unknown as { log: unknown[] }).log) as Promise<T[]>;
}
async function paySwiped(nth = 0): Promise<void> {
  await swipe(page, await buttonIn(page, 'ready', nth));
  await approve(scene.wallet);
  await buttonIn(page, 'done', nth);
}

test('attributes: a price, a tip, callbacks by their names', async () => {
  await visit(`
    <div class='service-button'
      data-to='${ADDRESS}'
      data-amount='.01'
      data-currency='USD'
      data-label='Buy the song'
      data-client-identifier='some public client identifier'
      data-button-id='234325'
      data-button-data='{"song": 7}'
      data-type='buy'
      data-on-payment='myCustomCallback'
      data-on-error='myErrorCallback'
      data-on-load='myLoadCallback'
      data-editable='false'
      data-disabled='false'
      data-dev-mode='false'
      data-outputs='[]'
      data-crypto-operations='[]'></div>
    <div class='service-button' data-to='${ADDRESS}' data-amount='1.' data-currency='XXXXX' data-on-error='myErrorCallback'></div>
    <script>
      var log = [];
      function myCustomCallback (payment) { log.push(['payment', payment]) }
      function myErrorCallback (error) { log.push(['error', error]) }
      function myLoadCallback () { log.push(['load']) }
    </script>
    <script src='${scene.publicUrl}/button.js'></script>`);
  await buttonIn(page, 'failed', 1);
  await paySwiped();
  const [load, paid, ...more] = await log(2);
  expect([load, paid?.[0], more]).toEqual([['load'], 'payment', []]);
  expect(paid?.[1]).toMatchObject({
    amount: '0.01',
    currency: 'USD',
    satoshis: '20000',
    buttonId: '234325',
    buttonData: '{"song": 7}',
    status: 'RECEIVED',
    outputs: [{ to: ADDRESS, amount: '0.01' }],
    paymentOutputs: [{ to: ADDRESS, amount: '0.01' }],
  });
});

test('serviceButton.render: numbers and functions', async () => {
  await visit(`
    <div id='my-service-button'></div>
    <script src='${scene.publicUrl}/button.js'></script>
    <script>
      const log = window.log = []
      const div = document.getElementById('my-service-button')
      serviceButton.render(div, {
        outputs: [{ type: 'ADDRESS', address: '${ADDRESS}', amount: 1e-7, currency: 'BSV' }],
        label: 'Wait...',
        clientIdentifier: 'some public client identifier',
        buttonId: 234325,
        buttonData: '{}',
        type: 'tip',
        onPayment: function (payment) { log.push(['payment', payment, this === window]) },
        onError: function (error) { log.push(['error', error]) }
      })
    </script>`);
  await page.waitForSelector('#my-service-button[data-state=ready]');
  await swipe(page, (await page.$('#my-service-button')) as ElementHandle<HTMLElement>);
  await approve(scene.wallet);
  expect(await log(1)).toMatchObject([
    ['payment', { amount: '0.0000001', currency: 'BSV', satoshis: '10', buttonId: '234325' }, true],
  ]);
});

test('IMB: one window gives the allowance, then pages pay by themselves; a callback that throws loses no payment', async () => {
  await visit(`
    <button id='go' onclick='changeColor()'>Go</button>
    <script src='${scene.publicUrl}/button.js'></script>
    <script>
      const log = window.log = []
      const imb = new serviceButton.IMB({
        clientIdentifier: 'some public client identifier',
        suggestedAmount: { amount: '1', currency: 'USD' },
        minimumAmount: { amount: '0', currency: 'USD' },
        onNewPermissionGranted: function (token) { log.push(['granted', typeof token, this === window]); throw new Error('no storage') }
      })
      function changeColor () {
        imb.swipe({
          to: '${ADDRESS}',
          amount: '.01',
          currency: 'USD',
          onPayment: (payment) => log.push(['payment', payment.amount]),
          onError: (error) => log.push(['error', error.code])
        }).then(({ payment }) => log.push(['then', payment.status]))
      }
    </script>`);
  await page.bringToFront();
  await page.click('#go');
  // The page's suggestion is in the form, and the button names the allowance.
  const approval = await readyApproval(scene.wallet);
  expect(await approval.$eval('[data-part=allowance-amount]', (field) => (field as HTMLInputElement).value)).toBe('1');
  expect(await approval.$eval('button[data-action=pay]', (button) => button.textContent)).toMatch(
    /and allow \$1\.00 a week$/,
  );
  await approve(scene.wallet);
  expect(await log(3)).toEqual([
    ['granted', 'string', true],
    ['payment', '0.01'],
    ['then', 'RECEIVED'],
  ]);
  const windows = scene.wallet.approvalCount().ever;
  await page.bringToFront();
  await page.click('#go');
  expect((await log(5)).slice(3)).toEqual([
    ['payment', '0.01'],
    ['then', 'RECEIVED'],
  ]);
  expect(scene.wallet.approvalCount().ever).toBe(windows);

  // A site with an allowance can know whom it belongs to: what goes to nobody else costs the fee alone.
  const { account } = await ask(scene.page, 'wallet/overview', {});
  await visit(
    `<div class='service-button' data-to='${account!.paymail}' data-amount='0.50'></div><script src='${scene.publicUrl}/button.js'></script>`,
  );
  await page.waitForFunction(
    () => document.querySelector('.service-button')?.shadowRoot?.querySelector('.amount')?.textContent === '$0.00',
  );
});

test('a script helper that encodes each push, and the variables with it', async () => {
  await visit(`
    <div id='my-service-button'></div>
    <script src='${scene.publicUrl}/button.js'></script>
    <script>
      const log = window.log = []
      const hex = (text) => Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
      const createOutputScript = (...pushes) => ['OP_FALSE', 'OP_RETURN', ...pushes.map(hex)].join(' ')
      serviceButton.render(document.getElementById('my-service-button'), {
        label: 'Post, signed',
        outputs: [
          { script: createOutputScript('19HxigV4QyBv3tHpQVcUEQyq1pzZVdoAut', 'Hello!', 'text/plain', '#{mySignature}'), amount: '0', currency: 'USD' },
          { to: '${ADDRESS}', amount: '0.01', currency: 'USD' }
        ],
        cryptoOperations: [{ name: 'mySignature', method: 'sign', data: 'Hello!', dataEncoding: 'utf8', valueEncoding: 'utf8', key: 'identity', algorithm: 'bitcoin-signed-message' }],
        preserveOrder: true,
        onPayment (payment) { log.push(['payment', payment]) },
        onCryptoOperations (operations) { log.push(['operations', operations]) },
        onError (error) { log.push(['error', error]) }
      })
    </script>`);
  await page.waitForSelector('#my-service-button[data-state=ready]');
  await swipe(page, (await page.$('#my-service-button')) as ElementHandle<HTMLElement>);
  await approve(scene.wallet);
  const [[, [signed]], [, payment]] = (await log<unknown>(2)) as [[string, CryptoResult[]], [string, Payment]];
  const written = Buffer.from(payment.rawtx, 'hex').toString('latin1');
  expect(written).toContain(`text/plain\x4c\x58${signed!.value}`); // OP_PUSHDATA1, 88 characters
  expect(written).not.toContain('#{');
});
