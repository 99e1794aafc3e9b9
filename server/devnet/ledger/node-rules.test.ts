/**
 * Handwritten scripts, and the expected verdicts on spending coins locked with them. The ledger must reject everything
 * that a node rejects (bitcoin-sv 1.2.2, with Chronicle active from the first block).
 */
import { Curve, OP, Signature } from '@bsv/sdk';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { concatBytes, fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction, type TransactionOutput } from '../../../protocol/bitcoin/transaction.ts';
import { pushData } from '../../../protocol/bitcoin/push-data.ts';
import { MAX_NUMBER_SIZE } from '../arc/policy.ts';
import {
  bytesOf,
  fund,
  submitBytes,
  type Plan,
  sendAll,
  signature,
  submit,
  type TestCoin,
  testKey,
  testNode,
} from '../test-ledger.ts';

const owner = testKey();
const SATOSHIS = 100_000n;

/** Encodes a script from opcodes and data pushes. */
function code(...parts: (keyof typeof OP | Uint8Array | number)[]): Uint8Array {
  return concatBytes(
    ...parts.map((part) => {
      if (part instanceof Uint8Array) return pushData(part);
      return new Uint8Array([typeof part === 'number' ? part : (OP[part] as number)]);
    }),
  );
}

const bytes = (length: number, last = 1): Uint8Array => new Uint8Array(length).fill(last, -1);
const hash160 = fromHex('b472a266d0bd89c13706a4132ccfb16f7c3b9fcb'); // HASH160 of the empty byte string
const signed =
  (scope: number, around = (push: Uint8Array) => push): Plan['unlock'] =>
  (whole, i, coin) =>
    around(pushData(signature(whole, i, coin, owner, scope)));

interface Case {
  lock: Uint8Array;
  unlock?: Uint8Array | Plan['unlock'];
  version?: number;
}

const script = (...parts: Parameters<typeof code>): Case => ({ lock: code(...parts) });

/** Spends that a node rejects. */
const REFUSED: Record<string, Case> = {
  'OP_VERIF in a branch that is not executed': script('OP_0', 'OP_IF', 'OP_VERIF', 'OP_ENDIF', 'OP_1'),
  'OP_VERNOTIF in a branch that is not executed': script('OP_0', 'OP_IF', 'OP_VERNOTIF', 'OP_ENDIF', 'OP_1'),
  OP_NOP1: script('OP_NOP1', 'OP_1'),
  OP_CHECKLOCKTIMEVERIFY: script('OP_1', 'OP_CHECKLOCKTIMEVERIFY'),
  OP_CHECKSEQUENCEVERIFY: script('OP_1', 'OP_CHECKSEQUENCEVERIFY'),
  OP_NOP9: script('OP_NOP9', 'OP_1'),
  OP_NOP10: script('OP_NOP10', 'OP_1'),
  'a sum of a number over 10,000 bytes': script(bytes(MAX_NUMBER_SIZE + 1), 'OP_1ADD'),
  'a comparison with a number over 10,000 bytes': script('OP_1', bytes(MAX_NUMBER_SIZE + 1), 'OP_LESSTHAN'),
  'the middle of three numbers over 10,000 bytes': script(
    'OP_1',
    bytes(MAX_NUMBER_SIZE + 1, 0x81),
    'OP_2',
    'OP_WITHIN',
  ),
  'a number over 10,000 bytes made from bytes': script(bytes(MAX_NUMBER_SIZE + 1), 'OP_BIN2NUM'),
  'a number shifted beyond 10,000 bytes': script('OP_1', fromHex('803801'), 'OP_LSHIFTNUM'),
  'a number shifted beyond all memory': script('OP_1', fromHex('00000020'), 'OP_LSHIFTNUM'),
  'a number shifted back by more than 32 bits count': script('OP_1', fromHex('0000008000'), 'OP_RSHIFTNUM', 'OP_NOT'),
  'bytes beyond all memory': script('OP_1', fromHex('00000040'), 'OP_NUM2BIN'),
  'a condition that is open after an OP_RETURN in another': script(
    'OP_1',
    'OP_1',
    'OP_IF',
    'OP_RETURN',
    'OP_ENDIF',
    'OP_IF',
  ),
  'a condition that is closed twice after an OP_RETURN in it': script(
    'OP_1',
    'OP_1',
    'OP_IF',
    'OP_RETURN',
    'OP_ENDIF',
    'OP_ENDIF',
  ),
  'two OP_ELSE after an OP_RETURN': script(
    'OP_1',
    'OP_1',
    'OP_IF',
    'OP_RETURN',
    'OP_ENDIF',
    'OP_IF',
    'OP_ELSE',
    'OP_ELSE',
    'OP_ENDIF',
  ),
  'a push beyond the end after an OP_RETURN in a condition': script(
    'OP_1',
    'OP_1',
    'OP_IF',
    'OP_RETURN',
    'OP_ENDIF',
    5,
    1,
  ),
  OP_RESERVED: script('OP_RESERVED', 'OP_1'),
  'an operation that does not exist': script(0xba, 'OP_1'),
};

/** Notable spends that a node accepts, such as those close to a limit. */
const TAKEN: Record<string, Case> = {
  OP_NOP: script('OP_NOP', 'OP_1'),
  'operations that are refused or do not exist, in a branch that is not executed': script(
    'OP_0',
    'OP_IF',
    'OP_NOP1',
    'OP_CHECKLOCKTIMEVERIFY',
    0xba,
    'OP_RESERVED',
    'OP_ENDIF',
    'OP_1',
  ),
  'OP_VERIF that is executed': script(fromHex('01000000'), 'OP_VERIF', 'OP_1', 'OP_ELSE', 'OP_0', 'OP_ENDIF'),
  'a sum of a number of 10,000 bytes': script(bytes(MAX_NUMBER_SIZE), 'OP_1ADD'),
  'a product over 10,000 bytes': script(bytes(MAX_NUMBER_SIZE), 'OP_DUP', 'OP_MUL'),
  'data over 10,000 bytes': script(
    bytes(MAX_NUMBER_SIZE),
    'OP_DUP',
    'OP_CAT',
    'OP_SIZE',
    fromHex('204e'),
    'OP_NUMEQUALVERIFY',
  ),
  'a number shifted to 10,000 bytes': script('OP_1', fromHex('703801'), 'OP_LSHIFTNUM'),
  'a number shifted back': script('OP_4', 'OP_2', 'OP_RSHIFTNUM'),
  'doubling and halving': script('OP_4', 'OP_2MUL', 'OP_2DIV', 'OP_4', 'OP_EQUAL'),
  'parts of data': script(fromHex('010203'), 'OP_1', 'OP_1', 'OP_SUBSTR', 'OP_2', 'OP_EQUAL'),
  'the version': script('OP_VER', fromHex('01000000'), 'OP_EQUAL'),
  'an OP_RETURN in a condition, and whole conditions after it': script(
    'OP_1',
    'OP_1',
    'OP_IF',
    'OP_RETURN',
    'OP_ENDIF',
    'OP_0',
    'OP_IF',
    'OP_ELSE',
    'OP_ENDIF',
  ),
  'anything after OP_RETURN': script('OP_1', 'OP_RETURN', 'OP_IF', 0xba, 5),
  'the hash of a script, and one operation more': {
    lock: code('OP_HASH160', hash160, 'OP_EQUAL', 'OP_NOP'),
    unlock: code('OP_0'),
  },
  'the longer hash of a script': {
    lock: code('OP_HASH256', fromHex('5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456'), 'OP_EQUAL'),
    unlock: code('OP_0'),
  },
  'a signature': { lock: code(owner.publicKey, 'OP_CHECKSIG'), unlock: signed(0x41) },
  'two signatures of three': {
    lock: code('OP_2', owner.publicKey, owner.publicKey, owner.publicKey, 'OP_3', 'OP_CHECKMULTISIG'),
    unlock: signed(0x41, (push) => concatBytes(code('OP_0'), push, push)),
  },
};

function highS(push: Uint8Array): Uint8Array {
  const scope = push.at(-1) as number;
  const { r, s } = Signature.fromDER([...push.subarray(1, -1)]);
  const order = new Curve().n;
  return pushData(new Uint8Array([...(new Signature(r, order.sub(s)).toDER() as number[]), scope]));
}

/** Changes that third parties can make to a transaction, and that Chronicle allows for versions above 1. */
const ALTERED: Record<string, Case> = {
  'an operation in an unlocking script': { lock: code('OP_1'), unlock: code('OP_NOP') },
  'an item left on the stack': { lock: code('OP_1'), unlock: code('OP_1') },
  'a push longer than needed': {
    lock: code(fromHex('07'), 'OP_EQUAL'),
    unlock: fromHex('4c0107'),
  },
  'a signature with a high S': { lock: code(owner.publicKey, 'OP_CHECKSIG'), unlock: signed(0x41, highS) },
  'an invalid signature that is not empty': {
    lock: code(owner.publicKey, 'OP_CHECKSIG', 'OP_NOT'),
    unlock: (whole, i, coin) => pushData(signature(whole, i, { ...coin, satoshis: 1n }, owner, 0x41)),
  },
};

/** Features introduced by Chronicle, in any version. */
const NEW: Record<string, Case> = {
  'a signature over the original digest': { lock: code(owner.publicKey, 'OP_CHECKSIG'), unlock: signed(0x61) },
  'a signature of one output over the original digest': {
    lock: code(owner.publicKey, 'OP_CHECKSIG'),
    unlock: signed(0xe3),
  },
  OP_LEFT: script(fromHex('0102'), 'OP_1', 'OP_LEFT'),
  OP_2MUL: script('OP_1', 'OP_2MUL'),
};

/** Spends that a node might accept but this ledger rejects, exactly as listed in docs/architecture/service.md. */
const STRICTER: Record<string, Case> = {
  '`OP_VERIF` or `OP_VERNOTIF` in a branch that is not executed, even if every condition is closed': script(
    'OP_0',
    'OP_IF',
    'OP_VERIF',
    'OP_ENDIF',
    'OP_ENDIF',
    'OP_1',
  ),
  'an empty signature with a public key that is not on the curve': {
    lock: code(fromHex(`02${'00'.repeat(31)}05`), 'OP_CHECKSIG', 'OP_NOT'),
    unlock: code('OP_0'),
  },
  'bytes shifted by more bits than memory has': {
    lock: code('OP_1', fromHex('ffffff7f'), 'OP_LSHIFT', 'OP_NOT'),
    unlock: code(),
  },
  'more than 16 MB on the stack (a node: 100 MB)': script(
    bytes(500),
    ...Array.from({ length: 15 }, () => ['OP_DUP', 'OP_CAT'] as const).flat(),
    'OP_DUP',
    'OP_DROP',
  ),
};

/** Locks coins with the scripts, spends the coins, and returns the verdicts by case name. */
async function verdicts(cases: Record<string, Case>, chronicleHeight?: number): Promise<Record<string, string>> {
  const node = await testNode(undefined, chronicleHeight);
  const names = Object.keys(cases);
  const outputs = names.map((name): TransactionOutput => ({
    satoshis: SATOSHIS,
    lockingScript: (cases[name] as Case).lock,
  }));
  const coin = await fund(node, owner, Number(SATOSHIS) * names.length + 100_000);
  const { txid } = await submit(node, bytesOf({ coins: [coin], owner, outputs }));
  const said: Record<string, string> = {};
  for (const [vout, name] of names.entries()) {
    const { lock, unlock, version = 1 } = cases[name] as Case;
    const locked: TestCoin = { txid, vout, satoshis: SATOSHIS, lockingScript: lock };
    const made = typeof unlock === 'function' ? unlock : () => unlock ?? new Uint8Array(0);
    said[name] = await submitBytes(
      node,
      bytesOf({
        coins: [locked],
        owner,
        outputs: [{ satoshis: SATOSHIS - 1_000n, lockingScript: owner.script }],
        version,
        unlock: made,
      }),
    );
  }
  return said;
}

const number = (said: string): string => said.split(' ')[0] ?? '';
const each = <T>(cases: Record<string, Case>, value: T): Record<string, T> =>
  Object.fromEntries(Object.keys(cases).map((name) => [name, value]));

test('the ledger rejects what a node rejects', async () => {
  const said = await verdicts(REFUSED);
  expect(Object.fromEntries(Object.entries(said).map(([name, verdict]) => [name, number(verdict)]))).toEqual(
    each(REFUSED, '461'),
  );
});

test('the ledger accepts what a node accepts close to its limits', async () => {
  expect(await verdicts(TAKEN)).toEqual(each(TAKEN, 'taken'));
});

const inVersion = (version: number): Record<string, Case> =>
  Object.fromEntries(Object.entries(ALTERED).map(([name, one]) => [name, { ...one, version }]));

test('malleated forms are accepted in version 2 and rejected in version 1', async () => {
  expect(await verdicts(inVersion(2))).toEqual(each(ALTERED, 'taken'));
  const refused = Object.values(await verdicts(inVersion(1)));
  expect(refused.map(number)).toEqual(['463', '461', '461', '461', '461']);
});

test('Chronicle adds opcodes and the original digest in version 1', async () => {
  expect(await verdicts(NEW)).toEqual(each(NEW, 'taken'));
});

test('a chain below the height of the Chronicle upgrade rejects everything that the upgrade allows', async () => {
  const before = { ...inVersion(2), ...NEW };
  const said = Object.values(await verdicts(before, 100_000));
  expect(said.filter((verdict) => verdict === 'taken')).toEqual([]);
});

test('docs/architecture/service.md lists every form that devnet rejects although a node may accept it', async () => {
  const said = await verdicts(STRICTER);
  const text = await readFile(new URL('../../../docs/architecture/service.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| devnet refuses, though a node may take it \|.*\n\|.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
  expect(rows.map(([, name, verdict]) => [name, verdict])).toEqual(
    Object.entries(said).map(([name, verdict]) => [name, number(verdict)]),
  );
});

test('an output to a script’s hash is rejected with 464, and spending such an output from an older ledger with 461', async () => {
  const node = await testNode();
  const coin = await fund(node, owner);
  const lock = code('OP_HASH160', hash160, 'OP_EQUAL');
  const plan = sendAll([coin], owner, lock);
  expect(await submitBytes(node, bytesOf(plan))).toMatch(/^464 .*P2SH/);
  const old = bytesOf(plan);
  const { txid } = node.ledger.addTransaction(old, parseTransaction(old), 0, 0n);
  const spend = sendAll(
    [{ txid, vout: 0, satoshis: plan.outputs[0]?.satoshis ?? 0n, lockingScript: lock }],
    owner,
    owner.script,
  );
  expect(await submitBytes(node, bytesOf({ ...spend, unlock: () => code('OP_0') }))).toMatch(/^461 .*P2SH/);
});
