import { describe, expect, test } from 'vitest';
import { codeThrownBy } from '../../testing/code-of.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { CryptoOperation } from '../../protocol/payments/payment.ts';
import { readOperations } from './read.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

const codeOf = (operations: CryptoOperation[]) => codeThrownBy(() => readOperations(wallet, operations));

describe('an operation', () => {
  test.each<[string, CryptoOperation[], string]>([
    ['nothing to sign', [{ name: 'a', method: 'sign' }], 'invalid-operation'],
    ['half a byte', [{ name: 'a', method: 'sign', data: 'abc', dataEncoding: 'hex' }], 'invalid-operation'],
    [
      'a name twice',
      [
        { name: 'a', method: 'address' },
        { name: 'a', method: 'public-key' },
      ],
      'invalid-operation',
    ],
    [
      'an algorithm for a different method',
      [{ name: 'a', method: 'sign', data: 'x', algorithm: 'electrum-ecies' }],
      'invalid-operation',
    ],
    [
      'an encoding that the method does not support',
      [{ name: 'a', method: 'sign', data: 'x', valueEncoding: 'hex' }],
      'invalid-operation',
    ],
    ['a signature that is called text', [{ name: 'a', method: 'sign', data: 'x', valueEncoding: 'utf8' }], 'none'],
    ['text to decrypt', [{ name: 'a', method: 'decrypt', data: 'beef', dataEncoding: 'utf8' }], 'invalid-operation'],
    ['a signature without a key', [{ name: 'a', method: 'verify', data: 'x', signature: 'y' }], 'invalid-operation'],
    ['nothing to verify', [{ name: 'a', method: 'verify', data: 'x', publicKey: KEY }], 'invalid-operation'],
    [
      'a key that is no point',
      [{ name: 'a', method: 'encrypt', data: 'x', publicKey: `02${'f'.repeat(64)}` }],
      'invalid-operation',
    ],
    ['an invalid paymail', [{ name: 'a', method: 'encrypt', data: 'x', paymail: 'bob' }], 'invalid-operation'],
    ['a transaction’s id', [{ name: 'a', method: 'sign', data: 'ab'.repeat(32) }], 'forbidden-data'],
    [
      'a transaction’s id by its text’s bytes',
      [{ name: 'a', method: 'sign', data: toHex(new TextEncoder().encode('ab'.repeat(32))), dataEncoding: 'hex' }],
      'forbidden-data',
    ],
    ['one byte too many', [{ name: 'a', method: 'encrypt', data: 'x'.repeat(99_001) }], 'data-too-large'],
    ['as much as there may be', [{ name: 'a', method: 'encrypt', data: 'x'.repeat(99_000) }], 'none'],
    [
      'a transaction’s ID to encrypt, which signs nothing',
      [{ name: 'a', method: 'encrypt', data: 'ab'.repeat(32) }],
      'none',
    ],
    [
      'more than its method has a use for',
      [
        {
          name: 'a',
          method: 'public-key',
          data: 'x',
          paymail: 'x',
          signature: 'x',
          value: 'x',
          algorithm: 'electrum-ecies',
        },
      ],
      'none',
    ],
  ])('an operation is checked: %s', (_, operations, code) => expect(codeOf(operations)).toBe(code));

  test('an operation is parsed with its method’s defaults', () => {
    expect(
      readOperations(wallet, [
        { name: 'a', method: 'decrypt', data: 'BEEF' },
        {
          name: 'b',
          method: 'verify',
          data: 'ü',
          signature: 's',
          paymail: 'Bob@Pay.example',
          publicKey: KEY.toUpperCase(),
        },
      ]),
    ).toEqual([
      {
        name: 'a',
        method: 'decrypt',
        text: 'BEEF',
        data: Uint8Array.of(0xbe, 0xef),
        dataEncoding: 'hex',
        valueEncoding: 'utf8',
        algorithm: 'electrum-ecies',
        publicKey: null,
        paymail: null,
        signature: null,
      },
      {
        name: 'b',
        method: 'verify',
        text: 'ü',
        data: Uint8Array.of(0xc3, 0xbc),
        dataEncoding: 'utf8',
        valueEncoding: 'hex',
        algorithm: 'bitcoin-signed-message',
        publicKey: KEY,
        paymail: 'bob@pay.example',
        signature: 's',
      },
    ]);
  });
});
