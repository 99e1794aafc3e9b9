import {
  LockingScript,
  OP,
  P2PKH,
  PrivateKey,
  ProtoWallet,
  PushDrop,
  RPuzzle,
  Spend,
  Transaction,
  type WalletInterface,
} from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { pushDropKey } from './push-drop.ts';

const PRIVATE_KEY = PrivateKey.fromHex('07'.repeat(32));
const KEY = PRIVATE_KEY.toPublicKey().encode(true) as number[];
const hexKey = toHex(Uint8Array.from(KEY));
const wallet = new ProtoWallet(PRIVATE_KEY);
const tokens = new PushDrop(wallet as unknown as WalletInterface);

const keyIn = (script: LockingScript) => {
  const key = pushDropKey(fromHex(script.toHex()));
  return key && toHex(key);
};

const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((data) => [...data]);
/** Data for every push encoding: numbers, direct pushes, and lengths of one, two and four bytes. */
const field = fc.oneof(
  fc.constantFrom<number[]>([], [0], [1], [16], [0x81]),
  bytes(75),
  fc.uint8Array({ minLength: 76, maxLength: 300 }).map((data) => [...data]),
  fc.constantFrom(65_535, 65_536).map((length) => Array.from({ length }, () => 7)),
);

test('the key of each script that @bsv/sdk’s PushDrop creates is found', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(field, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('before' as const, 'after' as const),
      fc.boolean(),
      async (fields, position, isSigned) => {
        const script = await tokens.lock(fields, [2, 'push drop test'], '1', 'self', true, isSigned, position);
        const { publicKey } = await wallet.getPublicKey({
          protocolID: [2, 'push drop test'],
          keyID: '1',
          counterparty: 'self',
          forSelf: true,
        });
        expect(keyIn(script)).toBe(publicKey);
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);

/** True if the @bsv/sdk interpreter accepts the key's signature as the complete unlocking script. */
async function isUnlockedBySignature(lockingScript: LockingScript): Promise<boolean> {
  const source = new Transaction(1, [], [{ satoshis: 1, lockingScript }]);
  const spend = new Transaction();
  // The P2PKH template signs any script, but also appends the public key, which is removed below.
  const { sign } = new P2PKH().unlock(PRIVATE_KEY, 'all', false, 1, lockingScript);
  spend.addInput({ sourceTransaction: source, sourceOutputIndex: 0, sequence: 0xffffffff });
  spend.addOutput({ satoshis: 0, lockingScript: LockingScript.fromASM('OP_FALSE OP_RETURN') });
  const unlockingScript = await sign(spend, 0);
  unlockingScript.chunks.pop();
  try {
    return new Spend({
      sourceTXID: source.id('hex'),
      sourceOutputIndex: 0,
      sourceSatoshis: 1,
      lockingScript,
      transactionVersion: spend.version,
      otherInputs: [],
      outputs: spend.outputs,
      unlockingScript: LockingScript.fromBinary(unlockingScript.toBinary()),
      inputSequence: 0xffffffff,
      inputIndex: 0,
      lockTime: 0,
    }).validate();
  } catch {
    return false;
  }
}

const push = bytes(80).map((data) => new LockingScript().writeBin(data).toBinary());
const key = fc.constant(new LockingScript().writeBin(KEY).toBinary());
const opcode = fc
  .constantFrom(OP.OP_DROP, OP.OP_2DROP, OP.OP_CHECKSIG, OP.OP_0, OP.OP_1, OP.OP_16, OP.OP_1NEGATE, OP.OP_NOP)
  .map((code) => [code as number]);
const part = fc.oneof(push, key, opcode, opcode);
/** Scripts similar to PushDrop scripts: any pushes, the key, and the opcodes of such scripts. */
const near = fc.oneof(
  fc.array(part, { maxLength: 10 }),
  fc
    .tuple(fc.array(push, { maxLength: 3 }), fc.integer({ min: 0, max: 4 }))
    .map(([pushes, drops]) => [
      new LockingScript().writeBin(KEY).toBinary(),
      [OP.OP_CHECKSIG],
      ...pushes,
      ...Array.from({ length: drops }, () => [OP.OP_DROP]),
    ]),
);

describe('any script', () => {
  test('a key is found only if its signature unlocks the script in @bsv/sdk’s interpreter', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(near, async (parts) => {
        const script = LockingScript.fromBinary(parts.flat());
        const read = keyIn(script);
        if (read !== hexKey) return;
        found += 1;
        expect(await isUnlockedBySignature(script)).toBe(true);
      }),
      { numRuns: 700 },
    );
    expect(found).toBeGreaterThan(10);
  }, 60_000);

  test('random bytes never throw, and have a key only if it is part of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 0, max: 400 }), (data, cut) => {
        const script = Uint8Array.from([...data, ...new LockingScript().writeBin(KEY).toBinary(), OP.OP_CHECKSIG]);
        for (const one of [data, script, script.subarray(cut)]) {
          const read = pushDropKey(one);
          if (read) expect(toHex(one)).toContain(toHex(read));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a million pushes are read in one pass', () => {
    const script = new Uint8Array(1_000_000).fill(OP.OP_1);
    expect(pushDropKey(script)).toBeNull();
  });
});

test.each<[string, () => LockingScript]>([
  ['P2PKH', () => new P2PKH().lock(PRIVATE_KEY.toAddress())],
  ['an R puzzle', () => new RPuzzle().lock(KEY)],
  ['two checks of a signature', () => LockingScript.fromASM(`${hexKey} OP_CHECKSIG ${hexKey} OP_CHECKSIG`)],
  ['a script with too few pushes to drop', () => LockingScript.fromASM(`${hexKey} OP_CHECKSIG OP_1 OP_2DROP`)],
  ['a push that is left', () => LockingScript.fromASM(`${hexKey} OP_CHECKSIG OP_1`)],
  ['a longer push of a number than necessary', () => LockingScript.fromHex(`21${hexKey}ac010175`)],
  ['a longer form of a push than necessary', () => LockingScript.fromHex(`21${hexKey}ac4c02070775`)],
  ['a key that is cut off', () => LockingScript.fromHex(`21${hexKey.slice(2)}`)],
  ['a key of a form that no curve has', () => LockingScript.fromASM(`05${hexKey.slice(2)} OP_CHECKSIG`)],
  ['data to return', () => LockingScript.fromASM(`OP_FALSE OP_RETURN ${hexKey} OP_CHECKSIG`)],
])('no key is found in %s', (_, script) => {
  expect(keyIn(script())).toBeNull();
});
