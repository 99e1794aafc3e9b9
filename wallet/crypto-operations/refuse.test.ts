import { Beef, Transaction as SdkTransaction } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { balanceMessage } from '../../protocol/signed-messages/balance-message.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { paymentDestinationMessage } from '../../protocol/http/paymail.ts';
import { reportMessage } from '../../protocol/signed-messages/report-message.ts';
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import { serializeTransaction, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { ByteWriter } from '../../protocol/bitcoin/wire-format.ts';
import { isForbidden } from './refuse.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);
const script = fc.uint8Array({ maxLength: 300 });
const satoshis = fc.bigInt(0n, 10n ** 12n);
const publicKey = hex(32).map((x) => `02${x}`);
const moment = fc
  .date({ noInvalidDate: true, min: new Date('2020-01-01'), max: new Date('2035-01-01') })
  .map((date) => date.toISOString());
const word = fc.stringMatching(/^[a-z0-9]{3,12}$/);
const handle = fc.tuple(word, word).map(([alias, domain]) => `${alias}@${domain}.example`);

const transaction: fc.Arbitrary<Transaction> = fc.record({
  version: fc.constantFrom(1, 2),
  lockTime: fc.nat(),
  inputs: fc.array(fc.record({ txid: hex(32), vout: fc.nat(9), unlockingScript: script, sequence: fc.nat() }), {
    minLength: 1,
    maxLength: 3,
  }),
  outputs: fc.array(fc.record({ satoshis, lockingScript: script }), { minLength: 1, maxLength: 3 }),
});

/** Signature preimages of inputs, constructed independently according to BIP 143. */
const preimage = fc
  .record({
    hashes: hex(96),
    outpoint: hex(36),
    script: script,
    satoshis,
    sequence: fc.nat(),
    lockTime: fc.nat(),
    type: fc.constantFrom(0x41, 0x42, 0x43, 0xc1, 0xc2, 0xc3),
  })
  .map((p) =>
    new ByteWriter()
      .uint32(1)
      .bytes(fromHex(p.hashes.slice(0, 128)))
      .bytes(fromHex(p.outpoint))
      .compactSize(p.script.length)
      .bytes(p.script)
      .uint64(p.satoshis)
      .uint32(p.sequence)
      .bytes(fromHex(p.hashes.slice(128)))
      .uint32(p.lockTime)
      .uint32(p.type)
      .done(),
  );

/**
 * Variants that a lenient reader treats as equal: with different letter case or white space, or with invisible or
 * compatibility characters.
 */
const disguised = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(
      text,
      fc.constantFrom<(text: string) => string>(
        (t) => t,
        (t) => t.toUpperCase(),
        (t) => ` \n${t}\r\n`,
        (t) => `\ufeff${t}`,
        (t) => [...t].join('\u200b'),
        (t) => [...t].join('\u0301'),
        (t) => t.replaceAll('a', '\uff41').replaceAll('1', '\uff11'),
        (t) => t.replace(/.{7}/gs, '$& '),
        (t) => t.replaceAll(' ', '\u00a0'),
        (t) => t.normalize('NFD'),
      ),
    )
    .map(([t, change]) => change(t));

describe('[S-03] data that no site may have signed', () => {
  const texts: [string, fc.Arbitrary<string>][] = [
    [
      'a text for signing in',
      fc
        .record({
          origin: word.map((w) => `https://${w}.example`),
          publicKey,
          nonce: hex(16),
          issuedAt: moment,
          expiresAt: moment,
        })
        .map(signInMessage),
    ],
    [
      'a text for an account',
      fc
        .record({
          origin: fc.constant('https://a.example'),
          publicKey,
          nonce: hex(16),
          issuedAt: moment,
          expiresAt: moment,
          register: fc.record({ handle: word, name: fc.string({ maxLength: 30 }), receivingXpub: fc.constant('xpub') }),
        })
        .map(signInMessage),
    ],
    ['a payment report', fc.tuple(fc.uuid(), hex(32), publicKey).map((fields) => reportMessage(...fields))],
    [
      'a balance',
      fc
        .record({
          origin: fc.constant('https://a.example'),
          userId: fc.constant('1'),
          satoshis: fc.constant('5'),
          time: moment,
        })
        .map(balanceMessage),
    ],
    ['a transaction’s id', hex(32)],
    [
      'a paymail message',
      fc
        .record({ senderHandle: handle, amount: fc.option(fc.nat()), dt: moment, purpose: fc.option(fc.string()) })
        .map(paymentDestinationMessage),
    ],
    [
      'a paymail message with the time in a different format',
      fc.tuple(handle, fc.nat(), moment).map(([who, amount, dt]) => `${who}${amount}${dt.replace(/[-:]|\.\d+/g, '')}`),
    ],
    ['a transaction in hexadecimal', transaction.map((t) => toHex(serializeTransaction(t)))],
    ['what an input’s signature is made over, in hexadecimal', preimage.map(toHex)],
  ];
  test.each(texts)('%s is rejected in any notation', (_, text) => {
    fc.assert(
      fc.property(disguised(text), (written) => void expect(isForbidden(wallet, utf8(written))).toBe(true)),
      { numRuns: 60 },
    );
  });

  test('a transaction’s bytes are rejected, even with trailing data or without a lock time, as readers elsewhere accept them', () => {
    fc.assert(
      fc.property(transaction, fc.uint8Array({ maxLength: 40 }), (t, behind) => {
        const bytes = serializeTransaction(t);
        expect(isForbidden(wallet, bytes)).toBe(true);
        expect(isForbidden(wallet, concatBytes(bytes, behind))).toBe(true);
        expect(isForbidden(wallet, bytes.slice(0, -4))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('a transaction is rejected in the other formats that the network accepts', () => {
    fc.assert(
      fc.property(transaction, (t) => {
        const parsed = SdkTransaction.fromBinary([...serializeTransaction(t)]);
        for (const input of parsed.inputs) {
          input.sourceTransaction = SdkTransaction.fromBinary([
            ...serializeTransaction({
              ...t,
              outputs: Array.from({ length: 10 }, () => ({ satoshis: 1n, lockingScript: new Uint8Array([0x51]) })),
            }),
          ]);
        }
        const beef = new Beef();
        beef.mergeRawTx([...serializeTransaction(t)]);
        for (const bytes of [parsed.toEF(), beef.toBinary()])
          expect(isForbidden(wallet, Uint8Array.from(bytes))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test('the preimage of an input’s signature is rejected', () => {
    fc.assert(
      fc.property(preimage, (bytes) => void expect(isForbidden(wallet, bytes)).toBe(true)),
      { numRuns: 100 },
    );
  });

  test.each([
    '',
    'I support the footbridge.',
    'alice@shop.example agrees to the terms of 2026-11-21',
    'Send it to bob@example.com, please',
    '{"order":1,"time":"2026-11-21T10:00:00Z"}',
    'deadbeef',
    'f'.repeat(63),
    'f'.repeat(65),
    'ff'.repeat(500),
    'Sign in to read on.',
    '日本語の文章です。',
    'x'.repeat(99_000),
    '0'.repeat(2000),
  ])('other data is allowed: %j', (text) => expect(isForbidden(wallet, utf8(text))).toBe(false));

  test.each(['\u24d0\u24e2\u24da\u24e2', '\u{1d41a}\u{1d42c}\u{1d424}\u{1d42c}', '\uff41\u017f\uff4b\u017f'])(
    'letters of another form (%s) count as plain letters',
    (asks) => {
      expect(isForbidden(wallet, utf8(`${asks} you to sign with your identity key`))).toBe(true);
    },
  );

  // One Arabic character expands to eighteen others. Twenty long strings of it once kept the wallet busy for two
  // seconds.
  test('each character that expands to many others is looked up once, and texts hardly grow', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const replace = vi.spyOn(String.prototype, 'replace');
    const text = ['\ufdfa', '\ufdfb', '\u33af'].map((one) => one.repeat(11_000)).join('');
    expect(isForbidden(wallet, utf8(text))).toBe(false);
    const read = replace.mock.contexts.reduce<number>((sum, one) => sum + String(one).length, 0);
    const asked = normalize.mock.calls.length;
    vi.restoreAllMocks();
    expect(asked).toBeLessThanOrEqual(3);
    expect(read).toBeLessThan(6 * text.length);
  });

  test('random bytes are allowed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => void expect(isForbidden(wallet, bytes)).toBe(false)),
      { numRuns: 1000 },
    );
  });
});
