import { expect, test } from 'vitest';
import { writeAddress } from '../../../protocol/address.ts';
import { checkSum, scriptsFor } from './resolvers.ts';

const codeOf = (promise: Promise<unknown>) => promise.then(() => 'none', (error: { code?: string }) => error.code ?? error);
const script = (satoshis: bigint) => ({ script: '51', satoshis });
const check = async (...satoshis: bigint[]) => checkSum(satoshis.map(script), 100n);

test('[R-33] several scripts may pay one recipient, if they come to exactly what it gets', async () => {
  expect(await codeOf(check(100n))).toBe('none');
  expect(await codeOf(check(30n, 70n))).toBe('none');
  expect(await codeOf(check(30n, 71n))).toBe('invalid-recipient');
  expect(await codeOf(check(30n, 69n))).toBe('invalid-recipient');
  expect(await codeOf(check())).toBe('invalid-recipient');
  // What the sum hides: nothing, or less than nothing.
  expect(await codeOf(check(0n, 100n))).toBe('invalid-recipient');
  expect(await codeOf(check(-1n, 101n))).toBe('invalid-recipient');
});

test('an address gives one script on its own network, and none on another', async () => {
  const address = writeAddress(new Uint8Array(20).fill(7), 'mainnet');
  expect(await scriptsFor({ type: 'ADDRESS', text: address }, 5n, 'mainnet')).toEqual([{ script: `76a914${'07'.repeat(20)}88ac`, satoshis: 5n }]);
  expect(await codeOf(scriptsFor({ type: 'ADDRESS', text: address }, 5n, 'devnet'))).toBe('invalid-recipient');
});

test.each(['PAYMAIL', 'USER'] as const)('%s is not paid yet', async (type) => {
  expect(await codeOf(scriptsFor({ type, text: 'alice@example.com' }, 5n, 'devnet'))).toBe('unsupported-recipient');
});
