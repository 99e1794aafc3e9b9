import { OP } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeAddress } from '../protocol/address.ts';
import { isOpcodeName } from './opcodes.ts';
import { recipientKind } from './recipient.ts';

const ADDRESS = writeAddress(new Uint8Array(20).fill(7), 'devnet');
const MAINNET = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

describe('data-to is told apart by its form', () => {
  test.each([
    ['[R-01] an email form is a paymail', 'ada@example.com', 'PAYMAIL'],
    ['[R-01] also one of digits before the @', '123@example.com', 'PAYMAIL'],
    ['[R-02] digits are a user ID', '75101', 'USER'],
    ['[R-02] digits alone are never a script', '00', 'USER'],
    ['[R-03] a test address', ADDRESS, 'ADDRESS'],
    ['[R-03] a mainnet address', MAINNET, 'ADDRESS'],
    ['[R-04] ASM', 'OP_DUP OP_HASH160 1234567890123456789012345678901234567890 OP_EQUALVERIFY OP_CHECKSIG', 'SCRIPT'],
    ['[R-04] ASM with small numbers', 'OP_FALSE OP_RETURN 0 -1 beef', 'SCRIPT'],
    ['[R-05] an address with a wrong checksum', `${ADDRESS.slice(0, -1)}${ADDRESS.endsWith('x') ? 'y' : 'x'}`, null],
    ['[R-05] empty', '', null],
    ['[R-05] blank', ' ', null],
    ['[R-05] ASM with two blanks', 'OP_DUP  OP_HASH160', null],
    ['[R-05] ASM with odd hex', 'OP_RETURN abc', null],
    ['[R-05] an unknown opcode', 'OP_RETURN OP_NONSENSE', null],
    ['[R-05] 21 digits', '1'.repeat(21), null],
    ['[R-05] a word', 'nobody', null],
    ['[R-05] two @', 'a@b@c', null],
    ['[R-05] an address with a blank', ` ${MAINNET}`, null],
  ])('%s', (_, text, kind) => expect(recipientKind(text)).toBe(kind));

  test('never throws, and says null or a kind', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
      expect([null, 'PAYMAIL', 'USER', 'ADDRESS', 'SCRIPT']).toContain(recipientKind(text));
    }), { numRuns: 500 });
  });

  test('every change of one letter of an address is noticed', () => {
    fc.assert(fc.property(fc.nat(ADDRESS.length - 1), fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'), (at, letter) => {
      fc.pre(ADDRESS[at] !== letter);
      expect(recipientKind(ADDRESS.slice(0, at) + letter + ADDRESS.slice(at + 1))).not.toBe('ADDRESS');
    }), { numRuns: 500 });
  });
});

test('[R-04] every opcode name is one that @bsv/sdk knows', () => {
  const known = Object.keys(OP).filter((name) => name.startsWith('OP_'));
  const ours = known.filter(isOpcodeName);
  expect(ours.length).toBeGreaterThan(100);
  // Left out: other names of NOP2 and NOP3, opcodes not yet active on the network, and templates that are no opcodes.
  expect(known.filter((name) => !isOpcodeName(name)).filter((name) => !/PUSHDATA|NOP\d+|INVALIDOPCODE|PUBKEY|SMALL/.test(name))).toEqual([
    'OP_CHECKLOCKTIMEVERIFY', 'OP_CHECKSEQUENCEVERIFY', 'OP_SUBSTR', 'OP_LEFT', 'OP_RIGHT', 'OP_LSHIFTNUM', 'OP_RSHIFTNUM',
  ]);
});
