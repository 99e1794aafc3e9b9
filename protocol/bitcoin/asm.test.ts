import { OP } from '@bsv/sdk';
import bsv from 'bsv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDataScript, parseAsm, parseScript } from './asm.ts';
import { fromHex, toHex } from './bytes.ts';

const hexOf = (text: string): string | null => {
  const script = parseAsm(text);
  return script && toHex(script);
};
const wordOf = (word: string): string | null => hexOf(`OP_NOP ${word}`)?.slice(2) ?? null;

/** All opcode names in @bsv/sdk's table, except fixed-length pushes. */
const names = Object.entries(OP as Record<string, number>).filter(
  ([name, value]) => name.startsWith('OP_') && !/^OP_(?:PUSHDATA|DATA_|INVALID)/.test(name) && value <= 0xb9,
);

describe('[R-04] a script in ASM', () => {
  test('opcodes have the same numbers as in @bsv/sdk', () => {
    const known = names.filter(([name]) => wordOf(name) !== null);
    for (const [name, value] of known) expect(wordOf(name), name).toBe(value.toString(16).padStart(2, '0'));
    // Two names in @bsv/sdk's table, including OP_CHECKLOCKTIMEVERIFY, aren't BSV opcodes.
    expect(known.length).toBeGreaterThan(100);
    for (const name of [
      'OP_DUP',
      'OP_HASH160',
      'OP_EQUALVERIFY',
      'OP_CHECKSIG',
      'OP_CHECKMULTISIG',
      'OP_RETURN',
      'OP_16',
      'OP_1NEGATE',
      'OP_CAT',
      'OP_SPLIT',
      'OP_NUM2BIN',
      'OP_LSHIFT',
      'OP_NOP10',
    ]) {
      expect(known.map(([one]) => one)).toContain(name);
    }
  });

  test('a script is parsed to the same bytes as by bsv 1.5.6', () => {
    const opcode = fc.constantFrom(
      ...names
        .map(([name]) => name)
        .filter(
          (name) =>
            wordOf(name) !== null && bsv.Opcode.map[name] !== undefined && !/^OP_(?:0|FALSE|1NEGATE)$/.test(name),
        ),
    );
    const push = fc
      .uint8Array({ minLength: 1, maxLength: 300 })
      .map(toHex)
      .filter((hex) => !/^\d+$/.test(hex));
    fc.assert(
      fc.property(fc.array(fc.oneof(opcode, push), { minLength: 1, maxLength: 12 }), (tokens) => {
        const text = ['OP_NOP', ...tokens].join(' ');
        expect(hexOf(text)).toBe(bsv.Script.fromASM(text).toHex());
      }),
    );
  });

  test.each([
    [
      'OP_DUP OP_HASH160 89abcdefabbaabbaabbaabbaabbaabbaabbaabba OP_EQUALVERIFY OP_CHECKSIG',
      '76a91489abcdefabbaabbaabbaabbaabbaabbaabbaabba88ac',
    ],
    ['OP_0 OP_NOP', '0061'],
    ['OP_FALSE OP_NOP', '0061'],
    ['OP_TRUE OP_NOP', '5161'],
    ['OP_1 OP_NOP', '5161'],
    ['0 OP_DROP', '0075'],
    ['-1 OP_NOP', '4f61'],
    ['OP_1NEGATE OP_1ADD', '4f8b'],
    ['OP_2DUP', '6e'],
    ['OP_RETURN ff', '6a01ff'],
    ['aA OP_DROP', '01aa75'],
    ['OP_FALSE OP_RETURN 6869', '006a026869'],
    ['01 OP_ADD', '010193'],
  ])('%s is %s', (text, hex) => {
    expect(hexOf(text)).toBe(hex);
  });

  test.each([
    '',
    ' ',
    '  ',
    'OP_DUP ',
    ' OP_DUP',
    'OP_DUP  OP_DROP',
    'OP_DUP\tOP_DROP',
    'OP_DUP\nOP_DROP',
    'OP_DUP\u00a0OP_DROP',
    'abc',
    'OP_DUP abc',
    'OP_DUP 0xab',
    'OP_DUP -1a',
    'OP_DUP 00x',
    'xy',
    '0xab',
    'DUP',
    'op_dup',
    'OP_dup',
    'OP_',
    'OP_17',
    'OP_FOO',
    'OP_DUP OP_FOO',
    'OP_PUSHDATA1 01 ab',
    '1',
    '123',
    '12',
    '1234',
    'OP_1 2',
    '-2',
    '+1',
    '1 1',
    'hello world',
    '__proto__',
    'constructor',
    'toString',
    'OP_DUP;OP_DROP',
    'OP_DUP,OP_DROP',
    'é1',
  ])('a script can’t be %j', (text) => {
    expect(parseAsm(text)).toBeNull();
  });

  test.each([
    ['OP_1', '51'],
    ['OP_TRUE', '51'],
    ['OP_0', '00'],
    ['OP_RESERVED', '50'],
    ['OP_1 ab OP_16', '5101ab60'],
    ['-1 OP_FALSE', '4f00'],
  ])('a script may consist only of pushes, like %s', (text, hex) => {
    expect(hexOf(text)).toBe(hex);
  });

  test.each(['-1', '0 0', 'ab', 'ab cd', '04 12 34 56', '76a91489abcdefabbaabbaabbaabbaabbaabbaabbaabba88ac'])(
    'a text is a script only if it contains an opcode: %s is not, because anyone could spend a misread text',
    (text) => {
      expect(parseAsm(text)).toBeNull();
    },
  );

  test('a script may be the hex of its bytes if it is given as a script', () => {
    const text = 'OP_DUP OP_HASH160 89abcdefabbaabbaabbaabbaabbaabbaabbaabba OP_EQUALVERIFY OP_CHECKSIG';
    const hex = '76a91489abcdefabbaabbaabbaabbaabbaabbaabbaabba88ac';
    expect([parseScript(text), parseScript(hex), parseScript(hex.toUpperCase())].map((s) => s && toHex(s))).toEqual([
      hex,
      hex,
      hex,
    ]);
    expect(['', 'abc', 'xy', '76 a9', ' 76'].map(parseScript)).toEqual([null, null, null, null, null]);
  });

  test('a script never consists of only digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{0,40}$/), (digits) => {
        expect(parseAsm(digits)).toBeNull();
      }),
    );
  });

  test('any text is parsed without a crash', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(
          parseAsm(text) === null ||
            /^(?:OP_[0-9A-Z]+|-1|0|(?:[0-9a-fA-F]{2})+)(?: (?:OP_[0-9A-Z]+|-1|0|(?:[0-9a-fA-F]{2})+))*$/.test(text),
        ).toBe(true);
      }),
    );
  });
});

test('a data script is recognized by its first bytes', () => {
  expect(['6a', '006a', '006a0101', '6aff'].map((hex) => isDataScript(fromHex(hex)))).toEqual([true, true, true, true]);
  for (const hex of ['', '00', '51', '0076', '76a9', '01006a', '516a', '016a'])
    expect(isDataScript(fromHex(hex)), hex).toBe(false);
});
