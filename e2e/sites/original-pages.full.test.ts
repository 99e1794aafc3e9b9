import { expect, test } from 'vitest';
import type { ElementHandle } from 'puppeteer-core';
import type { CryptoResult, Payment } from '../../protocol/payments/payment.ts';
import { ADDRESS } from '../drive/scene.ts';
import { approve, swipe } from '../../tooling/drive/wallet.ts';
import { useOriginalPages, scene, page, visit, log } from './original-pages-stage.ts';

useOriginalPages();

test('serviceButton.render takes numbers and functions', async () => {
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

test('a page’s own helper encodes each push of a script, including its variables', async () => {
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
  expect(written).toContain(`text/plain\x4c\x58${signed!.value}`); // OP_PUSHDATA1 with 88 bytes
  expect(written).not.toContain('#{');
});
