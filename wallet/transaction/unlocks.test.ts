import { createHash } from 'node:crypto';
import {
  LockingScript,
  P2PKH,
  PrivateKey,
  Transaction as SdkTransaction,
  TransactionSignature,
  type TransactionInput,
} from '@bsv/sdk';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex, serializeTransaction, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { ByteWriter } from '../../protocol/bitcoin/wire-format.ts';
import type { Coin } from '../coins/coin.ts';
import { appScript, signInput } from '../../testkit/wallet/applications.ts';
import { testCoin, testPair, testScript } from '../../testkit/wallet/coins.ts';
import { unsignedTransaction } from './sign.ts';
import { unlocksItself, unlocksOf } from './unlocks.ts';

afterEach(() => vi.restoreAllMocks());

type Outputs = 'all' | 'none' | 'single';
const coins = [
  testCoin(5000n, { index: 0, txid: '11'.repeat(32), vout: 3 }),
  testCoin(70_000n, { index: 1, txid: '22'.repeat(32) }),
  testCoin(9n, { index: 2, txid: '33'.repeat(32), vout: 1 }),
] as [Coin, Coin, Coin];

/** Returns a transaction, built with @bsv/sdk, that spends the coins, each with its own sighash type. */
async function spentBySdk(
  kinds: readonly [Outputs, boolean][],
  outputs = 2,
  spent: readonly Coin[] = coins,
  version = 1,
): Promise<Transaction> {
  const transaction = new SdkTransaction();
  transaction.version = version;
  for (const [i, coin] of spent.entries()) {
    const [kind, anyoneCanPay] = kinds[i] as [Outputs, boolean];
    const key = new PrivateKey(toHex(testPair(coin.index).privateKey), 'hex');
    const unlockingScriptTemplate = new P2PKH().unlock(
      key,
      kind,
      anyoneCanPay,
      Number(coin.satoshis),
      LockingScript.fromHex(coin.script),
    );
    transaction.addInput({
      sourceTXID: coin.txid,
      sourceOutputIndex: coin.vout,
      sequence: 7 + i,
      unlockingScriptTemplate,
    });
  }
  for (let i = 0; i < outputs; i += 1)
    transaction.addOutput({ satoshis: 100 + i, lockingScript: LockingScript.fromHex(toHex(testScript(50 + i))) });
  await transaction.sign();
  return parseTransactionHex(transaction.toHex());
}

const all = [
  ['all', false],
  ['all', false],
  ['all', false],
] as const satisfies [Outputs, boolean][];
const copyOf = (transaction: Transaction): Transaction => structuredClone(transaction);

describe('a spender', () => {
  test('a transaction signed in any way that nodes accept spends each of its coins', async () => {
    const kind = fc.tuple(fc.constantFrom<Outputs[]>('all', 'none', 'single'), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.tuple(kind, kind, kind), fc.integer({ min: 1, max: 3 }), async (kinds, outputs) => {
        const transaction = await spentBySdk(kinds, outputs);
        for (const coin of coins) expect(unlocksOf(transaction)(coin)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test('a transaction with outputs other than the signed ones spends nothing, unless its signature type leaves them open', async () => {
    const signed = await spentBySdk(
      [
        ['all', false],
        ['none', false],
        ['single', true],
      ],
      3,
    );
    const altered = copyOf(signed);
    (altered.outputs[0] as { satoshis: bigint }).satoshis += 1n;
    expect(coins.map((coin) => unlocksOf(altered)(coin))).toEqual([false, true, true]);
    (altered.outputs[2] as { satoshis: bigint }).satoshis += 1n;
    expect(coins.map((coin) => unlocksOf(altered)(coin))).toEqual([false, true, false]);
  });

  const forged: [string, (transaction: Transaction) => void][] = [
    ['without a signature', ({ inputs: [first] }) => void (first!.unlockingScript = new Uint8Array())],
    [
      'of a key that is not ours',
      ({ inputs: [first, second] }) => void (first!.unlockingScript = second!.unlockingScript),
    ],
    ['whose signature is of another transaction', ({ inputs: [first] }) => void (first!.sequence += 1)],
    ['whose signature has a bit turned', ({ inputs: [first] }) => void (first!.unlockingScript[20]! ^= 1)],
    [
      'of a type that is none',
      ({ inputs: [first] }) => void (first!.unlockingScript[first!.unlockingScript[0]!] = 0x01),
    ],
    ['of type 0', ({ inputs: [first] }) => void (first!.unlockingScript[first!.unlockingScript[0]!] = 0x40)],
    [
      'with something before its signature',
      ({ inputs: [first] }) => void (first!.unlockingScript = new Uint8Array([0x51, ...first!.unlockingScript])),
    ],
    [
      'with something after its key',
      ({ inputs: [first] }) => void (first!.unlockingScript = new Uint8Array([...first!.unlockingScript, 0x51])),
    ],
    ['of another output', ({ inputs: [first] }) => void (first!.vout += 1)],
    ['of another transaction', ({ inputs: [first] }) => void (first!.txid = '44'.repeat(32))],
  ];
  test.each(forged)('%s spends nothing', async (_, forge) => {
    const transaction = copyOf(await spentBySdk([...all]));
    forge(transaction);
    expect(unlocksOf(transaction)(coins[0])).toBe(false);
  });

  test('a coin of a different value or script isn’t spent', async () => {
    const transaction = await spentBySdk([...all]);
    expect(unlocksOf(transaction)({ ...coins[0], satoshis: coins[0].satoshis + 1n })).toBe(false);
    expect(unlocksOf(transaction)({ ...coins[0], script: coins[1].script })).toBe(false);
  });

  test('random bytes spend nothing and throw nothing', async () => {
    const transaction = await spentBySdk([...all]);
    const script = (transaction.inputs[0] as Transaction['inputs'][number]).unlockingScript;
    fc.assert(
      fc.property(fc.nat(script.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const altered = copyOf(transaction);
        altered.inputs[0]!.unlockingScript[at]! ^= by;
        expect(unlocksOf(altered)(coins[0])).toBe(false);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the rules of the transaction’s version', () => {
  const script = '76a914e81daff9a687487a1ac9f32926cdb24760f6d66088ac';

  test.each([
    [
      'BIP 66 encoding',
      2,
      'cf6dd2dd13babff6dd8ea51e5321c2328c1c3fb63770b61344b350dc3c27635e',
      '01000000015e63273cdc50b34413b67037b63f1c8c32c221531ea58eddf6bfba13ddd26dcf020000006b483045022100bbe1c87696329f319f7042962d271c88669bf261aeb75964f3e4e563f4c68a3d02204b32fea3513a48ac8297d7422fd7d691a86b0fecb367675da8f6cceb21e3bf31412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      true,
    ],
    [
      's has a leading zero byte it does not need',
      2,
      'cf6dd2dd13babff6dd8ea51e5321c2328c1c3fb63770b61344b350dc3c27635e',
      '01000000015e63273cdc50b34413b67037b63f1c8c32c221531ea58eddf6bfba13ddd26dcf020000006c493046022100bbe1c87696329f319f7042962d271c88669bf261aeb75964f3e4e563f4c68a3d0221004b32fea3513a48ac8297d7422fd7d691a86b0fecb367675da8f6cceb21e3bf31412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      false,
    ],
    [
      'version 2: a high S is allowed',
      101,
      'c025aee49724eb691e4ad6420bdd1071187d1d22163c0146110edf892c79fe3e',
      '02000000013efe792c89df0e1146013c16221d7d187110dd0b42d64a1e69eb2497e4ae25c0650000006b48304502205728fef9990125a4123a21f190aecfaea16b9b46281ee8fc6b751a75589661f4022100fb06ebe10fbba167d47d91bcd3c4e487a81b9f60fd7008d8c9efa17f1d209955412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      true,
    ],
    [
      'version 1 keeps the low-S rule',
      101,
      'c025aee49724eb691e4ad6420bdd1071187d1d22163c0146110edf892c79fe3e',
      '01000000013efe792c89df0e1146013c16221d7d187110dd0b42d64a1e69eb2497e4ae25c0650000006b48304502206c20ec4e506f17c86996d3f923d540aea2ee17ab40632f06f4c6c2030da80d0a0221009a61169dd85a03d41ab318b44630ac8ba12f31d4979f994b111d4e380ba77b5f412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      false,
    ],
    [
      'version 1, low S',
      101,
      'c025aee49724eb691e4ad6420bdd1071187d1d22163c0146110edf892c79fe3e',
      '01000000013efe792c89df0e1146013c16221d7d187110dd0b42d64a1e69eb2497e4ae25c0650000006a47304402206c20ec4e506f17c86996d3f923d540aea2ee17ab40632f06f4c6c2030da80d0a0220659ee96227a5fc2be54ce74bb9cf5373197fab1217a906f0aeb51054c48ec5e2412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000',
      true,
    ],
  ])('the rules decide whether a coin counts as spent: %s', (_why, vout, txid, rawtx, isSpent) => {
    const coin = { ...coins[0], txid, vout, script, satoshis: 5000n };
    expect(unlocksOf(parseTransactionHex(rawtx))(coin)).toBe(isSpent);
  });

  test('version 2 may have further items below the signature, and version 1 may not', async () => {
    for (const version of [1, 2]) {
      const transaction = copyOf(await spentBySdk([...all], 2, coins, version));
      const [first] = transaction.inputs as [Transaction['inputs'][number]];
      first.unlockingScript = new Uint8Array([0x51, ...first.unlockingScript]);
      expect(unlocksOf(transaction)(coins[0])).toBe(version === 2);
    }
  });

  /** Returns the bytes that a signature with the original sighash algorithm covers. */
  type PreimageOf = (transaction: Transaction, inputIndex: number, coin: Coin) => Uint8Array;

  const preimageBySdk: PreimageOf = ({ inputs, outputs }, inputIndex, coin) =>
    Uint8Array.from(
      TransactionSignature.formatOTDA({
        sourceTXID: coin.txid,
        sourceOutputIndex: coin.vout,
        sourceSatoshis: 1000,
        transactionVersion: 1,
        otherInputs: inputs
          .map(({ txid, vout }) => ({ sourceTXID: txid, sourceOutputIndex: vout, sequence: 7 }))
          .toSpliced(inputIndex, 1) as TransactionInput[],
        outputs: outputs.map(({ lockingScript }) => ({
          satoshis: 900,
          lockingScript: LockingScript.fromBinary([...lockingScript]),
        })),
        inputIndex,
        subscript: LockingScript.fromHex(coin.script),
        inputSequence: 7,
        lockTime: 0,
        scope: 0x61,
      }),
    );

  /** For large transactions, with which @bsv/sdk takes seconds. */
  const ownPreimage: PreimageOf = (transaction, inputIndex, { script }) => {
    const scripts = transaction.inputs.map((_, i) => (i === inputIndex ? fromHex(script) : new Uint8Array()));
    const inputs = transaction.inputs.map((input, i) => ({ ...input, unlockingScript: scripts[i] as Uint8Array }));
    return concatBytes(serializeTransaction({ ...transaction, inputs }), Uint8Array.of(0x61, 0, 0, 0));
  };

  /** Returns a transaction whose inputs are signed with the original sighash algorithm. */
  function signedOriginally(
    count: number,
    outputBytes: number,
    preimageOf = preimageBySdk,
  ): { transaction: Transaction; spent: Coin[] } {
    const spent = Array.from({ length: count }, (_, i) =>
      testCoin(1000n, { index: 0, txid: (i + 1).toString(16).padStart(64, '0') }),
    );
    const key = new PrivateKey(toHex(testPair(0).privateKey), 'hex');
    const inputs = spent.map(({ txid, vout }) => ({ txid, vout, sequence: 7, unlockingScript: new Uint8Array() }));
    const transaction: Transaction = {
      version: 1,
      inputs,
      outputs: [{ satoshis: 900n, lockingScript: new Uint8Array(outputBytes).fill(0x51) }],
      lockTime: 0,
    };
    for (const [inputIndex, coin] of spent.entries()) {
      const preimage = preimageOf(transaction, inputIndex, coin);
      const der = key.sign([...createHash('sha256').update(preimage).digest()]).toDER() as number[];
      const publicKey = key.toPublicKey().encode(true) as number[];
      inputs[inputIndex]!.unlockingScript = new Uint8Array([der.length + 1, ...der, 0x61, 33, ...publicKey]);
    }
    return { transaction, spent };
  }

  test('a signature may cover the original digest', () => {
    const { transaction, spent } = signedOriginally(2, 100);
    expect(spent.map(unlocksOf(transaction))).toEqual([true, true]);
    transaction.lockTime += 1;
    expect(spent.map(unlocksOf(transaction))).toEqual([false, false]);
  });

  test('at most 16 MiB are hashed for signatures over the original digest', () => {
    const { transaction, spent } = signedOriginally(3, 6 * 2 ** 20, ownPreimage);
    expect(spent.map(unlocksOf(transaction))).toEqual([true, true, false]);
  });
});

test('only the network verifies a script that is not locked to one key', async () => {
  const isUnlocked = unlocksItself(copyOf(await spentBySdk([...all])));
  expect(isUnlocked({ ...coins[0], script: '5187' })).toBe(true);
  expect(isUnlocked({ ...coins[0], satoshis: 1n })).toBe(false);
});

test('a consolidation four times as long takes four times as many hashed bytes, not sixteen times', async () => {
  const bytesFor = async (count: number): Promise<number> => {
    const many = Array.from({ length: count }, (_, i) =>
      testCoin(1000n, { index: i % 3, txid: (i + 1).toString(16).padStart(64, '0') }),
    );
    const transaction = await spentBySdk(
      many.map((_, i) => [i % 2 ? 'all' : 'none', false]),
      1,
      many,
    );
    let bytes = 0;
    const done = ByteWriter.prototype.done;
    const spy = vi.spyOn(ByteWriter.prototype, 'done').mockImplementation(function counted(this: ByteWriter) {
      const written = done.call(this);
      bytes += written.length;
      return written;
    });
    const isSigned = unlocksOf(transaction);
    expect(many.every((coin) => isSigned(coin))).toBe(true);
    spy.mockRestore();
    return bytes;
  };
  const few = await bytesFor(8);
  expect(few).toBeGreaterThan(0);
  expect(await bytesFor(32)).toBeLessThanOrEqual(few * 4);
});

test('data shared by many inputs is hashed once if all unlocking scripts are checked', () => {
  const bytesFor = (count: number): number => {
    const given = Array.from({ length: count }, (_, vout) => ({
      txid: 'ab'.repeat(32),
      vout,
      satoshis: 1000n,
      script: appScript(0),
      sequence: 0xffff_ffff,
      unlockingScript: null as Uint8Array | null,
      unlockingBytes: 107,
    }));
    const outputs = [{ satoshis: 0n, lockingScript: new Uint8Array(100_000) }];
    const plan = { given, inputs: [], outputs, changeIndexes: [], feeSatoshis: 0n };
    const unlockingScript = fromHex(signInput(unsignedTransaction(plan), 0, 1000));
    for (const input of given) input.unlockingScript = unlockingScript;
    let bytes = 0;
    const done = ByteWriter.prototype.done;
    const spy = vi.spyOn(ByteWriter.prototype, 'done').mockImplementation(function counted(this: ByteWriter) {
      const written = done.call(this);
      bytes += written.length;
      return written;
    });
    const isUnlocked = unlocksItself(unsignedTransaction(plan));
    expect(given.filter(isUnlocked).map(({ vout }) => vout)).toEqual([0]);
    spy.mockRestore();
    return bytes;
  };
  expect(bytesFor(32) - bytesFor(8)).toBeLessThan(100_000);
});
