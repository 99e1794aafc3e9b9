/**
 * Two services, each with its own database, and a wallet with an account at each. Money goes from one to the other by a
 * button, to paymails and user IDs, either service dies in the middle of it, and the two people sign and seal things for
 * each other. A wallet without an account at two services: two-services.test.ts.
 */
import { expect, test } from 'vitest';
import { fromHex, toHex } from '../protocol/bytes.ts';
import type { CryptoOperation, CryptoResult, Payment } from '../protocol/payment.ts';
import { parseTransaction } from '../protocol/transaction.ts';
import { record } from './drive/record.ts';
import { filesBelow, foundIn, secretText, walletSecrets } from './drive/secrets.ts';
import { hooked, listedOnce, type Side } from './drive/two-hosts.ts';
import { buttonIn, pressWhenReady } from './drive/wallet.ts';
import {
  usePaymailHosts,
  two,
  alice,
  bob,
  openShop,
  pay,
  textOf,
  coinsOf,
  toBob,
  expectAtBob,
} from './paymail-stage.ts';

usePaymailHosts();

const PLAINTEXT = 'the-key-is-under-the-third-flowerpot';

/** Swipes a button without outputs and approves. @returns the results that the page got, and what the window showed */
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

test('[S-08] [R-01] [R-33] [R-20] alice@one pays bob@two: one output that the host splits; the window names who answered, both sides see it, both webhooks fire', async () => {
  const { payment, shown } = await pay(
    alice,
    toBob('0.75', { 'client-identifier': alice.clientIdentifier, 'button-id': 'rent' }),
  );
  for (const part of [bob.paymail, 'Bob Cratchit', new URL(bob.publicUrl).host]) expect(shown).toContain(part);
  // 0.75 USD at 50 USD a BSV
  expect(payment).toMatchObject({
    buttonId: 'rent',
    satoshis: '1500000',
    outputs: [{ type: 'PAYMAIL', to: bob.paymail, paymail: bob.paymail, satoshis: '1500000' }],
  });
  expect(payment.outputs).toHaveLength(1);

  // At once, because his window is open, and without any user action.
  await bob.page.bringToFront();
  const row = `.activity[data-id="${payment.txid}"]`;
  const summary = await bob.page.waitForSelector(`${row} summary ::-p-text(${alice.paymail})`);
  await summary?.click();
  await bob.page.waitForSelector(`${row} [data-part=sender][data-verified=true]`);
  expect(await bob.page.$(`${row} [data-part=note]`)).toBeNull();
  // The browser itself shows it, under the transaction's id.
  const told = await bob.page.evaluate(() =>
    (
      globalThis as unknown as { chrome: { notifications: { getAll(): Promise<object> } } }
    ).chrome.notifications.getAll(),
  );
  expect(Object.keys(told)).toContain(payment.txid);
  await expectAtBob(payment);
  const outputs = parseTransaction(fromHex(payment.rawtx)).outputs.map(({ satoshis }) => Number(satoshis));
  const coins = (await coinsOf(bob, payment.txid)).map(({ satoshis }) => Number(satoshis));
  expect(coins).toHaveLength(3);
  expect(outputs).toEqual(expect.arrayContaining(coins));

  const sent = await listedOnce(alice, payment.txid);
  expect(sent).toMatchObject({ id: payment.id, buttonId: 'rent', clientIdentifier: alice.clientIdentifier });
  const received = await listedOnce(bob, payment.txid);
  expect(received.outputs).toMatchObject([
    { type: 'PAYMAIL', to: bob.paymail, paymail: bob.paymail, satoshis: '1500000' },
  ]);
  // Bob's host does not get the data of Alice's shop.
  expect(received).toMatchObject({ buttonId: null, clientIdentifier: null, userId: null });
  for (const side of [alice, bob]) await hooked(side, payment.txid, ['payment.received']);
  await two.mine();
  for (const side of [alice, bob]) {
    await listedOnce(side, payment.txid, 'COMPLETED');
    await hooked(side, payment.txid, ['payment.received', 'payment.completed']);
  }
});

test('[S-01] [S-03] [S-04] [S-05] [S-06] [R-18] [R-19] signed, encrypted and decrypted between the two, off the chain and on it; no server can read it', async () => {
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
  expect(opening.shown).toContain(PLAINTEXT); // Bob sees what the page will get before it gets it
  expect(opening.results).toMatchObject([
    { data: null, value: PLAINTEXT },
    { value: '01', verified: true },
    { value: '00', verified: false },
  ]);

  // Bob pays only the miners: his answer is in a data output, encrypted for Alice and signed, followed by as much data
  // as a script may have. One variable is encoded with its push, as libraries make scripts.
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
