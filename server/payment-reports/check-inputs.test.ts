import { Curve, PrivateKey, Signature } from '@bsv/sdk';
import { describe, expect, it } from 'vitest';
import { concatBytes, fromHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseTransaction, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { pushData } from '../../protocol/bitcoin/push-data.ts';
import { checkInputs, outputSum } from './check-inputs.ts';
import { createSignedTransaction } from './testing-report.ts';

const checked = async (transaction: Transaction, inputs: string[] | undefined) => {
  try {
    return await checkInputs(transaction, inputs);
  } catch (error) {
    if (error instanceof ServiceError) return error.code === 'payment-mismatch' ? error.detail : error.code;
    throw error;
  }
};
/** Signed with @bsv/sdk, to test our digests against an independent implementation. */
const signed = async (values: number[], out = 900) =>
  parseTransaction(fromHex(await createSignedTransaction(values, out)));
const withUnlock = (transaction: Transaction, change: (script: Uint8Array) => Uint8Array): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map((input, i) =>
    i === 0 ? { ...input, unlockingScript: change(input.unlockingScript) } : input,
  ),
});

const NOT_SIGNED = 'a value differs from the one that its input’s signature covers';
const WRONG_SUM = 'the inputs are worth less than the outputs';

describe('checkInputs', () => {
  it('sums the values that the signatures prove', async () => {
    expect(await checked(await signed([1_000]), ['1000'])).toBe(1_000n);
    const three = await signed([1_000, 500, 123_456_789]);
    expect(await checked(three, ['1000', '500', '123456789'])).toBe(123_458_289n);
    expect(outputSum(three)).toBe(900n);
  });

  it('rejects every other value, in any order', async () => {
    const two = await signed([1_000, 500]);
    for (const inputs of [
      ['1001', '500'],
      ['999', '500'],
      ['500', '1000'],
      ['1000', '0'],
      ['1500', '0'],
      ['2100000000000001', '500'],
    ]) {
      expect(await checked(two, inputs), inputs.join()).toBe(NOT_SIGNED);
    }
    for (const inputs of [['1000'], ['1000', '500', '0']])
      expect(await checked(two, inputs), inputs.join()).toBe('inputs must contain a value for each input');
  });

  it('rejects inputs worth less than the outputs, or more than the money supply', async () => {
    expect(await checked(await signed([800]), ['800'])).toBe(WRONG_SUM);
    expect(await checked(await signed([900]), ['900'])).toBe(900n);
    const most = 2_100_000_000_000_000;
    expect(await checked(await signed([most]), [`${most}`])).toBe(BigInt(most));
    expect(await checked(await signed([most, 1]), [`${most}`, '1'])).toBe(WRONG_SUM);
  });

  it('yields to other requests between the signatures of many inputs, but not after each', async () => {
    const values = Array.from({ length: 130 }, (_, i) => 1_000 + i);
    const many = await signed(values);
    let [turns, isDone] = [0, false];
    const others = () => {
      if (isDone) return;
      turns += 1;
      setImmediate(others);
    };
    setImmediate(others);
    const sum = await checked(many, values.map(String)).finally(() => (isDone = true));
    expect(sum).toBe(BigInt(values.reduce((total, value) => total + value)));
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(turns).toBeLessThan(10);
  });

  it('returns no sum if none was reported, or if an input proves nothing', async () => {
    const one = await signed([1_000]);
    expect(await checked(one, undefined)).toBeNull();
    const signature = (script: Uint8Array) => script.slice(0, 1 + (script[0] as number));
    const uncompressed = pushData(Uint8Array.from(PrivateKey.fromRandom().toPublicKey().encode(false) as number[]));
    const others: [string, (script: Uint8Array) => Uint8Array][] = [
      ['empty', () => new Uint8Array()],
      ['a signature alone', signature],
      ['another kind of signature', (script) => script.map((byte, i) => (i === script[0] ? 0xc1 : byte))],
      ['a long key', (script) => concatBytes(signature(script), uncompressed)],
      ['something more', (script) => concatBytes(script, Uint8Array.of(0x51))],
    ];
    for (const [name, change] of others) expect(await checked(withUnlock(one, change), ['1000']), name).toBeNull();
  });

  it('rejects invalid signatures, with each bit flipped', async () => {
    const one = await signed([1_000]);
    const length = (one.inputs[0]?.unlockingScript[0] ?? 0) - 1;
    for (let bit = 8; bit < (1 + length) * 8; bit += 5) {
      const turned = withUnlock(one, (script) =>
        script.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
      );
      expect(await checked(turned, ['1000']), `bit ${bit}`).toBe(NOT_SIGNED);
    }
    expect(
      await checked(
        withUnlock(one, (script) => script.map((byte, i) => (i > script.length - 33 ? 0xff : byte))),
        ['1000'],
      ),
    ).toBe(NOT_SIGNED);
  });

  it('rejects the malleated high-S signature that anyone can make, because nodes accept only low S', async () => {
    const one = await signed([1_000]);
    const other = withUnlock(one, (script) => {
      const length = script[0] as number;
      const [der, rest] = [script.slice(1, length), script.slice(length)];
      const signature = Signature.fromDER([...der]);
      const turned = new Signature(signature.r, new Curve().n.sub(signature.s)).toDER() as number[];
      return concatBytes(Uint8Array.of(turned.length + 1), Uint8Array.from(turned), rest);
    });
    expect(await checked(other, ['1000'])).toBe(NOT_SIGNED);
  });

  it.each([
    [
      'BIP 66 encoding',
      '01000000015e63273cdc50b34413b67037b63f1c8c32c221531ea58eddf6bfba13ddd26dcf020000006b483045022100bbe1c87696329f319f7042962d271c88669bf261aeb75964f3e4e563f4c68a3d02204b32fea3513a48ac8297d7422fd7d691a86b0fecb367675da8f6cceb21e3bf31412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      true,
    ],
    [
      's has a leading zero byte it does not need',
      '01000000015e63273cdc50b34413b67037b63f1c8c32c221531ea58eddf6bfba13ddd26dcf020000006c493046022100bbe1c87696329f319f7042962d271c88669bf261aeb75964f3e4e563f4c68a3d0221004b32fea3513a48ac8297d7422fd7d691a86b0fecb367675da8f6cceb21e3bf31412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      false,
    ],
    [
      'version 2: a high S is allowed',
      '02000000013efe792c89df0e1146013c16221d7d187110dd0b42d64a1e69eb2497e4ae25c0650000006b48304502205728fef9990125a4123a21f190aecfaea16b9b46281ee8fc6b751a75589661f4022100fb06ebe10fbba167d47d91bcd3c4e487a81b9f60fd7008d8c9efa17f1d209955412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      true,
    ],
    [
      'version 1 keeps the low-S rule',
      '01000000013efe792c89df0e1146013c16221d7d187110dd0b42d64a1e69eb2497e4ae25c0650000006b48304502206c20ec4e506f17c86996d3f923d540aea2ee17ab40632f06f4c6c2030da80d0a0221009a61169dd85a03d41ab318b44630ac8ba12f31d4979f994b111d4e380ba77b5f412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      false,
    ],
    [
      'version 1, low S',
      '01000000013efe792c89df0e1146013c16221d7d187110dd0b42d64a1e69eb2497e4ae25c0650000006a47304402206c20ec4e506f17c86996d3f923d540aea2ee17ab40632f06f4c6c2030da80d0a0220659ee96227a5fc2be54ce74bb9cf5373197fab1217a906f0aeb51054c48ec5e2412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      true,
    ],
  ])('checks signatures as nodes do for the version: %s', async (_why, rawtx, isValid) => {
    expect(await checked(parseTransaction(fromHex(rawtx)), ['5000'])).toBe(isValid ? 5_000n : NOT_SIGNED);
  });
});
