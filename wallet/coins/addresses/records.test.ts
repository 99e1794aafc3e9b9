import { expect, test } from 'vitest';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { writeTokenScript } from '../../../protocol/assets/bsv21/token.ts';
import { testScript } from '../../../testkit/wallet/coins.ts';
import { addressScriptOf } from './records.ts';

test('an output is assigned to the address whose key spends it, with any content', () => {
  const script = testScript(4);
  expect(addressScriptOf(script)).toBe(toHex(script));
  const token = writeTokenScript({ op: 'transfer', id: `${'ab'.repeat(32)}_0`, amt: 5n }, script);
  expect(addressScriptOf(token)).toBe(toHex(script));
});

test('an output whose script requires more than a signature is assigned to no address', () => {
  expect(addressScriptOf(new Uint8Array([0x51]))).toBeNull();
  expect(addressScriptOf(new Uint8Array([...testScript(4), 0x51]))).toBeNull();
});
