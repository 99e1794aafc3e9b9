import { gzipSync } from 'node:zlib';
import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { OpenDatabase } from '../database/connect.ts';
import { paymailDestinations, payments, users } from '../database/schema.ts';
import { openTestDatabase } from '../database/testing.ts';
import { createTestWallet, register, startTestApp, type TestApp, type TestWallet } from '../testing.ts';
import { deleteUnpaidDestinations } from '../destinations/destinations.ts';
import { spend, type Output } from './testing-network.ts';
import { useDeliveries } from './testing-deliveries.ts';

const DAY_MS = 24 * 3600_000;
const signature = (text: string, key: PrivateKey) => BSM.sign(Utils.toArray(text, 'utf8'), key, 'base64') as string;

/** Alice's paymail host: another service with its own database on the same machine. */
let other: TestApp;
let othersDatabase: OpenDatabase;
const alice: TestWallet = createTestWallet();

describe('a payment to a destination', () => {
  const { network, app, database, bob, db, ask, receive, transactionFor, received, stored } = useDeliveries();
  beforeAll(async () => {
    othersDatabase = await openTestDatabase();
    other = await startTestApp(othersDatabase, { arcUrl: network.arcUrl, ownPaymailDomain: true });
    await register(other, alice, 'alice');
  });
  afterAll(async () => {
    await other.close();
    await othersDatabase.close();
  });
  const receiveBeef = (beef: string, reference: string) =>
    app.post('/bsvalias/receive-beef/bob@localhost', { beef, reference });

  it('[S-08] can have several outputs, is broadcast and stored once, and advances the address gap', async () => {
    const { outputs, reference } = await ask(20_000);
    expect(outputs.map(({ satoshis }) => satoshis)).toSatisfy(
      (parts: number[]) => parts.length === 2 && (parts[0] ?? 0) + (parts[1] ?? 0) === 20_000,
    );
    const transaction = await transactionFor(outputs);
    const txid = transaction.id('hex');
    const answer = await receive(transaction.toHex(), reference, {
      metadata: { note: `For the tea\u202e!${'x'.repeat(600)}`, sender: null, pubkey: '', signature: '' },
    });
    expect([answer.status, answer.body]).toEqual([200, { txid, note: '' }]);
    expect((await received()).at(-1)).toMatchObject({
      reference,
      userId: Number(bob.user.id),
      txid,
      sender: null,
      senderVerified: false,
      note: `For the tea !${'x'.repeat(487)}`,
      acknowledgedAt: null,
    });
    const before = [await stored(), network.broadcasts];
    expect(
      await receive(transaction.toHex().toUpperCase(), reference, { metadata: { note: 'another' } }),
    ).toMatchObject({ status: 200, body: answer.body });
    expect([await stored(), network.broadcasts]).toEqual(before);
    const [user] = await db().select().from(users).where(eq(users.handle, 'bob'));
    const indexes =
      (await db().select().from(paymailDestinations))
        .find((one) => one.reference === reference)
        ?.outputs.map(({ index }) => index) ?? [];
    expect(user?.receivingBase).toBe(Math.max(...indexes) + 1);
  });

  it('can be a token or an ordinal with the issued script in one satoshi', async () => {
    const given = await app.post('/bsvalias/ordinal-p2p-payment-destination/bob@localhost', { ordinals: 1 });
    const { outputs, reference } = given.body as { outputs: { script: string }[]; reference: string };
    const [{ script } = { script: '' }] = outputs;
    const token = toHex(writeTokenScript({ op: 'transfer', id: `${'ab'.repeat(32)}_0`, amt: 5n }, fromHex(script)));
    const deliver = (hex: string) => app.post('/bsvalias/receive-ordinal-tx/bob@localhost', { hex, reference });
    const twice = (await transactionFor([{ script: token, satoshis: 2 }])).toHex();
    expect((await deliver(twice)).body.error.code).toBe('payment-mismatch');
    const transaction = await transactionFor([{ script: token, satoshis: 1 }]);
    expect((await deliver(transaction.toHex())).body).toEqual({ txid: transaction.id('hex'), note: '' });
    expect((await received()).at(-1)).toMatchObject({ reference, txid: transaction.id('hex') });
  });

  it('[S-08] can be BEEF made by @bsv/sdk, with ancestors unknown to the network', async () => {
    const coin = await network.coin(100_000);
    const parent = await spend(coin, []);
    const { outputs, reference } = await ask(5_000);
    const child = await spend({ key: coin.key, transaction: parent, vout: 0 }, outputs);
    // A raw child is rejected, because its parent is missing.
    expect(await receive(child.toHex(), reference)).toMatchObject({
      status: 422,
      body: { code: 'not-accepted', error: { code: 'not-accepted' } },
    });
    const txid = child.id('hex');
    expect(await receiveBeef(Utils.toHex(child.toBEEF()), reference)).toMatchObject({ status: 200, body: { txid } });
    const [payment] = (await db().select().from(payments)).filter((one) => one.txid === txid);
    expect(Buffer.from(payment?.rawtx ?? []).toString('hex')).toBe(child.toHex());
    expect(await receiveBeef(Utils.toHex(child.toAtomicBEEF()), reference)).toMatchObject({
      status: 200,
      body: { txid },
    });
  });

  it('must not be compressed, because a few kilobytes could become megabytes', async () => {
    const { outputs, reference } = await ask(3_000);
    const hex = (await transactionFor(outputs)).toHex();
    const broadcasts = network.broadcasts;
    const packed = await fetch(`${app.url}/bsvalias/receive-transaction/bob@localhost`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ hex, reference })),
    });
    expect([packed.status, (await packed.json()).code, network.broadcasts]).toEqual([
      400,
      'invalid-request',
      broadcasts,
    ]);
    expect((await receive(hex, reference)).status).toBe(200);
  });

  it('every error gets its own code, and nothing is stored', async () => {
    const good = await ask(3_000);
    const carols = await ask(3_000, 'carol@localhost');
    const whole = await transactionFor(good.outputs);
    const hex = whole.toHex();
    const [output] = good.outputs as [Output];
    const key = PrivateKey.fromRandom();
    const pubkey = key.toPublicKey().toString();
    const [less, elsewhere, unsigned] = await Promise.all([
      transactionFor([{ ...output, satoshis: 2_999 }]),
      transactionFor(carols.outputs),
      transactionFor(good.outputs).then((transaction) => transaction.toHex().replace(/(?<=^.{100}).{8}/, '00000000')),
    ]);
    const beef = Utils.toHex(whole.toBEEF());
    const [before, broadcasts] = [await stored(), network.broadcasts];
    const table: [what: string, answer: ReturnType<typeof receive>, status: number, code: string][] = [
      ['an unknown handle', receive(hex, good.reference, {}, 'nobody@localhost'), 404, 'unknown-recipient'],
      ['another domain', receive(hex, good.reference, {}, 'bob@elsewhere.example'), 404, 'unknown-recipient'],
      ['no paymail', receive(hex, good.reference, {}, 'bob'), 404, 'unknown-recipient'],
      ['an unknown reference', receive(hex, 'x'.repeat(43)), 404, 'unknown-reference'],
      ['a reference of somebody else', receive(hex, good.reference, {}, 'carol@localhost'), 404, 'unknown-reference'],
      ['no reference', app.post('/bsvalias/receive-transaction/bob@localhost', { hex }), 400, 'invalid-request'],
      [
        'no transaction',
        app.post('/bsvalias/receive-transaction/bob@localhost', { reference: good.reference }),
        400,
        'invalid-request',
      ],
      ['no hexadecimal', receive(`${hex}0`, good.reference), 400, 'invalid-request'],
      ['no JSON', app.post('/bsvalias/receive-transaction/bob@localhost', '{'), 400, 'invalid-request'],
      ['a list', app.post('/bsvalias/receive-transaction/bob@localhost', []), 400, 'invalid-request'],
      ['a note that is a number', receive(hex, good.reference, { metadata: { note: 7 } }), 400, 'invalid-request'],
      [
        'a note that cannot be stored',
        receive(hex, good.reference, { metadata: { note: 'a\0b' } }),
        400,
        'invalid-request',
      ],
      ['a truncated transaction', receive(hex.slice(0, -2), good.reference), 422, 'invalid-transaction'],
      ['a byte behind it', receive(`${hex}00`, good.reference), 422, 'invalid-transaction'],
      ['BEEF as raw', receive(beef, good.reference), 422, 'invalid-transaction'],
      ['raw as BEEF', receiveBeef(hex, good.reference), 422, 'invalid-transaction'],
      ['truncated BEEF', receiveBeef(beef.slice(0, -2), good.reference), 422, 'invalid-transaction'],
      ['less money', receive(less.toHex(), good.reference), 422, 'payment-mismatch'],
      ['money of somebody else', receive(elsewhere.toHex(), good.reference), 422, 'payment-mismatch'],
      ['what no node takes', receive(unsigned, good.reference), 422, 'not-accepted'],
      [
        'a signature of a different text',
        receive(hex, good.reference, {
          metadata: { pubkey, signature: signature(whole.id('hex').toUpperCase(), key) },
        }),
        400,
        'invalid-signature',
      ],
      [
        'a signature by a different key',
        receive(hex, good.reference, {
          metadata: {
            pubkey: PrivateKey.fromRandom().toPublicKey().toString(),
            signature: signature(whole.id('hex'), key),
          },
        }),
        400,
        'invalid-signature',
      ],
      ['no such capability', app.post('/bsvalias/receive-coins/bob@localhost', {}), 404, 'not-found'],
    ];
    for (const [what, answer, status, code] of table) {
      const { status: got, body } = await answer;
      expect({ what, status: got, code: body.code, error: body.error }).toEqual({
        what,
        status,
        code,
        error: { code, message: body.message },
      });
    }
    expect([await stored(), network.broadcasts - broadcasts]).toEqual([before, 1]);
    // The rejected deliveries haven't consumed the reference.
    expect((await receive(hex, good.reference)).status).toBe(200);
  });

  it('a repeated delivery is stored if the process died between the broadcast and the database write', async () => {
    const { outputs, reference } = await ask(1_000);
    const transaction = await transactionFor(outputs);
    // One of the service's processes never responds, and another one takes over.
    const dying = await startTestApp(database, { arcUrl: network.arcUrl });
    const before = network.broadcasts;
    let dead = () => {};
    const died = new Promise<void>((resolve) => (dead = resolve));
    network.onBroadcast = async () => {
      network.onBroadcast = async () => {};
      // The ledger accepts the transaction even though the requesting process is gone.
      await fetch(`${network.arcUrl}/v1/tx`, {
        method: 'POST',
        body: JSON.stringify({ rawTx: transaction.toHex() }),
        headers: { 'Content-Type': 'application/json' },
      });
      dead();
      await new Promise(() => {});
    };
    const lost = dying
      .post('/bsvalias/receive-transaction/bob@localhost', { hex: transaction.toHex(), reference })
      .catch(() => 'no answer');
    await died;
    await dying.close();
    expect(await lost).toBe('no answer');
    expect((await received()).some((one) => one.reference === reference)).toBe(false);
    expect((await receive(transaction.toHex(), reference)).status).toBe(200);
    expect((await received()).filter((one) => one.reference === reference)).toHaveLength(1);
    expect(network.broadcasts - before).toBe(3);
  });

  it('responds 503 while the network is unreachable, and stores nothing', async () => {
    const alone = await startTestApp(database, { arcUrl: 'http://127.0.0.1:1' });
    const { outputs, reference } = await ask(1_000);
    const transaction = await transactionFor(outputs);
    const before = await stored();
    expect(
      await alone.post('/bsvalias/receive-transaction/bob@localhost', { hex: transaction.toHex(), reference }),
    ).toMatchObject({ status: 503, body: { code: 'network-unavailable' } });
    expect(await stored()).toBe(before);
    await alone.close();
  });

  it('marks a sender as verified only if the sender’s own host confirms the key', async () => {
    const domain = new URL(other.url).host;
    const stranger = PrivateKey.fromRandom();
    const pay = async (metadata: (txid: string) => object) => {
      const { outputs, reference } = await ask(1_000);
      const transaction = await transactionFor(outputs);
      expect(
        (await receive(transaction.toHex(), reference, { metadata: metadata(transaction.id('hex')) })).status,
      ).toBe(200);
      const { sender, senderVerified } = (await received()).at(-1) ?? {};
      return [sender, senderVerified];
    };
    const strangers = (txid: string) => ({
      pubkey: stranger.toPublicKey().toString(),
      signature: signature(txid, stranger),
    });
    expect(
      await pay((txid) => ({ sender: `Alice@${domain}`, pubkey: alice.publicKey, signature: alice.sign(txid) })),
    ).toEqual([`alice@${domain}`, true]);
    expect(await pay((txid) => ({ sender: `alice@${domain}`, ...strangers(txid) }))).toEqual([
      `alice@${domain}`,
      false,
    ]);
    expect(await pay(() => ({ sender: `alice@${domain}`, pubkey: alice.publicKey }))).toEqual([
      `alice@${domain}`,
      false,
    ]);
    expect(await pay((txid) => ({ sender: 'alice@127.0.0.1:1', ...strangers(txid) }))).toEqual([
      'alice@127.0.0.1:1',
      false,
    ]);
    expect(await pay((txid) => ({ sender: 'Alice', ...strangers(txid) }))).toEqual([null, false]);
    // Signatures in unknown formats don't affect acceptance.
    expect(await pay(() => ({ sender: `alice@${domain}`, pubkey: alice.publicKey, signature: 'AAAA' }))).toEqual([
      `alice@${domain}`,
      false,
    ]);
    // Senders with an account here are checked in the service's own database.
    expect(await pay((txid) => ({ sender: 'carol@localhost', ...strangers(txid) }))).toEqual([
      'carol@localhost',
      false,
    ]);
  });

  it('an unpaid destination is deleted after thirty days, and a paid one stays', async () => {
    const [unpaid, paid] = [await ask(1_000), await ask(1_000)];
    expect((await receive((await transactionFor(paid.outputs)).toHex(), paid.reference)).status).toBe(200);
    const there = async () => (await db().select().from(paymailDestinations)).map(({ reference }) => reference);
    await deleteUnpaidDestinations(db(), new Date(app.clock.ms + 30 * DAY_MS));
    expect(await there()).toEqual(expect.arrayContaining([unpaid.reference, paid.reference]));
    await deleteUnpaidDestinations(db(), new Date(app.clock.ms + 30 * DAY_MS + 1));
    expect(await there()).not.toContain(unpaid.reference);
    expect(new Set(await there())).toEqual(new Set((await received()).map(({ reference }) => reference)));
  });
});
