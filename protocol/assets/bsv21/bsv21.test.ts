import { LockingScript, Spend, UnlockingScript } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { p2pkhScript } from '../../bitcoin/address.ts';
import { concatBytes, equalBytes, fromHex } from '../../bitcoin/bytes.ts';
import type { Transaction } from '../../bitcoin/transaction.ts';
import { ownerHash, readInscription, writeInscription } from './inscription.ts';
import {
  MAX_TOKEN_AMOUNT,
  mentionsToken,
  readToken,
  readTokenId,
  readTokenOperation,
  writeTokenScript,
  type Token,
} from './token.ts';
import { tokenOutputs, validOutputs, type TokenAmount } from './validity.ts';

const HASH = new Uint8Array(20).fill(7);
const LOCK = p2pkhScript(HASH);
const TXID = 'ab'.repeat(32);
const ID = `${TXID}_0`;
const text = (value: string) => new TextEncoder().encode(value);
const inscribed = (json: string, type = 'application/bsv-20') => writeInscription(type, text(json), LOCK);
const token = (fields: object) => readToken(inscribed(JSON.stringify({ p: 'bsv-20', ...fields })));

const id = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(0xffff_ffff))
  .map(([bytes, vout]) => `${Buffer.from(bytes).toString('hex')}_${vout}`);
const amount = fc.bigInt(1n, MAX_TOKEN_AMOUNT);
const mint: fc.Arbitrary<Token> = fc
  .record(
    {
      op: fc.constant('deploy+mint' as const),
      amt: amount,
      dec: fc.nat(18),
      sym: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }).filter((sym) => [...sym].length <= 32),
      icon: fc.oneof(id, fc.constant('_3')),
    },
    { requiredKeys: ['op', 'amt', 'dec'] },
  )
  .filter(({ sym }) => sym === undefined || sym.isWellFormed());
const transfer: fc.Arbitrary<Token> = fc.record({ op: fc.constant('transfer' as const), id, amt: amount });

describe('inscriptions', () => {
  test('written inscriptions are parsed unchanged, before or after the lock', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 75, 76, 255, 256, 65_535, 65_536), fc.nat(255), (length, byte) => {
        const content = new Uint8Array(length).fill(byte);
        const script = writeInscription('image/png', content, LOCK);
        const behind = concatBytes(LOCK, script.subarray(0, script.length - LOCK.length));
        for (const one of [script, behind]) {
          const read = readInscription(one);
          expect(read).toMatchObject({ contentType: 'image/png', lock: LOCK });
          expect(equalBytes(read?.content ?? LOCK, content)).toBe(true);
        }
        expect(ownerHash(script)).toEqual(HASH);
        expect(ownerHash(behind)).toEqual(HASH);
      }),
      { numRuns: 30 },
    );
  });

  test('inscriptions written by other programs are parsed: with field numbers as pushes, more fields, no type, or data after OP_RETURN', () => {
    const ord = '0063036f7264';
    const read = (hex: string) => readInscription(concatBytes(fromHex(hex), LOCK));
    expect(read(`${ord}0101016100016268`)).toMatchObject({ contentType: 'a', content: text('b') });
    expect(read(`${ord}0103012251016100016268`)).toMatchObject({ contentType: 'a', content: text('b') });
    expect(read(`${ord}00016268`)).toMatchObject({ contentType: '', content: text('b') });
    const data = concatBytes(inscribed('{}'), fromHex('6a0474657374'));
    expect(ownerHash(data)).toEqual(HASH);
    expect(ownerHash(concatBytes(inscribed('{}'), fromHex('0474657374')))).toBeNull();
  });

  test.each([
    ['cut off', '0063036f726451016100'],
    ['a push beyond the end', '0063036f7264510161004effffffff62'],
    ['no end', '0063036f72645101610001626a'],
    ['nothing behind the content', '0063036f7264510161000162'],
    ['the inside without the mark', '61616161610001626861'],
    ['the same in a push that is cut off', '4cff000000000000016268'],
    ['content by an opcode that is reserved', '0063036f726450016268'],
    ['two types', '0063036f726451016151016200016268'],
    ['a type that does not print', '0063036f726451010700016268'],
    ['content of several pushes', '0063036f7264510161000162016268'],
    ['too many fields', `0063036f7264${'520161'.repeat(40)}00016268`],
    ['another word', '0063036f726551016100016268'],
    ['none', ''],
  ])('a script isn’t an inscription: %s', (_title, hex) => {
    expect(readInscription(fromHex(hex))).toBeNull();
  });

  test.each([
    ['an OP_ELSE as the name of a field', '67516a0178'],
    ['an OP_ENDIF as the name of a field', '68516a0178'],
    ['an OP_ENDIF as the value of a field', '5201685268516a5163'],
  ])(
    'a script whose envelope ends before the content isn’t an inscription, and anyone can spend its output: %s',
    (_title, fields) => {
      const script = concatBytes(fromHex(`0063036f7264${fields}51016100016268`), LOCK);
      const spend = new Spend({
        sourceTXID: TXID,
        sourceOutputIndex: 0,
        sourceSatoshis: 1,
        lockingScript: LockingScript.fromBinary([...script]),
        transactionVersion: 1,
        otherInputs: [],
        outputs: [],
        inputIndex: 0,
        unlockingScript: UnlockingScript.fromBinary([]),
        inputSequence: 0xffff_ffff,
        lockTime: 0,
      });
      expect(spend.validate()).toBe(true);
      expect(readInscription(script)).toBeNull();
      expect(ownerHash(script)).toBeNull();
    },
  );

  test('inscription fields are pushes or small numbers, and only the numbers 1 and 0 mean type and content', () => {
    const read = (fields: string) => readInscription(fromHex(`0063036f7264${fields}00016268`));
    for (const field of ['5260', '600178', '0201000178', '0200000178', '02ffff00'])
      expect(read(field + '510161'), field).toMatchObject({ contentType: 'a', content: text('b') });
    for (const field of ['4f0178', '500178', '610178', '524f', '5250', '5261']) expect(read(field), field).toBeNull();
    expect(read('520178'.repeat(31))).not.toBeNull();
    expect(read('520178'.repeat(32))).toBeNull();
  });

  test('the type of an inscription has 1 to 255 printable ASCII characters', () => {
    const typed = (type: string) => fromHex(`0063036f7264514c${type.length.toString(16).padStart(2, '0')}`);
    const read = (type: string) => readInscription(concatBytes(typed(type), text(type), fromHex('00016268')));
    for (const type of [' ', '~', 'a b', 'a'.repeat(255)]) {
      expect(read(type)?.contentType).toBe(type);
      expect(readInscription(writeInscription(type, text('b'), LOCK))?.contentType).toBe(type);
    }
    for (const type of ['a\u001f', 'a\u007f', '\u007f', '\u0000a']) expect(read(type)).toBeNull();
    for (const type of ['', 'a\n', 'a\u007f', 'é', 'a'.repeat(256)])
      expect(() => writeInscription(type, text('b'), LOCK)).toThrow(
        expect.objectContaining({ code: 'invalid-request' }),
      );
    const long = concatBytes(fromHex('0063036f7264514d0001'), new Uint8Array(256).fill(0x61), fromHex('00016268'));
    expect(readInscription(long)).toBeNull();
  });

  test('a script isn’t an inscription if it has two envelopes, or one inside a push or after OP_RETURN', () => {
    const one = inscribed('{}');
    const envelope = one.subarray(0, one.length - LOCK.length);
    expect(readInscription(concatBytes(envelope, one))).toBeNull();
    expect(readInscription(concatBytes(new Uint8Array([envelope.length]), envelope, LOCK))).toBeNull();
    // A parser that reads the length bytes as opcodes would find the envelope.
    const pushed = concatBytes(envelope, new Uint8Array(0x61 - envelope.length));
    for (const push of ['4c61', '4d6100', '4e61000000'])
      expect(readInscription(concatBytes(fromHex(push), pushed, LOCK)), push).toBeNull();
    expect(readInscription(concatBytes(one, fromHex('4cff')))?.content).toEqual(text('{}'));
    expect(readInscription(concatBytes(LOCK, fromHex('6a'), envelope))).toBeNull();
  });

  test('the reader never throws, and returns nothing beyond the end of the script', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('0063036f7264', '51', '00', '68', '6a', '4effffffff', '4d0000', '5101610001', '63').map(fromHex),
      fc.constant(LOCK),
      fc.constant(inscribed('{"p":"bsv-20"}')),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const script = concatBytes(...pieces);
        const read = readInscription(script);
        if (read) expect(read.content.length + read.lock.length).toBeLessThan(script.length);
        readTokenOperation(script);
        ownerHash(script);
        mentionsToken(script);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('tokens', () => {
  test('written tokens are parsed unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(mint, transfer), (one) => {
        expect(readToken(writeTokenScript(one, LOCK))).toEqual(one);
        expect(mentionsToken(writeTokenScript(one, LOCK))).toBe(true);
      }),
    );
  });

  test('tokens match the examples in the standard', () => {
    expect(token({ op: 'deploy+mint', amt: '21000000', sym: 'GOLD', dec: '8' })).toEqual({
      op: 'deploy+mint',
      amt: 21000000n,
      sym: 'GOLD',
      dec: 8,
    });
    expect(token({ op: 'transfer', id: ID, amt: '5000', more: { amt: '1' } })).toEqual({
      op: 'transfer',
      id: ID,
      amt: 5000n,
    });
    expect(token({ op: 'burn', id: ID, amt: '5000' })).toBeNull();
    expect(readTokenOperation(inscribed(`{"p":"bsv-20","op":"burn","id":"${ID}","amt":"5"}`))?.op).toBe('burn');
    expect(readTokenId(ID)).toEqual({ txid: TXID, vout: 0 });
    expect(readTokenId(`${TXID}_4294967295`)).toEqual({ txid: TXID, vout: 4294967295 });
  });

  test('tokens are written as in the standard, without missing fields', () => {
    const written = (one: Token) => Buffer.from(readInscription(writeTokenScript(one, LOCK))?.content ?? []).toString();
    expect(written({ op: 'deploy+mint', amt: 5n, dec: 0 })).toBe('{"p":"bsv-20","op":"deploy+mint","amt":"5"}');
    expect(written({ op: 'deploy+mint', amt: 5n, dec: 2, sym: 'GOLD', icon: '_3' })).toBe(
      '{"p":"bsv-20","op":"deploy+mint","sym":"GOLD","icon":"_3","amt":"5","dec":"2"}',
    );
    expect(written({ op: 'transfer', id: ID, amt: 5n })).toBe(`{"p":"bsv-20","op":"transfer","id":"${ID}","amt":"5"}`);
    const longest = { op: 'deploy+mint', amt: 5n, dec: 0, sym: 'x'.repeat(32) } as const;
    expect(readToken(writeTokenScript(longest, LOCK))).toStrictEqual(longest);
    expect(token({ op: 'deploy+mint', amt: '5' })).toStrictEqual({ op: 'deploy+mint', amt: 5n, dec: 0 });
  });

  test('tokens are parsed from at most 1 kB of JSON, and a token’s content type is found up to the last byte of a script', () => {
    const json = (length: number) => '{"p":"bsv-20","op":"deploy+mint","amt":"1"}'.padEnd(length);
    expect(readToken(inscribed(json(1024)))).not.toBeNull();
    expect(readToken(inscribed(json(1025)))).toBeNull();
    expect(mentionsToken(text('application/bsv-20'))).toBe(true);
    expect(mentionsToken(text('application/bsv-2'))).toBe(false);
  });

  test('a token is rejected if its bytes are invalid UTF-8', () => {
    const content = concatBytes(text('{"p":"bsv-20","op":"deploy+mint","amt":"1","sym":"'), fromHex('ff'), text('"}'));
    expect(readToken(writeInscription('application/bsv-20', content, LOCK))).toBeNull();
  });

  test.each([['{'], ['}'], ['['], [']'], ['\\"'], ['\\"{'], ['\\\\']])(
    'a token with a repeated name is rejected, regardless of the text %s in earlier or nested values',
    (value) => {
      const fields = (before: string, amt: string) =>
        inscribed(`{${before},"p":"bsv-20","op":"transfer","id":"${ID}",${amt}}`);
      for (const before of [
        `"x":"${value}"`,
        `"x":["${value}"]`,
        `"x":{"y":"${value}","amt":"3"}`,
        `"x":[[{}],{"amt":[]}]`,
      ]) {
        expect(readToken(fields(before, '"amt":"1"')), before).toMatchObject({ amt: 1n });
        expect(readToken(fields(before, '"amt":"1","amt":"2"')), before).toBeNull();
      }
    },
  );

  test('numbers, texts and null are not tokens', () => {
    for (const json of ['null', '5', '"bsv-20"', 'true', '[]']) expect(readToken(inscribed(json))).toBeNull();
  });

  test('tokens have 0 to 18 decimals and at most 2^64 - 1 units', () => {
    for (let dec = 0; dec <= 18; dec += 1)
      expect(token({ op: 'deploy+mint', amt: '1', dec: String(dec) })).toMatchObject({ dec });
    for (const dec of [0, 4, 18]) expect(token({ op: 'deploy+mint', amt: '1', dec })).toMatchObject({ dec });
    for (const dec of ['19', '-1', '08', '1.0', '', 19, -1, 0.5, null, true, '1e1'])
      expect(token({ op: 'deploy+mint', amt: '1', dec })).toBeNull();
    expect(token({ op: 'transfer', id: ID, amt: String(MAX_TOKEN_AMOUNT) })?.amt).toBe(MAX_TOKEN_AMOUNT);
    expect(token({ op: 'transfer', id: ID, amt: String(MAX_TOKEN_AMOUNT + 1n) })).toBeNull();
  });

  test.each([
    ['0'],
    ['01'],
    ['+1'],
    ['-1'],
    ['1e3'],
    ['1.0'],
    [' 1'],
    ['1 '],
    ['0x1'],
    ['١'],
    [''],
    [1],
    [null],
    [['1']],
    [undefined],
    ['9'.repeat(400)],
  ])('a token with the amount %j is rejected', (amt) => {
    expect(token({ op: 'transfer', id: ID, amt })).toBeNull();
    expect(token({ op: 'deploy+mint', amt })).toBeNull();
  });

  test.each([
    [TXID],
    [`${TXID}_`],
    [`${TXID}_00`],
    [`${TXID}_4294967296`],
    [`${TXID.toUpperCase()}_0`],
    [`${TXID}:0`],
    [` ${ID}`],
    [1],
    [[ID]],
    [undefined],
  ])('a token with the ID %j is rejected', (bad) => {
    expect(token({ op: 'transfer', id: bad, amt: '1' })).toBeNull();
    if (typeof bad === 'string') expect(readTokenId(bad)).toBeNull();
  });

  test.each([
    ['a name that stands twice', `{"p":"bsv-20","op":"transfer","id":"${ID}","amt":"1","amt":"2"}`],
    ['the same, escaped', `{"p":"bsv-20","op":"transfer","id":"${ID}","amt":"1","\\u0061mt":"2"}`],
    ['a list', '["bsv-20"]'],
    ['another protocol', `{"p":"brc-20","op":"transfer","id":"${ID}","amt":"1"}`],
    ['another operation', `{"p":"bsv-20","op":"mint","id":"${ID}","amt":"1"}`],
    ['another operation, of no token', '{"p":"bsv-20","op":"mint","amt":"1"}'],
    ['a large letter', `{"p":"bsv-20","op":"Transfer","id":"${ID}","amt":"1"}`],
    ['a symbol that is no text', '{"p":"bsv-20","op":"deploy+mint","amt":"1","sym":5}'],
    ['a mint with an ID', `{"p":"bsv-20","op":"deploy+mint","amt":"1","id":"${ID}"}`],
    ['a byte order mark', '\uFEFF{"p":"bsv-20","op":"deploy+mint","amt":"1"}'],
    ['more than is read', `{"p":"bsv-20","op":"deploy+mint","amt":"1","x":"${'x'.repeat(1024)}"}`],
    ['nesting', `{"p":"bsv-20","op":"deploy+mint","amt":"1","x":${'['.repeat(900)}`],
    ['no JSON', 'p=bsv-20'],
  ])('a script with a rejected token still mentions a token: %s', (_title, json) => {
    expect(readToken(inscribed(json))).toBeNull();
    expect(mentionsToken(inscribed(json))).toBe(true);
  });

  test('content of a different type isn’t a token, but a type in uppercase still mentions one', () => {
    const json = '{"p":"bsv-20","op":"deploy+mint","amt":"1"}';
    expect(readToken(inscribed(json, 'text/plain'))).toBeNull();
    expect(mentionsToken(inscribed(json, 'text/plain'))).toBe(false);
    expect(readToken(inscribed(json, 'Application/BSV-20'))).toBeNull();
    expect(mentionsToken(inscribed(json, 'Application/BSV-20'))).toBe(true);
  });

  test('tokens are not written if they couldn’t be parsed back', () => {
    for (const bad of [
      { op: 'transfer', id: 'x', amt: 1n },
      { op: 'transfer', id: ID, amt: 0n },
      { op: 'transfer', id: ID, amt: MAX_TOKEN_AMOUNT + 1n },
      { op: 'deploy+mint', amt: 1n, dec: 19 },
      { op: 'deploy+mint', amt: 1n, dec: -1 },
      { op: 'deploy+mint', amt: 1n, dec: 0.5 },
      { op: 'deploy+mint', amt: 1n, dec: 0, icon: 'http://x' },
      { op: 'deploy+mint', amt: 1n, dec: 0, sym: 'x'.repeat(33) },
      { op: 'deploy+mint', amt: 1n, dec: 0, sym: '' },
    ] as Token[])
      expect(() => writeTokenScript(bad, LOCK)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });
});

describe('the amounts of a transaction’s outputs', () => {
  const transaction = (...scripts: Uint8Array[]): Transaction => ({
    version: 1,
    inputs: [],
    outputs: scripts.map((lockingScript) => ({ satoshis: 1n, lockingScript })),
    lockTime: 0,
  });
  const send = (amt: bigint, of = ID) => writeTokenScript({ op: 'transfer', id: of, amt }, LOCK);
  const valid = (made: Transaction, spent: TokenAmount[]) =>
    validOutputs(tokenOutputs(made, 'cd'.repeat(32)).outputs, spent).map(({ vout, id: of, amt }) => [vout, of, amt]);

  test('a mint holds the stated amount, with its own outpoint as the token’s ID', () => {
    const script = writeTokenScript({ op: 'deploy+mint', amt: 5n, dec: 2 }, LOCK);
    expect(valid(transaction(LOCK, script), [])).toEqual([[1, `${'cd'.repeat(32)}_1`, 5n]]);
    expect(tokenOutputs(transaction(script, send(1n)), TXID).outputs.map(({ mint: said }) => said)).toEqual([
      { op: 'deploy+mint', amt: 5n, dec: 2 },
      null,
    ]);
  });

  test('all transfers of a token are valid if their sum is at most the spent amount, otherwise none, independent of other tokens', () => {
    const other = `${'ef'.repeat(32)}_1`;
    const spent = [
      { id: ID, amt: 1000n },
      { id: ID, amt: 500n },
    ];
    expect(valid(transaction(send(800n), send(600n), send(100n)), spent)).toHaveLength(3);
    expect(valid(transaction(send(800n)), spent)).toHaveLength(1);
    expect(valid(transaction(send(800n), send(701n)), spent)).toEqual([]);
    expect(valid(transaction(send(1n, other), send(5n)), spent)).toEqual([[1, ID, 5n]]);
    expect(valid(transaction(send(1n)), [])).toEqual([]);
  });

  test('sums beyond 2^64 do not overflow', () => {
    expect(valid(transaction(send(MAX_TOKEN_AMOUNT), send(2n)), [{ id: ID, amt: 1n }])).toEqual([]);
  });

  test('burned amounts count against the spent amount', () => {
    const burn = inscribed(JSON.stringify({ p: 'bsv-20', op: 'burn', id: ID, amt: '2' }));
    expect(valid(transaction(send(3n), burn), [{ id: ID, amt: 4n }])).toEqual([]);
    expect(valid(transaction(send(3n), burn), [{ id: ID, amt: 5n }])).toEqual([[0, ID, 3n]]);
  });

  test('an unreadable output is unclear, and so is one with more than one satoshi', () => {
    const made = transaction(send(1n), inscribed('{"p":"bsv-20","amt":1}'), LOCK, send(1n));
    (made.outputs[3] as { satoshis: bigint }).satoshis = 2n;
    expect(tokenOutputs(made, TXID)).toMatchObject({ outputs: [{ vout: 0 }], unclear: [1, 3] });
  });
});

test('inscriptions are found among ten million opcodes without copying them', () => {
  expect(readInscription(new Uint8Array(10_000_000).fill(0x61))).toBeNull();
  const zeros = new Uint8Array(1_000);
  const cut = vi.spyOn(zeros, 'subarray');
  expect(readInscription(zeros)).toBeNull();
  expect(cut).not.toHaveBeenCalled();
  expect(mentionsToken(new Uint8Array(10_000_000).fill(0x61))).toBe(false);
});
