/**
 * Tests a tip from the visitor's choice to the seller's webhook. The amount and the note must remain unchanged at each
 * step.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { expect, test, vi } from 'vitest';
import type { Payment } from '../../protocol/payments/payment.ts';
import { verifyWebhook } from '../../server/sdk/index.ts';
import { createTestWallet } from '../../server/testing.ts';
import { ADDRESS, setScene, type Scene } from '../drive/scene.ts';
import { postJson } from '../../tooling/drive/service.ts';
import { onStage } from '../drive/stage.ts';
import { allowSwipesOnAnySite, swipeInFrame } from '../../tooling/drive/trusted-swipe.ts';
import { approve, ask, buttonIn, readyApproval, swipe } from '../../tooling/drive/wallet.ts';

interface Hook {
  headers: IncomingHttpHeaders;
  body: string;
}
interface Application {
  clientIdentifier: string;
  webhookSecret: string;
}

const NOTE = 'Thank you for the dunes';
let scene: Scene;
let receiver: Server;
let hooks: Hook[];
let application: Application;
/** The seller's session cookie for the service's pages. */
let cookie: string;

onStage(
  async () => {
    hooks = [];
    scene = await setScene({ satoshis: 20_000_000 });
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        hooks.push({ headers: request.headers, body });
        response.end();
      });
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    await registerSeller(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
  },
  async () => {
    receiver?.close();
    await scene?.end();
  },
);

async function registerSeller(webhookUrl: string): Promise<void> {
  const wallet = createTestWallet();
  const service = scene.publicUrl;
  const challenge = (more: object = {}) =>
    postJson<{ nonce: string; message: string }>(`${service}/api/v2/sign-in/challenges`, {
      publicKey: wallet.publicKey,
      ...more,
    });
  const first = await challenge({ register: wallet.registration('seller', 'Seller') });
  const { accessToken } = await postJson<{ accessToken: string }>(`${service}/api/v2/users`, {
    publicKey: wallet.publicKey,
    nonce: first.nonce,
    signature: wallet.sign(first.message),
  });
  const made = await fetch(`${service}/api/v2/me/applications`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Tips', url: 'https://tips.example', webhookUrl }),
  });
  ({ application } = (await made.json()) as { application: Application });
  const second = await challenge();
  const signedIn = await fetch(`${service}/api/v2/sign-in`, {
    method: 'POST',
    headers: { Origin: service, 'Content-Type': 'application/json' },
    body: JSON.stringify({ publicKey: wallet.publicKey, nonce: second.nonce, signature: wallet.sign(second.message) }),
  });
  [cookie = ''] = signedIn.headers.getSetCookie()[0]?.split(';') ?? [];
}

const openTips = (): Promise<Page> =>
  scene.shop({
    amount: '',
    label: 'Tip',
    type: 'tip',
    presets: '1 5 20',
    min: '0.50',
    max: '100',
    'client-identifier': application.clientIdentifier,
  });

/** Picks the preset with this text or types an amount, then writes a note. */
async function choose(page: Page, preset: string | null, typed = ''): Promise<void> {
  const host = await buttonIn(page, 'ready');
  const root = await host.evaluateHandle(({ shadowRoot }) => shadowRoot!);
  const fields = await (root as unknown as Page).$$('input');
  if (preset === null) await fields[0]!.type(typed);
  else
    for (const button of await (root as unknown as Page).$$('button[part=preset]'))
      if ((await button.evaluate(({ textContent }) => textContent)) === preset) await button.click();
  await fields[1]!.type(NOTE);
}

async function paidOn(page: Page): Promise<Payment> {
  await buttonIn(page, 'done');
  const payments = await page.evaluate(() => (window as unknown as { payments: Payment[] }).payments);
  expect(payments).toHaveLength(1);
  return payments[0]!;
}

async function expectEverywhere(payment: Payment, amount: string): Promise<void> {
  const expected = { id: payment.id, amount, currency: 'USD', payerNote: NOTE };
  expect(payment).toMatchObject(expected);
  const received = await vi.waitFor(
    () => {
      const found = hooks.find(({ body }) => body.includes(payment.id));
      if (!found) throw new Error('no webhook');
      return found;
    },
    { interval: 200 },
  );
  const event = verifyWebhook(received.headers, received.body, application.webhookSecret);
  expect(event).toMatchObject({ payment: expected });
  const shown = await (
    await fetch(`${scene.publicUrl}/account/payments/${payment.id}`, { headers: { Cookie: cookie } })
  ).text();
  expect(shown).toContain(NOTE);
  expect(shown).toMatch(new RegExp(`>(?:${amount}|${Number(amount).toFixed(2)}) USD<`));
  const details = await ask(scene.page, 'activity/read', { id: payment.id });
  expect(JSON.stringify(details)).toContain(NOTE);
}

test.each([
  ['a preset', '$5.00', '', '5'],
  ['a typed amount', null, '2,50', '2.50'],
] as const)(
  'the window, the page, the webhook and the seller’s payment page have %s and the note',
  async (_, preset, typed, amount) => {
    const page = await openTips();
    await choose(page, preset, typed);
    await swipe(page, await buttonIn(page, 'ready'));
    const approval = await readyApproval(scene.wallet);
    const shown = await approval.evaluate(() => document.body.innerText);
    expect(shown).toContain(preset ?? '$2.50');
    expect(shown).toContain(NOTE);
    expect(shown).toContain(ADDRESS.slice(0, 6));
    await approve(scene.wallet);
    await expectEverywhere(await paidOn(page), amount);
    await page.close();
  },
);

test('the wallet’s own track pays a chosen amount with its note', async () => {
  await allowSwipesOnAnySite(scene.page);
  const page = await openTips();
  await choose(page, null, '0.75');
  const before = scene.wallet.approvalCount().ever;
  const frame = await swipeInFrame(page, await buttonIn(page, 'ready'));
  expect(frame).toBeTruthy();
  const payment = await paidOn(page);
  expect(scene.wallet.approvalCount().ever).toBe(before);
  await expectEverywhere(payment, '0.75');
});

test('a swipe with an amount outside the bounds sends no request to the wallet', async () => {
  const page = await openTips();
  await choose(page, null, '0.10');
  const before = scene.wallet.approvalCount().ever;
  await swipe(page, await buttonIn(page, 'ready'));
  expect(await (await buttonIn(page, 'ready')).evaluate(({ dataset }) => dataset.state)).toBe('ready');
  expect(scene.wallet.approvalCount().ever).toBe(before);
  expect(await page.evaluate(() => (window as unknown as { payments: Payment[] }).payments)).toEqual([]);
});
