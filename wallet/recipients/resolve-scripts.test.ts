import { expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { checkSum, scriptsFor } from './resolve.ts';
import { wallet } from '../../testkit/wallet/current.ts';

vi.mock('../paymail/destination.ts', () => ({
  paymailDestination: async () => ({ scripts: [{ script: '51', satoshis: 4n }], host: null }),
}));

const script = (satoshis: bigint) => ({ script: '51', satoshis });
const check = async (...satoshis: bigint[]) => checkSum(satoshis.map(script), 100n);

test('[R-33] several scripts may pay one recipient, if they add up to exactly its amount', async () => {
  expect(await codeOf(check(100n))).toBe('none');
  expect(await codeOf(check(30n, 70n))).toBe('none');
  expect(await codeOf(check(30n, 71n))).toBe('invalid-recipient');
  expect(await codeOf(check(30n, 69n))).toBe('invalid-recipient');
  expect(await codeOf(check())).toBe('invalid-recipient');
  // The sum is right, but one value is zero or negative.
  expect(await codeOf(check(0n, 100n))).toBe('invalid-recipient');
  expect(await codeOf(check(-1n, 101n))).toBe('invalid-recipient');
});

test('an address has one script on its own network, and none on another', async () => {
  const address = writeAddress(new Uint8Array(20).fill(7), 'mainnet');
  expect(await scriptsFor(wallet, { type: 'ADDRESS', text: address }, 5n, 'mainnet', '')).toEqual({
    scripts: [{ script: `76a914${'07'.repeat(20)}88ac`, satoshis: 5n }],
    host: null,
  });
  expect(await codeOf(scriptsFor(wallet, { type: 'ADDRESS', text: address }, 5n, 'devnet', ''))).toBe(
    'invalid-recipient',
  );
});

test('a host’s scripts are paid only if they add up to the requested amount', async () => {
  expect(await codeOf(scriptsFor(wallet, { type: 'PAYMAIL', text: 'a@b.c' }, 4n, 'devnet', ''))).toBe('none');
  expect(await codeOf(scriptsFor(wallet, { type: 'PAYMAIL', text: 'a@b.c' }, 5n, 'devnet', ''))).toBe(
    'invalid-recipient',
  );
});
