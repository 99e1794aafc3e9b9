/** Tests pages from the original service's documentation, with only the script's address and names changed. */
import { expect, test } from 'vitest';
import { ADDRESS } from '../drive/scene.ts';
import { approve, ask, buttonIn, readyApproval, swipe } from '../../tooling/drive/wallet.ts';
import { useOriginalPages, scene, page, visit, log } from './original-pages-stage.ts';

useOriginalPages();

async function paySwiped(nth = 0): Promise<void> {
  await swipe(page, await buttonIn(page, 'ready', nth));
  await approve(scene.wallet);
  await buttonIn(page, 'done', nth);
}

test('attributes set a price, a tip and the names of callbacks', async () => {
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

test('an IMB page gets an allowance in one window and then pays automatically, even if a callback throws', async () => {
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
  // The form contains the page's suggestion, and the button shows the allowance.
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

  // A site with an allowance receives the user's identity, so the button can show that users pay themselves.
  const { account } = await ask(scene.page, 'wallet/overview', {});
  await visit(
    `<div class='service-button' data-to='${account!.paymail}' data-amount='0.50'></div><script src='${scene.publicUrl}/button.js'></script>`,
  );
  await page.waitForFunction(
    () =>
      document.querySelector('.service-button')?.shadowRoot?.querySelector('.cost')?.textContent === 'You pay yourself',
  );
});
