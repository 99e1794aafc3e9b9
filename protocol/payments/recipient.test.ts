import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NETWORKS, writeAddress } from '../bitcoin/address.ts';
import { isPaymailAsAddress, recipientKind } from './recipient.ts';

const ADDRESS = writeAddress(new Uint8Array(20).fill(7), 'mainnet');

describe('the type of a recipient by its form', () => {
  test.each([
    'alice@example.com',
    'a@b',
    'alice.b+c@pay.example.co.uk',
    '12@example.com',
    `${ADDRESS}@example.com`,
    'ALICE@EXAMPLE.COM',
    'ab@1.2.3.4',
  ])('[R-01] %s has the form of an email address: a paymail', (to) => {
    expect(recipientKind(to)).toBe('PAYMAIL');
  });

  test.each(['1', '0', '75101', '1234567890123456789', '12345678', '0011'])(
    '[R-02] %s consists of digits: a user ID, though it would also be a script',
    (to) => {
      expect(recipientKind(to)).toBe('USER');
    },
  );

  test.each(NETWORKS)('[R-03] an address of %s is an address, although it doesn’t name its network', (network) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (hash) => {
        expect(recipientKind(writeAddress(hash, network))).toBe('ADDRESS');
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    'OP_DUP OP_HASH160 89abcdefabbaabbaabbaabbaabbaabbaabbaabba OP_EQUALVERIFY OP_CHECKSIG',
    'OP_NOP OP_1',
    'OP_FALSE OP_RETURN 6869',
    'OP_TRUE',
    'OP_1 abcd',
  ])('[R-04] %s is valid ASM: a script', (to) => {
    expect(recipientKind(to)).toBe('SCRIPT');
  });

  test.each([
    '',
    ' ',
    'alice',
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a b@c.d',
    'a@b..c',
    'a@.b',
    'a@b.',
    'alice@example.com ',
    ' alice@example.com',
    'a@b\n',
    '1.5',
    '-1',
    '1 2',
    '12345678901234567890',
    '１２',
    `${ADDRESS.slice(0, -1)}x`,
    `${ADDRESS} `,
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'OP_NONSENSE',
    'OP_HASH160 89abcdefabbaabbaabbaabbaabbaabbaabbaabba OP_EQUAL',
    '-1 0',
    'ab cd',
    '76a91489abcdefabbaabbaabbaabbaabbaabbaabbaabba88ac',
    'OP_DUP  OP_DROP',
    '$handle',
    'https://example.com',
    `${'a'.repeat(65)}@example.com`,
  ])('[R-05] %j is not a recipient', (to) => {
    expect(recipientKind(to)).toBeNull();
  });

  test('the option `address` may contain a paymail, for compatibility with the original button, but no other option may', () => {
    expect(isPaymailAsAddress('address', 'alice@example.com')).toBe(true);
    for (const [field, text] of [
      ['address', ADDRESS],
      ['address', '75101'],
      ['userId', 'alice@example.com'],
      ['script', 'alice@example.com'],
    ] as const) {
      expect(isPaymailAsAddress(field, text), `${field} ${text}`).toBe(false);
    }
  });

  test('long texts are classified without catastrophic backtracking', () => {
    for (const to of [
      `${'a'.repeat(20_000)}@`,
      `a@${'b.'.repeat(10_000)}`,
      '1'.repeat(20_000),
      'OP_'.repeat(7000),
      'z'.repeat(20_000),
      'ab '.repeat(7000),
    ]) {
      expect(recipientKind(to)).toBeNull();
    }
  });
});
