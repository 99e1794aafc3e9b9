import { LockingScript, OP, P2PKH, PrivateKey, Spend, Transaction, UnlockingScript } from '@bsv/sdk';
import { Point } from '@noble/secp256k1';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { p2pkhHash, writeAddress } from '../../protocol/bitcoin/address.ts';
import { parseAsm } from '../../protocol/bitcoin/asm.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { SCRIPT_KINDS } from '../../protocol/messages/wallet-messages.ts';
import { testPair, testScript } from '../../testkit/wallet/coins.ts';
import { hash160 } from '../keys/keys.ts';
import { describeScript, ScriptBudget } from './describe-script.ts';
import { writeAsm } from './script-chunks.ts';

const describing = (script: Uint8Array) => describeScript(script, 'devnet');
const asm = (text: string) => describing(parseAsm(text) as Uint8Array);

test('opcodes of Chronicle are parsed by old and new name, and shown by the new one', () => {
  expect(parseAsm('1234 OP_2 OP_LEFT')).toEqual(fromHex('02123452b4'));
  expect(parseAsm('1234 OP_2 OP_NOP5')).toEqual(fromHex('02123452b4'));
  expect(asm('1234 OP_2 OP_LEFT').asm).toBe('1234 OP_2 OP_LEFT');
  // The opcode numbers used by @bsv/sdk's interpreter.
  for (const name of ['OP_SUBSTR', 'OP_LEFT', 'OP_RIGHT', 'OP_LSHIFTNUM', 'OP_RSHIFTNUM'] as const) {
    expect(parseAsm(name)).toEqual(new Uint8Array([OP[name]]));
    expect(writeAsm(new Uint8Array([OP[name]]))).toBe(name);
  }
});
const hex = (text: string) => describing(fromHex(text));
const key = (i: number) => toHex(testPair(i).publicKey);
const ADDRESS = writeAddress(hash160(testPair(0).publicKey), 'devnet');
const P2PKH_ASM = `OP_DUP OP_HASH160 ${toHex(hash160(testPair(0).publicKey))} OP_EQUALVERIFY OP_CHECKSIG`;
const P2PKH_HEX = toHex(testScript(0));
/** Hex of `hello`, and of three bytes that aren't text. */
const HELLO = '68656c6c6f';
const NO_TEXT = 'ff00fe';
const HASH = '11'.repeat(20);

describe('the owner of the money', () => {
  test('money at an address belongs to the holder of the address', () => {
    expect(asm(P2PKH_ASM)).toMatchObject({
      kind: 'address',
      address: ADDRESS,
      data: [],
      bytes: 25,
      hex: P2PKH_HEX,
      asm: P2PKH_ASM,
    });
    expect(describeScript(testScript(0), 'mainnet').address).toMatch(/^1/);
  });

  test('money locked to a key belongs to its holder, who is named by the key, or to no one if the key is off the curve', () => {
    expect(asm(`${key(0)} OP_CHECKSIG`)).toMatchObject({ kind: 'key', keys: [key(0)], needed: 1, address: ADDRESS });
    expect(asm(`02${'00'.repeat(31)}05 OP_CHECKSIG`)).toMatchObject({ kind: 'nobody', address: null, keys: [] });
    expect(asm(`05${'00'.repeat(32)} OP_CHECKSIG`)).toMatchObject({ kind: 'unreadable' });
  });

  test('money locked to m of n keys belongs to the holders of any m of them', () => {
    expect(asm(`OP_2 ${key(0)} ${key(1)} ${key(2)} OP_3 OP_CHECKMULTISIG`)).toMatchObject({
      kind: 'keys',
      needed: 2,
      keys: [key(0), key(1), key(2)],
      address: null,
    });
    expect(asm(`OP_1 ${key(0)} OP_1 OP_CHECKMULTISIG`)).toMatchObject({ kind: 'keys', needed: 1, keys: [key(0)] });
  });

  test('an m-of-n script in which one holder signs for several keys is unreadable', () => {
    const whole = toHex(Point.fromHex(key(0)).toBytes(false));
    const opposite = toHex(Point.fromHex(key(0)).negate().toBytes());
    for (const again of [key(0), whole, opposite])
      expect(asm(`OP_2 ${key(0)} ${key(1)} ${again} OP_3 OP_CHECKMULTISIG`).kind, again).toBe('unreadable');
  });

  test('a key in a longer push than necessary is unreadable, because nodes don’t relay its spends', () => {
    expect(hex(`514c21${key(0)}51ae`).kind).toBe('unreadable');
  });

  test.each([
    `OP_0 ${key(0)} OP_1 OP_CHECKMULTISIG`,
    `OP_2 ${key(0)} OP_1 OP_CHECKMULTISIG`,
    `OP_1 ${key(0)} ${key(1)} OP_1 OP_CHECKMULTISIG`,
    `OP_1 ${key(0)} ${NO_TEXT} OP_2 OP_CHECKMULTISIG`,
    `OP_1 ${key(0)} OP_1 OP_CHECKMULTISIG OP_DROP OP_1`,
  ])('the lock is unreadable: %s', (script) => {
    expect(asm(script).kind).toBe('unreadable');
  });

  test.each([
    'OP_TRUE OP_NOP',
    'OP_16 OP_NOP',
    `${HELLO} OP_NOP`,
    'OP_NOP',
    'OP_DROP OP_1',
    'OP_1 OP_VERIFY',
    'OP_VERIFY',
    'OP_1 OP_RETURN ff',
    'OP_0 OP_DROP',
    '-1 OP_NOP',
    '0080 81 OP_NOP',
  ])('anyone can spend %s', (script) => {
    expect(asm(script)).toMatchObject({ kind: 'anyone', address: null });
  });

  test('anyone can spend an empty script', () => {
    expect(hex('').kind).toBe('anyone');
  });

  test.each(['OP_0 OP_RETURN ff', 'OP_0 OP_NOP', '0080 OP_NOP', 'OP_0 OP_VERIFY OP_1', 'OP_1 OP_0 OP_RETURN'])(
    'no one can spend %s',
    (script) => {
      expect(asm(script).kind).toBe('nobody');
    },
  );

  test('no one can spend a script with a push longer than itself', () => {
    for (const script of ['05aabb', '4c', '4d01', '4e00000001', `${P2PKH_HEX}02ff`, '514e'])
      expect(hex(script).kind, script).toBe('nobody');
    expect(hex('516a05aabb').kind).toBe('anyone'); // OP_RETURN ends the script before the push
    expect(hex('63516a6805aabb').kind).toBe('unreadable');
  });

  test('a script without signatures can be spent by anyone who solves it, and an obsolete form is distinguished', () => {
    for (const script of [
      `OP_SHA256 ${'11'.repeat(32)} OP_EQUAL`,
      'OP_ADD OP_9 OP_EQUAL',
      `OP_HASH160 ${HASH} OP_EQUALVERIFY OP_1`,
      'OP_IF OP_1 OP_ENDIF',
      'OP_RESERVED OP_NOP',
    ]) {
      expect(asm(script).kind, script).toBe('puzzle');
    }
    expect(asm(`OP_HASH160 ${HASH} OP_EQUAL`).kind).toBe('retired');
    // A signature opcode inside data doesn't count.
    expect(asm(`OP_SHA256 acacacac OP_EQUAL`).kind).toBe('puzzle');
  });

  test.each([
    `${P2PKH_ASM} OP_DROP OP_1`,
    `OP_NOP ${P2PKH_ASM}`,
    `OP_IF ${P2PKH_ASM} OP_ENDIF`,
    `${P2PKH_ASM} ${HELLO}`,
    `${HELLO} ${P2PKH_ASM}`,
    `OP_DROP ${P2PKH_ASM}`,
    `${HELLO} OP_2DROP ${P2PKH_ASM}`,
    `${HELLO} ${HELLO} OP_DROP ${P2PKH_ASM}`,
    `OP_DUP OP_HASH160 ${'11'.repeat(19)} OP_EQUALVERIFY OP_CHECKSIG`,
    `OP_0 OP_IF ${HELLO} OP_ELSE OP_1 OP_RETURN OP_ENDIF ${P2PKH_ASM}`,
    `OP_1 OP_IF OP_1 OP_RETURN OP_ENDIF ${P2PKH_ASM}`,
    'OP_CHECKSIG OP_NOT',
    `${P2PKH_ASM} OP_CHECKSIG`,
    `${P2PKH_ASM} OP_RETURN`,
    `OP_0 OP_IF OP_ENDIF ${P2PKH_ASM}`,
    `05 OP_DROP ${P2PKH_ASM}`, // nodes require the shorter OP_5
  ])('the kind of %s is unknown', (script) => {
    expect(asm(script)).toMatchObject({ kind: 'unreadable', address: null });
  });

  test('an address whose hash is pushed in another way is unreadable', () => {
    const other = P2PKH_HEX.replace('76a914', '76a94c14');
    expect(hex(other)).toMatchObject({ kind: 'unreadable', address: null });
  });
});

describe('data in a script', () => {
  const hello = { text: 'hello', hex: HELLO, bytes: 5 };
  test.each<[string, object[]]>([
    [`${HELLO} OP_DROP ${P2PKH_ASM}`, [hello]],
    [`${HELLO} ${NO_TEXT} OP_2DROP ${P2PKH_ASM}`, [hello, { text: null, hex: NO_TEXT, bytes: 3 }]],
    [`${HELLO} ${HELLO} ${HELLO} OP_2DROP OP_DROP ${P2PKH_ASM}`, [hello, hello, hello]],
    [`${HELLO} OP_DROP ${HELLO} OP_DROP ${P2PKH_ASM}`, [hello, hello]],
    [`${P2PKH_ASM} ${HELLO} OP_DROP`, [hello]],
    [`${P2PKH_ASM} OP_RETURN ${HELLO}`, [hello]],
    [`OP_0 OP_IF ${HELLO} OP_1 OP_0 OP_ENDIF ${P2PKH_ASM}`, [hello, { text: null, hex: '01', bytes: 1 }]],
    [`${P2PKH_ASM} OP_0 OP_IF ${HELLO} OP_ENDIF`, [hello]],
  ])('data is read in addition to the address: %s', (script, data) => {
    expect(asm(script)).toMatchObject({ kind: 'address', address: ADDRESS, data });
  });

  test('data is read in addition to keys', () => {
    expect(asm(`${key(0)} OP_CHECKSIG ${HELLO} OP_DROP`)).toMatchObject({ kind: 'key', data: [hello] });
    expect(asm(`${HELLO} OP_DROP OP_1 ${key(0)} ${key(1)} OP_2 OP_CHECKMULTISIG`)).toMatchObject({
      kind: 'keys',
      needed: 1,
      data: [hello],
    });
  });

  test('any data may follow the end of a script, including invalid script', () => {
    expect(hex(`${P2PKH_HEX}6a05aa`)).toMatchObject({
      kind: 'address',
      address: ADDRESS,
      data: [{ text: null, hex: '05aa' }],
    });
    expect(asm(`${P2PKH_ASM} OP_RETURN OP_DUP ${HELLO}`)).toMatchObject({
      kind: 'address',
      data: [{ hex: `7605${HELLO}` }],
    });
  });

  test('data is shown as text if a script cannot be read', () => {
    expect(asm(`${HELLO} ${NO_TEXT} ${P2PKH_ASM}`)).toMatchObject({ kind: 'unreadable', data: [hello] });
  });

  test('data with control characters is not text, and all other characters are', () => {
    const data = (text: string) => asm(`${toHex(new TextEncoder().encode(text))} OP_DROP ${P2PKH_ASM}`).data[0];
    for (const text of ['a\0b', 'a\u001b[2K', '\u0085']) expect(data(text)?.text, JSON.stringify(text)).toBeNull();
    for (const text of ['zwei\nZeilen\t', 'שלום 🙂', '\uFEFFx', '\u202Ex']) expect(data(text)?.text).toBe(text);
  });
});

test('the data sent to a window is limited, and its reported size is the actual size', () => {
  const long = asm(`${'61'.repeat(9000)} OP_DROP ${P2PKH_ASM}`);
  expect([long.kind, long.bytes, long.data[0]?.bytes]).toEqual(['address', 9029, 9000]);
  expect(asm(`${Array.from({ length: 2000 }, () => 'OP_1').join(' ')} OP_CHECKSIG`)).toMatchObject({
    kind: 'unreadable',
    bytes: 2001,
  });
  const many = asm(`${Array.from({ length: 3000 }, () => `${HELLO} OP_DROP`).join(' ')} ${P2PKH_ASM}`);
  expect(JSON.stringify(long).length + JSON.stringify(many).length).toBeLessThan(50_000);
});

// Pieces of known scripts in any order, which are more likely to be meaningful than random bytes.
const pieces = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .constantFrom(
      0,
      0x51,
      0x52,
      0x61,
      0x63,
      0x64,
      0x67,
      0x68,
      0x69,
      0x6a,
      0x6d,
      0x75,
      0x76,
      0x87,
      0x88,
      0xa9,
      0xac,
      0xae,
      0xff,
    )
    .map((b) => new Uint8Array([b])),
  fc
    .constantFrom(HELLO, key(0), `02${'00'.repeat(31)}05`)
    .map((data) => concatBytes(new Uint8Array([data.length / 2]), fromHex(data))),
  fc.constant(testScript(0)),
  fc.constantFrom(2, 10, 24).map((n) => testScript(0).slice(0, n)),
);
const scripts = fc.oneof(
  { weight: 4, arbitrary: fc.array(pieces, { maxLength: 8 }).map((all) => concatBytes(...all)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);

const offsets = (script: Uint8Array) =>
  [...script.keys()].filter((at) => p2pkhHash(script.slice(at, at + 25)) !== null);

test('any bytes have a description, and only the exact bytes of an address are called an address', () => {
  fc.assert(
    fc.property(scripts, (script) => {
      const read = describing(script);
      expect(SCRIPT_KINDS).toContain(read.kind);
      expect(read.bytes).toBe(script.length);
      expect(read.kind === 'address' && read.data.length === 0).toBe(p2pkhHash(script) !== null);
      // If there is data around it, the address's script still appears byte for byte.
      if (read.kind === 'address')
        expect(offsets(script).some((at) => describing(script.slice(at, at + 25)).address === read.address)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

/**
 * True if @bsv/sdk's interpreter accepts these pushes as an unlocking script, under the network's rules since Genesis.
 */
function takes(script: Uint8Array, unlocking: UnlockingScript, transaction = new Transaction(1, [], [], 0)): boolean {
  const spend = new Spend({
    sourceTXID: 'aa'.repeat(32),
    sourceOutputIndex: 0,
    sourceSatoshis: 1000,
    lockingScript: LockingScript.fromHex(toHex(script)),
    transactionVersion: 1,
    otherInputs: [],
    outputs: transaction.outputs,
    inputIndex: 0,
    unlockingScript: unlocking,
    inputSequence: 0xffff_ffff,
    lockTime: 0,
    verifyFlags: [
      'GENESIS',
      'UTXO_AFTER_GENESIS',
      'MINIMALDATA',
      'DERSIG',
      'LOW_S',
      'STRICTENC',
      'SIGHASH_FORKID',
      'NULLDUMMY',
      'SIGPUSHONLY',
    ],
  });
  try {
    return spend.validate();
  } catch {
    return false;
  }
}

test('another interpreter agrees on scripts that anyone can spend, and on those that no one can', () => {
  // Six pieces drop at most 12 items, so 13 pushes are enough.
  const pushes = [0, 1, 2, 13].map((count) => UnlockingScript.fromASM(Array(count).fill('OP_1').join(' ')));
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('51', '00', '0180', '61', '69', '6a', '6d', '75', `05${HELLO}`), { maxLength: 6 }),
      (parts) => {
        const script = fromHex(parts.join(''));
        const { kind } = describing(script);
        seen.add(kind);
        const taken = pushes.some((unlocking) => takes(script, unlocking));
        expect(taken).toBe(kind === 'anyone');
        expect(['anyone', 'nobody', 'address']).toContain(kind);
      },
    ),
    { numRuns: 1500 },
  );
  expect([...seen].sort()).toEqual(['anyone', 'nobody']);
});

test.each([
  P2PKH_ASM,
  `${HELLO} OP_DROP ${P2PKH_ASM}`,
  `${HELLO} ${HELLO} OP_2DROP ${P2PKH_ASM}`,
  `${P2PKH_ASM} ${HELLO} OP_DROP`,
  `${P2PKH_ASM} OP_RETURN ${HELLO}`,
  `OP_0 OP_IF ${HELLO} OP_1 OP_ENDIF ${P2PKH_ASM}`,
])('another interpreter agrees that only the holder of the address can spend %s', async (text) => {
  const script = parseAsm(text) as Uint8Array;
  expect(describing(script)).toMatchObject({ kind: 'address', address: ADDRESS });
  const unlock = async (privateKey: Uint8Array) => {
    const transaction = new Transaction(1, [], [{ satoshis: 900, lockingScript: LockingScript.fromHex(P2PKH_HEX) }], 0);
    const template = new P2PKH().unlock(
      new PrivateKey(toHex(privateKey), 'hex'),
      'all',
      false,
      1000,
      LockingScript.fromHex(toHex(script)),
    );
    transaction.addInput({
      sourceTXID: 'aa'.repeat(32),
      sourceOutputIndex: 0,
      sequence: 0xffff_ffff,
      unlockingScriptTemplate: template,
    });
    return takes(script, await template.sign(transaction, 0), transaction);
  };
  expect(await unlock(testPair(0).privateKey)).toBe(true);
  expect(await unlock(testPair(1).privateKey)).toBe(false);
});

test('a script written as text is parsed as the same script', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          'OP_DUP',
          'OP_0',
          'OP_1NEGATE',
          'OP_16',
          'OP_NOP10',
          'OP_CHECKSIG',
          HELLO,
          '00'.repeat(80),
          'ab'.repeat(300),
        ),
        { minLength: 1, maxLength: 12 },
      ),
      (words) => {
        const script = parseAsm(`${words.join(' ')} OP_NOP`) as Uint8Array;
        expect(parseAsm(writeAsm(script))).toEqual(script);
      },
    ),
  );
  expect(writeAsm(fromHex('ff05aa'))).toBe('0xff …');
});

describe('a script of millions of opcodes', () => {
  const many = (count: number, ...pattern: number[]) =>
    Uint8Array.from({ length: count * pattern.length }, (_, i) => pattern[i % pattern.length] as number);
  const scripts: [string, (count: number) => Uint8Array][] = [
    ['pushes and drops', (count) => concatBytes(many(count, 1, 7), many(count, 0x75), testScript(0))],
    ['pushes after OP_RETURN', (count) => concatBytes(fromHex('006a'), many(count, 1, 7))],
    ['pushes in an envelope', (count) => concatBytes(fromHex('0063'), many(count, 1, 7), fromHex('68'), testScript(0))],
    ['small opcodes', (count) => many(count, 0x61)],
    ['texts', (count) => many(count, 5, ...fromHex(HELLO))],
  ];

  test.each(scripts)('a long script is described without an error: %s', (_, script) => {
    const described = describing(script(200_000));
    expect(['unreadable', 'nobody']).toContain(described.kind);
    expect(described.bytes).toBe(script(200_000).length);
    expect(described.asm).toMatch(/ …$/);
    expect(described.asm.length).toBeLessThan(5010);
    expect(described.data.length).toBeLessThanOrEqual(50);
  });

  /** Counts the bytes that are read to describe a script, individually or in slices. */
  const readsOf = (bytes: Uint8Array) => {
    let reads = 0;
    const counting = new Proxy(bytes, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const result: unknown = value.apply(target, args);
          reads += result instanceof Uint8Array ? result.length : target.length;
          return result;
        };
      },
    });
    describing(counting);
    return reads;
  };

  test.each(scripts)('only the beginning is read: %s', (_, script) => {
    expect(readsOf(script(200_000))).toBe(readsOf(script(20_000)));
  });

  test('the lock of a script is read from its beginning, regardless of the data after it', () => {
    const described = describing(concatBytes(testScript(0), fromHex('6a'), many(200_000, 1, 7)));
    expect(described).toMatchObject({ kind: 'address', address: ADDRESS });
    expect(described.data).toHaveLength(50);
  });

  test('a long script leaves less space for the other scripts of the same view', () => {
    const budget = new ScriptBudget();
    const kinds = Array.from({ length: 6 }, () => describeScript(many(9_999, 0x61), 'devnet', budget).kind);
    expect(kinds).toEqual(['anyone', 'anyone', 'anyone', 'anyone', 'anyone', 'unreadable']);
    expect(describeScript(testScript(0), 'devnet').kind).toBe('address');
  });
});
