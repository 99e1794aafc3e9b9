/**
 * Tests that the wallet doesn't sign data for a page if the signature would be valid in a different context, such as a
 * transaction.
 */
import { PrivateKey } from '@bsv/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { balanceMessage } from '../../protocol/signed-messages/balance-message.ts';
import { paymentDestinationMessage } from '../../protocol/http/paymail.ts';
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import { createTestReport } from '../../server/payment-reports/testing-report.ts';
import { answerTo, fence, freshId, paymentRequest, rawPage } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import { startSite, type Site } from '../drive/site.ts';
import { ask, stored } from '../../tooling/drive/wallet.ts';

export function operations(stage: () => Scene): void {
  let scene: Scene;
  let site: Site;
  let page: Page;

  beforeEach(async () => {
    scene = stage();
    site = await startSite();
    site.page('/', rawPage());
    page = await scene.wallet.browser.newPage();
    await page.goto(`${site.origin}/`);
  });
  afterEach(async () => {
    await page.close();
    await scene.wallet.noApproval();
    await site.stop();
  });

  test('the wallet doesn’t sign a transaction, a sign-in text, a paymail message or its own texts as data, opens no window and stores nothing', async () => {
    const { account } = await ask(scene.page, 'wallet/overview', {});
    const publicKey = PrivateKey.fromRandom().toPublicKey().toString();
    const {
      report: { rawtx },
      txid,
    } = createTestReport([1000n], publicKey);
    const now = new Date();
    const times = {
      nonce: 'n'.repeat(32),
      issuedAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + 600_000).toISOString(),
    };
    const texts = {
      'a transaction, as text': rawtx,
      'a transaction id': txid,
      'to sign in here': signInMessage({ origin: scene.publicUrl, publicKey, ...times }),
      'to sign in elsewhere': signInMessage({ origin: 'https://bank.example', publicKey, ...times }),
      'to sign in at the page itself': signInMessage({ origin: site.origin, publicKey, ...times }),
      'a paymail sender': paymentDestinationMessage({
        senderHandle: account?.paymail ?? '',
        amount: 1000,
        dt: now.toISOString(),
        purpose: 'rent',
      }),
      'a balance': balanceMessage({
        origin: scene.publicUrl,
        userId: account?.id ?? '',
        satoshis: '1',
        time: now.toISOString(),
      }),
    };
    const all = [
      ...Object.entries(texts).flatMap(([what, data]) => [
        { what, data },
        { what: `${what}, in hex`, data: Buffer.from(data).toString('hex'), dataEncoding: 'hex' },
      ]),
      { what: 'a transaction', data: rawtx, dataEncoding: 'hex' },
    ];
    const [payments, windows] = [(await stored(scene.page, 'payments')).length, scene.wallet.approvalCount().ever];
    for (const { what, ...data } of all) {
      const operation = { name: 'signature', method: 'sign', ...data };
      // Requests the operation by itself, and together with a harmless operation.
      for (const options of [
        { outputs: [], cryptoOperations: [operation] },
        { cryptoOperations: [{ name: 'me', method: 'paymail' }, operation] },
      ]) {
        expect((await answerTo(page, { ...paymentRequest(freshId(), options), id: freshId() })).error?.code, what).toBe(
          'forbidden-data',
        );
      }
    }
    await fence(page);
    expect(scene.wallet.approvalCount().ever).toBe(windows);
    expect((await stored(scene.page, 'payments')).length).toBe(payments);
    expect((await stored(scene.page, 'prompts')).filter(({ origin }) => origin === site.origin)).toEqual([]);
  });
}
