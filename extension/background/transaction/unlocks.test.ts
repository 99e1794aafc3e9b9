import { LockingScript, P2PKH, PrivateKey, Transaction as SdkTransaction } from '@bsv/sdk';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { ByteWriter, parseTransactionHex, type Transaction } from '../../../protocol/transaction.ts';
import type { Coin } from '../coins/coin.ts';
import { appScript, signInput } from '../testing/applications.ts';
import { testCoin, testPair, testScript } from '../testing/coins.ts';
import { unsignedTransaction } from './sign.ts';
import { unlocksItself, unlocksOf } from './unlocks.ts';

afterEach(() => vi.restoreAllMocks());

type Outputs = 'all' | 'none' | 'single';
const coins = [
  testCoin(5000n, { index: 0, txid: '11'.repeat(32), vout: 3 }),
  testCoin(70_000n, { index: 1, txid: '22'.repeat(32) }),
  testCoin(9n, { index: 2, txid: '33'.repeat(32), vout: 1 }),
] as [Coin, Coin, Coin];

/** A transaction that spends them, each signed by its key as said, written by other software. */
async function spentBySdk(
  kinds: readonly [Outputs, boolean][],
  outputs = 2,
  spent: readonly Coin[] = coins,
): Promise<Transaction> {
  const transaction = new SdkTransaction();
  transaction.version = 2;
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
  test('that is signed in any way that a node takes spends each of its coins', async () => {
    const kind = fc.tuple(fc.constantFrom<Outputs[]>('all', 'none', 'single'), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.tuple(kind, kind, kind), fc.integer({ min: 1, max: 3 }), async (kinds, outputs) => {
        const transaction = await spentBySdk(kinds, outputs);
        for (const coin of coins) expect(unlocksOf(transaction)(coin)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test('that pays others than were signed for spends nothing, but where its type leaves them open', async () => {
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

  test('of a coin of another value or script spends nothing', async () => {
    const transaction = await spentBySdk([...all]);
    expect(unlocksOf(transaction)({ ...coins[0], satoshis: coins[0].satoshis + 1n })).toBe(false);
    expect(unlocksOf(transaction)({ ...coins[0], script: coins[1].script })).toBe(false);
  });

  test('of bytes turned at random spends nothing, and is no error', async () => {
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

test('of a script that is not locked to one key the network judges', async () => {
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

test('what many inputs share is hashed once where all are looked at for what unlocks them', () => {
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
