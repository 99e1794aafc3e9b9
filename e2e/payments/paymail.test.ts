/**
 * Tests payments between two services through buttons, paymails and user IDs, including after one service is killed,
 * and crypto operations between their users.
 */
import { expect, test } from 'vitest';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransaction } from '../../protocol/bitcoin/transaction.ts';
import { hooked, listedOnce } from '../drive/two-hosts.ts';
import { usePaymailHosts, two, alice, bob, pay, coinsOf, toBob, expectAtBob } from './paymail-stage.ts';

usePaymailHosts();

test('[S-08] [R-01] [R-33] [R-20] alice@one pays bob@two, whose host splits the output; the window names the host, both wallets list the payment, and both webhooks fire', async () => {
  const { payment, shown } = await pay(
    alice,
    toBob('0.75', { 'client-identifier': alice.clientIdentifier, 'button-id': 'rent' }),
  );
  for (const part of [bob.paymail, 'Bob Cratchit', new URL(bob.publicUrl).host]) expect(shown).toContain(part);
  // 0.75 USD at 50 USD per BSV
  expect(payment).toMatchObject({
    buttonId: 'rent',
    satoshis: '1500000',
    outputs: [{ type: 'PAYMAIL', to: bob.paymail, paymail: bob.paymail, satoshis: '1500000' }],
  });
  expect(payment.outputs).toHaveLength(1);

  // Bob doesn't need to do anything, because his window is open.
  await bob.page.bringToFront();
  const row = `.activity[data-id="${payment.txid}"]`;
  const summary = await bob.page.waitForSelector(`${row} summary ::-p-text(${alice.paymail})`);
  await summary?.click();
  await bob.page.waitForSelector(`${row} [data-part=sender][data-verified=true]`);
  expect(await bob.page.$(`${row} [data-part=note]`)).toBeNull();
  // The browser's notification has the transaction's ID.
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
  // Bob's host does not receive the shop's data.
  expect(received).toMatchObject({ buttonId: null, clientIdentifier: null, userId: null });
  for (const side of [alice, bob]) await hooked(side, payment.txid, ['payment.received']);
  await two.mine();
  for (const side of [alice, bob]) {
    await listedOnce(side, payment.txid, 'COMPLETED');
    await hooked(side, payment.txid, ['payment.received', 'payment.completed']);
  }
});
