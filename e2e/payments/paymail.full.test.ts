import { expect, test, vi } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import type { Payment, CryptoOperation, CryptoResult } from '../../protocol/payments/payment.ts';
import { testPng } from '../../protocol/http/testing-picture.ts';
import { paymentsOf } from '../drive/once.ts';
import { registerPerson } from '../../tooling/drive/person.ts';
import { signIn } from '../drive/sign-in.ts';
import { hooked, listedOnce, reader, type Side } from '../drive/two-hosts.ts';
import { ADDRESS } from '../drive/scene.ts';
import {
  approve,
  ask,
  buttonIn,
  readyApproval,
  refuse,
  stored,
  swipe,
  pressWhenReady,
} from '../../tooling/drive/wallet.ts';
import { usePaymailHosts, alice, bob, pages, openShop, pay, toBob, expectAtBob, textOf } from './paymail-stage.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransaction } from '../../protocol/bitcoin/transaction.ts';
import { record } from '../drive/record.ts';
import { filesBelow, foundIn, secretText, walletSecrets } from '../drive/secrets.ts';

usePaymailHosts();

const DELIVERY = /POST \/bsvalias\/receive/;

const REPORT = /POST \/api\/v2\/payments/;

const PLAINTEXT = 'the-key-is-under-the-third-flowerpot';

/** Swipes a button without outputs and approves. @returns the results that the page received, and the window's text */
async function run(side: Side, operations: CryptoOperation[]): Promise<{ results: CryptoResult[]; shown: string }> {
  const page = await openShop(side, { 'crypto-operations': JSON.stringify(operations) });
  const approval = await side.wallet.approval();
  await approval.waitForSelector('button[data-action=sign]');
  const shown = await textOf(approval);
  await pressWhenReady(approval, 'button[data-action=sign]');
  await buttonIn(page, 'done');
  await side.wallet.noApproval();
  const { called, payments } = await page.evaluate(() => {
    const { operations, payments } = window as unknown as { operations: CryptoResult[][]; payments: Payment[] };
    return { called: operations, payments };
  });
  expect(called).toHaveLength(1);
  expect(payments).toEqual([]);
  return { results: called[0] as CryptoResult[], shown };
}

test('a shop at a service where the payer has no account gets the payment, even if that service is killed during the report', async () => {
  const page = await alice.shop(
    { to: ADDRESS, amount: '0.10', currency: 'USD', 'client-identifier': bob.clientIdentifier, 'button-id': 'at-two' },
    bob.publicUrl,
  );
  pages.push(page);
  await swipe(page, await buttonIn(page, 'ready'));
  bob.faults.when(REPORT, 'swallow');
  const inTheMiddle = bob.faults.next(REPORT).then(() => bob.service.kill());
  await approve(alice.wallet);
  await inTheMiddle;
  await buttonIn(page, 'done');
  const [{ id, txid }] = (await paymentsOf(page)) as [Payment];
  bob.faults.clear();
  await bob.service.start();
  await vi.waitFor(
    async () => {
      const { payments } = await bob.read<{ payments: unknown[] }>('/api/v2/payments?buttonId=at-two');
      expect(payments).toMatchObject([{ id, txid, buttonId: 'at-two', userId: null, status: 'RECEIVED' }]);
    },
    { interval: 100 },
  );
  await hooked(bob, txid, ['payment.received']);
  await listedOnce(alice, txid);
});

test.each([
  ['the recipient’s host', () => bob, DELIVERY, '0.75'],
  ['the sender’s service', () => alice, REPORT, '0.25'],
] as const)(
  'a payment is made, listed and reported by webhook only once if %s is killed while it accepts the payment',
  async (_, dying, request, amount) => {
    const side = dying();
    side.faults.when(request, 'swallow');
    const inTheMiddle = side.faults.next(request).then(() => side.service.kill());
    const { payment } = await pay(alice, toBob(amount, { 'client-identifier': alice.clientIdentifier }));
    await inTheMiddle;
    side.faults.clear();
    await side.service.start();
    await expectAtBob(payment, side === bob);
    for (const one of [alice, bob]) {
      await listedOnce(one, payment.txid);
      await hooked(one, payment.txid, ['payment.received']);
    }
    // All reports and deliveries are done, so the wallet has no pending work.
    await vi.waitFor(
      async () => {
        const { deliveries, report } = await ask(alice.page, 'activity/read', { id: payment.id });
        expect([deliveries, report]).toMatchObject([[{ paymail: bob.paymail, state: 'done' }], 'done']);
      },
      { interval: 100 },
    );
  },
);

test('Bob’s picture is loaded through Alice’s own service when she types his paymail, and shown in her approval window', async () => {
  const dashboard = await bob.wallet.browser.newPage();
  pages.push(dashboard);
  await dashboard.goto(`${bob.publicUrl}/sign-in?return=${encodeURIComponent('/account/picture')}`);
  await signIn(bob.wallet, dashboard);
  const input = (await dashboard.waitForSelector('input[name=picture]')) as ElementHandle<HTMLInputElement>;
  const folder = await mkdtemp(join(tmpdir(), 'service-button-picture-'));
  await writeFile(join(folder, 'bob.png'), testPng(64, 64, [180, 40, 90]));
  await input.uploadFile(join(folder, 'bob.png'));
  await Promise.all([dashboard.waitForNavigation(), dashboard.click('main .button-primary')]);
  await dashboard.waitForSelector('.own-picture');
  await rm(folder, { recursive: true });

  // A page's payment to Bob triggers no avatar request.
  const asked = () => alice.faults.seen.filter((line) => line === 'POST /api/v2/me/avatars').length;
  const before = asked();
  await openShop(alice, toBob('0.10'));
  await (await readyApproval(alice.wallet)).waitForSelector('.recipient .avatar:empty');
  await refuse(alice.wallet);
  expect(asked()).toBe(before);

  await alice.page.bringToFront();
  await alice.page.reload();
  await (await alice.page.waitForSelector('.home-actions > button'))?.click();
  await (await alice.page.waitForSelector('.send-to'))?.type(bob.paymail);
  await (await alice.page.waitForSelector('.send-amount'))?.type('0.10');
  const drawn = (page: Page, selector: string) =>
    page.waitForSelector(selector).then((image) =>
      image?.evaluate(async (element) => {
        const img = element as unknown as HTMLImageElement;
        await img.decode();
        const { width, height } = img.getBoundingClientRect();
        return { natural: img.naturalWidth, width: Math.round(width), height: Math.round(height) };
      }),
    );
  const shown = { natural: 64, width: 24, height: 24 };
  expect(await drawn(alice.page, '[data-part=host-line] .avatar img')).toEqual(shown);
  expect(asked()).toBeGreaterThan(before);

  await openShop(alice, toBob('0.10'));
  expect(await drawn(await readyApproval(alice.wallet), '.recipient .avatar img')).toEqual(shown);
  await refuse(alice.wallet);
});

test('[S-09] [R-02] a swipe to a user ID pays that user and shows their name, and an unknown ID is rejected', async () => {
  const carol = await registerPerson(alice.publicUrl, 'carol', 'Carol Danvers');
  const { payment, shown } = await pay(alice, { to: carol.user.id, amount: '0.10', currency: 'USD' });
  for (const part of [carol.user.paymail, 'Carol Danvers']) expect(shown).toContain(part);
  expect(payment.outputs).toMatchObject([
    { type: 'USER', to: carol.user.id, userId: carol.user.id, satoshis: '200000' },
  ]);
  const listed = await listedOnce({ read: reader(alice.publicUrl, carol.accessToken) }, payment.txid);
  expect(listed.id).toBe(payment.id); // sender and recipient see the same payment
});

test('a button’s user ID is resolved by the button’s own service, where it may belong to a different user than at the wallet’s', async () => {
  expect(alice.userId).toBe(bob.userId); // each is the first user of a separate service
  const { payment, shown } = await pay(alice, { to: bob.userId, amount: '0.10', currency: 'USD' }, bob.publicUrl);
  expect(shown).toContain(bob.paymail);
  expect(shown).not.toContain(alice.paymail);
  await expectAtBob(payment);
  expect(await listedOnce(bob, payment.txid)).toMatchObject({ outputs: [{ type: 'USER', userId: bob.userId }] });
  // Alice's service receives Bob's paymail, because his user ID belongs to another user there.
  expect(await listedOnce(alice, payment.txid)).toMatchObject({
    outputs: [{ type: 'PAYMAIL', userId: null, paymail: bob.paymail }],
  });
});

test.each([
  ['a handle', (): string => bob.paymail.replace('bob', 'nobody')],
  ['a user ID', (): string => '999999999'],
])('a nonexistent recipient, by %s, causes a clear error and no payment', async (_, to) => {
  const before = (await stored(alice.page, 'coins')).length;
  const page = await openShop(alice, { to: to(), amount: '0.10', currency: 'USD' });
  await buttonIn(page, 'error');
  expect(
    await page.evaluate(() => (window as unknown as { errors: { code: string }[] }).errors.map(({ code }) => code)),
  ).toEqual(['unknown-recipient']);
  expect((await stored(alice.page, 'coins')).length).toBe(before);
});

test('[S-01] [S-03] [S-04] [S-05] [S-06] [R-18] [R-19] two users sign, encrypt and decrypt for each other, on and off the chain, and no server can read the data', async () => {
  const heard = [record(alice.wallet), record(bob.wallet)];
  for (const one of heard) await one.hearWorker();

  const sealing = await run(alice, [
    { name: 'sealed', method: 'encrypt', data: PLAINTEXT, paymail: bob.paymail },
    { name: 'mark', method: 'sign', data: 'from Alice' },
    { name: 'me', method: 'paymail' },
  ]);
  for (const part of [PLAINTEXT, bob.paymail, 'from Alice']) expect(sealing.shown).toContain(part);
  const [sealed, mark, me] = sealing.results as [CryptoResult, CryptoResult, CryptoResult];
  expect(sealing.results.map(({ id, name }) => `${id} ${name}`)).toEqual(['1 sealed', '2 mark', '3 me']);
  expect(sealed).toMatchObject({ data: null, valueEncoding: 'hex', algorithm: 'electrum-ecies', paymail: bob.paymail });
  expect(me.value).toBe(alice.paymail);

  const opening = await run(bob, [
    { name: 'letter', method: 'decrypt', data: sealed.value as string, dataEncoding: 'hex', valueEncoding: 'utf8' },
    { name: 'check', method: 'verify', data: 'from Alice', signature: mark.value as string, paymail: alice.paymail },
    { name: 'forged', method: 'verify', data: 'from Mallory', signature: mark.value as string, paymail: alice.paymail },
  ]);
  expect(opening.shown).toContain(PLAINTEXT); // Bob sees the plaintext before the page receives it
  expect(opening.results).toMatchObject([
    { data: null, value: PLAINTEXT },
    { value: '01', verified: true },
    { value: '00', verified: false },
  ]);

  // Bob pays only the network fee. A data output contains his response, encrypted for Alice and signed, followed by as
  // much data as a script can hold. One variable is hex-encoded.
  const page = 'ab'.repeat(95_000);
  const { payment } = await pay(bob, {
    outputs: JSON.stringify([
      {
        script: `OP_FALSE OP_RETURN #{answer} ${Buffer.from('#{mark}').toString('hex')} ${page}`,
        amount: '0',
        currency: 'USD',
      },
    ]),
    'crypto-operations': JSON.stringify([
      { name: 'answer', method: 'encrypt', data: `${PLAINTEXT}-found`, paymail: alice.paymail },
      { name: 'mark', method: 'sign', data: 'from Bob' },
    ]),
  });
  const [answer, signature] = payment.cryptoOperations as [CryptoResult, CryptoResult];
  const script =
    parseTransaction(fromHex(payment.rawtx))
      .outputs.map(({ lockingScript }) => toHex(lockingScript))
      .find((hex) => hex.startsWith('006a')) ?? '';
  expect(script).toContain(answer.value);
  expect(script).toContain(Buffer.from(signature.value as string).toString('hex'));
  expect(script).toContain(page);
  expect(script).not.toContain(Buffer.from('#{').toString('hex'));
  await listedOnce(bob, payment.txid);

  const { results } = await run(alice, [
    { name: 'read', method: 'decrypt', data: answer.value as string, dataEncoding: 'hex', valueEncoding: 'utf8' },
  ]);
  expect(results[0]?.value).toBe(`${PLAINTEXT}-found`);

  const plaintext = [secretText('the plaintext', PLAINTEXT)];
  const secrets = [...plaintext, ...walletSecrets(alice.words), ...walletSecrets(bob.words)];
  for (const { requests } of heard) {
    expect(requests.length).toBeGreaterThan(0);
    expect(foundIn(requests.join('\n'), secrets)).toEqual([]);
  }
  for (const { service } of [alice, bob]) {
    expect(foundIn(service.log(), secrets)).toEqual([]);
    for (const [path, bytes] of await filesBelow(service.directory))
      expect(foundIn(bytes, plaintext), path).toEqual([]);
  }
});
