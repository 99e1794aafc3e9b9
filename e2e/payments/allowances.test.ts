/** Tests allowances in the real extension: granted with a payment or on request, used, and revoked in the popup. */
import { expect, test, vi } from 'vitest';
import { allowanceTexts as t } from '../../extension/ui/texts/texts.ts';
import { allow } from '../drive/allow.ts';
import { press, sees } from '../../tooling/drive/onboarding.ts';
import { answerTo, freshId, paymentRequest, replyTo, say } from '../drive/raw-page.ts';
import { approve, refuse } from '../../tooling/drive/wallet.ts';
import {
  useAllowanceScene,
  CLIENT,
  scene,
  visits,
  openSite,
  click,
  automatic,
  windows,
  allowances,
  grant,
} from './allowances-stage.ts';

useAllowanceScene();

test('an allowance granted with a payment pays the next click without a window, until it is revoked in the popup', async () => {
  const { site, page } = await openSite();
  const paidBefore = (await scene.paid()).length;
  const first = await click(page, paymentRequest());
  await allow(scene.wallet, '1');
  await approve(scene.wallet);
  const reply = await replyTo(page, first);
  expect(reply.result).toMatchObject({
    payment: { status: 'RECEIVED' },
    cryptoOperations: [],
    token: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(await allowances(site)).toMatchObject([{ kind: 'swipe', id: reply.result?.token, spent: '0', payments: 0 }]);

  const before = windows();
  const second = await click(page, paymentRequest());
  expect((await replyTo(page, second)).result).toMatchObject({ payment: { satoshis: '200000' } });
  expect(windows()).toBe(before);
  expect((await scene.paid()).length).toBe(paidBefore + 2);
  // 0.10 USD and a fee of a few satoshis, at 50 USD per BSV.
  const [used] = await allowances(site);
  expect(used?.payments).toBe(1);
  expect(Number(used?.spent)).toBeGreaterThan(10_000_000);
  expect(Number(used?.spent)).toBeLessThan(10_010_000);

  const popup = await scene.wallet.open('popup');
  visits.closeLater(popup);
  await press(popup, t.sites);
  await (await popup.waitForSelector(`details[data-site="${site.origin}"] summary`))?.click();
  await sees(popup, 'this week');
  await press(popup, t.revoke);
  await press(popup, t.revokeSure);
  await vi.waitFor(async () => expect(await allowances(site)).toEqual([]));

  const third = await click(page, paymentRequest());
  await refuse(scene.wallet);
  expect((await replyTo(page, third)).error?.code).toBe('refused');
});

test('a site requests an automatic allowance, pays by it without a window or a user gesture, and reads the remainder', async () => {
  const { site, page } = await openSite();
  const question = {
    id: freshId(),
    method: 'allowance/ask',
    params: {
      clientIdentifier: CLIENT,
      suggestedAmount: { amount: '0.25', currency: 'USD' },
      minimumAmount: { amount: '0.1', currency: 'USD' },
    },
  };
  await say(page, question);
  await grant();
  const { result } = await replyTo(page, question.id);
  expect(await allowances(site)).toMatchObject([{ kind: 'automatic', id: result?.token, payments: 0 }]);

  const before = windows();
  const paidBefore = (await scene.paid()).length;
  const asked = [automatic(), automatic()];
  for (const request of asked) await say(page, request);
  for (const request of asked)
    expect((await replyTo(page, request.id)).result).toMatchObject({ payment: { status: 'RECEIVED' } });
  expect(windows()).toBe(before);
  expect((await scene.paid()).length).toBe(paidBefore + 2);

  const left = async (clientIdentifier = CLIENT) =>
    (await answerTo(page, { id: freshId(), method: 'allowance/left', params: { clientIdentifier } } as { id: string }))
      .result;
  const rest = await left();
  expect(rest?.currency).toBe('USD');
  expect(Number(rest?.amount)).toBeGreaterThan(0.049);
  expect(Number(rest?.amount)).toBeLessThan(0.05);
  expect(rest?.satoshis).toBe(String(Math.floor(Number(rest?.amount) * 2_000_000)));
  expect(await left('another')).toMatchObject({ amount: '0', satoshis: '0' });

  // The allowance does not cover the third payment, so a window opens. Its form for a new allowance is expanded.
  const third = automatic();
  await say(page, third);
  const approval = await allow(scene.wallet, '2');
  expect(await approval.evaluate(() => document.body.innerText)).toContain(t.short['used-up']);
  await approve(scene.wallet);
  expect((await replyTo(page, third.id)).result).toMatchObject({
    payment: { status: 'RECEIVED' },
    token: expect.not.stringContaining(String(result?.token)),
  });
  const fourth = automatic();
  await say(page, fourth);
  expect((await replyTo(page, fourth.id)).result).toMatchObject({ payment: { status: 'RECEIVED' } });
  expect(windows()).toBe(before + 1);

  // Another port on the same machine is a different site.
  const { page: other } = await openSite();
  await say(other, automatic());
  await refuse(scene.wallet);
});
