import { LockingScript, TransactionSignature } from '@bsv/sdk';
import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { concatBytes, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { dataScript, pushData } from '../../../protocol/bitcoin/push-data.ts';
import { pay } from '../faucet.ts';
import type { LedgerNode } from './node.ts';
import { MAX_SCRIPT_SIZE, MAX_TRANSACTION_SIZE, requiredFee } from '../arc/policy.ts';
import {
  build,
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
import { isFinal } from './verify.ts';

const owner = testKey();
const other = testKey();

async function start(satoshis = 10_000): Promise<{ node: LedgerNode; coin: TestCoin; plan: Plan }> {
  const node = await testNode();
  const coin = await fund(node, owner, satoshis);
  return { node, coin, plan: sendAll([coin], owner, other.script) };
}

test('an ordinary payment is accepted', async () => {
  const { node, plan } = await start();
  expect(await submitBytes(node, bytesOf(plan))).toBe('taken');
});

describe('the form check', () => {
  test('returns 463 for truncation, trailing bytes, unknown versions and fewer than 61 bytes', async () => {
    const { node, plan } = await start();
    const bytes = bytesOf(plan);
    for (const length of [0, 1, 60, bytes.length - 1])
      expect(await submitBytes(node, bytes.subarray(0, length))).toMatch(/^463 /);
    expect(await submitBytes(node, concatBytes(bytes, new Uint8Array(1)))).toMatch(/^463 /);
    expect(await submitBytes(node, bytesOf({ ...plan, version: 3 }))).toMatch(/^463 .*version/);
    expect(await submitBytes(node, bytesOf({ ...plan, version: 0 }))).toMatch(/^463 .*version/);
    expect(
      await submitBytes(
        node,
        bytesOf({
          ...plan,
          outputs: [{ satoshis: 1n, lockingScript: new Uint8Array(0) }],
          unlock: () => new Uint8Array(0),
        }),
      ),
    ).toMatch(/^463 .*61 bytes/);
    expect(await submitBytes(node, bytesOf({ ...plan, version: 2 }))).toBe('taken');
  });

  test('returns 463 for an unlocking script that does more than push data, in version 1', async () => {
    const { node, plan } = await start();
    const bytes = bytesOf({
      ...plan,
      unlock: (whole, i, coin) =>
        concatBytes(pushData(signature(whole, i, coin, owner)), pushData(owner.publicKey), new Uint8Array([0x61])),
    });
    expect(await submitBytes(node, bytes)).toMatch(/^463 .*push only/);
    expect(await submitBytes(node, bytesOf({ ...plan, unlock: () => new Uint8Array([0x4c, 0xff, 0x00]) }))).toMatch(
      /^463 .*push only/,
    );
  });

  test('returns 474 for more than ten million bytes', async () => {
    const { node, coin } = await start();
    const plan = {
      coins: [coin],
      owner,
      outputs: [{ satoshis: 0n, lockingScript: dataScript(new Uint8Array(MAX_TRANSACTION_SIZE)) }],
    };
    expect(await submitBytes(node, bytesOf({ ...plan, unlock: () => new Uint8Array(0) }))).toMatch(/^474 /);
  });
});

describe('the input check', () => {
  test('returns 462 for an unknown transaction, an output index out of range and a data output', async () => {
    const { node, coin, plan } = await start();
    expect(await submitBytes(node, bytesOf({ ...plan, coins: [{ ...coin, txid: 'ab'.repeat(32) }] }))).toMatch(
      /^462 .*does not exist/,
    );
    expect(await submitBytes(node, bytesOf({ ...plan, coins: [{ ...coin, vout: 7 }] }))).toMatch(
      /^462 .*does not exist/,
    );
    const withData = await submit(
      node,
      bytesOf({ ...plan, outputs: [...plan.outputs, { satoshis: 0n, lockingScript: dataScript(new Uint8Array(3)) }] }),
    );
    expect(await submitBytes(node, bytesOf({ ...plan, coins: [{ ...coin, txid: withData.txid, vout: 1 }] }))).toMatch(
      /^462 .*does not exist/,
    );
  });

  test('returns 462 for a coinbase input and a duplicate input', async () => {
    const { node, coin, plan } = await start();
    expect(
      await submitBytes(node, bytesOf({ ...plan, coins: [{ ...coin, txid: '00'.repeat(32), vout: 0xffff_ffff }] })),
    ).toMatch(/^462 .*coinbase/);
    expect(await submitBytes(node, bytesOf(sendAll([coin, coin], owner, other.script)))).toMatch(
      /^462 .*spend the same output/,
    );
  });

  test('returns 462 for a coinbase one block before maturity', async () => {
    const node = await testNode();
    const miner = {
      ...owner,
      key: node.miner.key,
      publicKey: Uint8Array.from(node.miner.key.toPublicKey().encode(true) as number[]),
      script: node.miner.lockingScript,
    };
    const spend = (height: number): Uint8Array => {
      const txid = node.ledger.block(height)?.txids[0] ?? '';
      return bytesOf(
        sendAll([{ txid, vout: 0, satoshis: 5_000_000_000n, lockingScript: miner.script }], miner, other.script),
      );
    };
    // In the next block, at height 200, the coinbase of block 100 gets its hundredth confirmation.
    expect(node.ledger.height).toBe(199);
    expect(await submitBytes(node, spend(101))).toMatch(/^462 .*immature/);
    expect(await submitBytes(node, spend(100))).toBe('taken');
    await node.mine(1);
    expect(await submitBytes(node, spend(101))).toBe('taken');
  });

  test('returns 466 for an output spent by an unconfirmed transaction, naming it, and 462 for one spent in a block', async () => {
    const { node, plan } = await start();
    const first = await submit(node, bytesOf(plan));
    const second = bytesOf({ ...plan, outputs: [{ satoshis: 5_000n, lockingScript: owner.script }] });
    await expect(submit(node, second)).rejects.toMatchObject({
      status: 466,
      competing: [first.txid],
      message: expect.stringContaining(first.txid),
    });
    await node.mine(1);
    expect(await submitBytes(node, second)).toMatch(/^462 .*spent in a block/);
    expect((await submit(node, bytesOf(plan))).height).toBe(200);
  });

  test('returns 460 for extended format that states another value or script', async () => {
    const { node, coin, plan } = await start();
    const bytes = bytesOf(plan);
    await expect(node.submit({ bytes, sources: [{ ...coin, satoshis: coin.satoshis + 1n }] })).rejects.toMatchObject({
      status: 460,
    });
    await expect(node.submit({ bytes, sources: [{ ...coin, lockingScript: other.script }] })).rejects.toMatchObject({
      status: 460,
    });
    await expect(node.submit({ bytes, sources: [coin] })).resolves.toMatchObject({ height: null });
  });
});

describe('the check of outputs and fees', () => {
  test('returns 464 for an output without value or data, a bare OP_RETURN without value, and data with a value', async () => {
    const { node, plan } = await start();
    const withOutput = (satoshis: bigint, lockingScript: Uint8Array): Uint8Array =>
      bytesOf({
        ...plan,
        outputs: [
          { satoshis: 9_000n, lockingScript: other.script },
          { satoshis, lockingScript },
        ],
      });
    expect(await submitBytes(node, withOutput(0n, other.script))).toMatch(/^464 .*dust/);
    expect(await submitBytes(node, withOutput(0n, new Uint8Array([0x6a, 0x01, 0x41])))).toMatch(/^464 .*dust/);
    expect(await submitBytes(node, withOutput(1n, dataScript(new Uint8Array([0x41]))))).toMatch(
      /^464 .*data and a value/,
    );
    expect(await submitBytes(node, withOutput(0n, dataScript(new Uint8Array([0x41]))))).toBe('taken');
  });

  test('returns 465 for outputs that exceed the inputs, and a fee one satoshi too low', async () => {
    const { node, coin, plan } = await start();
    // The transaction is up to 208 bytes long. The fee is the same for a signature up to 7 bytes shorter.
    const data = { satoshis: 0n, lockingScript: dataScript(new Uint8Array(4)) };
    const paying = (fee: bigint): Uint8Array =>
      bytesOf({ ...plan, outputs: [{ satoshis: coin.satoshis - fee, lockingScript: other.script }, data] });
    expect(await submitBytes(node, paying(-1n))).toMatch(/^465 .*exceed the inputs/);
    const least = 21n;
    const low = paying(least - 1n);
    expect(requiredFee(low.length)).toBe(least);
    expect(await submitBytes(node, low)).toMatch(/^465 .*needed/);
    expect(await submitBytes(node, paying(least))).toBe('taken');
  });

  test('the fee is rounded up over the whole transaction', () => {
    expect([1, 10, 11, 191, 1000, 1001].map(requiredFee)).toEqual([1n, 1n, 2n, 20n, 100n, 101n]);
  });
});

describe('the script check', () => {
  const refused = async (change: (plan: Plan) => Partial<Plan>): Promise<string> => {
    const { node, plan } = await start();
    return submitBytes(node, bytesOf({ ...plan, ...change(plan) }));
  };

  test('returns 461 for a wrong key, a missing signature and an empty script', async () => {
    expect(await refused(() => ({ owner: other }))).toMatch(/^461 /);
    expect(
      await refused(() => ({ unlock: () => concatBytes(new Uint8Array([0x00]), pushData(owner.publicKey)) })),
    ).toMatch(/^461 /);
    expect(await refused(() => ({ unlock: () => new Uint8Array(0) }))).toMatch(/^461 /);
  });

  test('returns 461 for a signature over another amount, output or lock time', async () => {
    const signing = (change: (whole: Transaction) => Transaction, amount = 0n): Partial<Plan> => ({
      unlock: (whole, i, coin) =>
        concatBytes(
          pushData(signature(change(whole), i, { ...coin, satoshis: coin.satoshis + amount }, owner)),
          pushData(owner.publicKey),
        ),
    });
    expect(await refused(() => signing((whole) => whole))).toBe('taken');
    expect(await refused(() => signing((whole) => whole, 1n))).toMatch(/^461 /);
    expect(
      await refused(() => signing((whole) => ({ ...whole, outputs: [{ satoshis: 1n, lockingScript: other.script }] }))),
    ).toMatch(/^461 /);
    expect(await refused(() => signing((whole) => ({ ...whole, lockTime: 1 })))).toMatch(/^461 /);
  });

  test('returns 461 for a signature without FORKID, in any version', async () => {
    // The signature has the format used before the 2017 fork. By default, the interpreter accepts this format.
    for (const version of [1, 2]) {
      expect(
        await refused(() => ({
          version,
          unlock: (whole, i, coin) => {
            const preimage = TransactionSignature.format({
              sourceTXID: coin.txid,
              sourceOutputIndex: coin.vout,
              sourceSatoshis: Number(coin.satoshis),
              transactionVersion: version,
              otherInputs: [],
              inputIndex: i,
              inputSequence: 0xffff_ffff,
              lockTime: 0,
              scope: 0x01,
              subscript: LockingScript.fromHex(toHex(coin.lockingScript)),
              outputs: whole.outputs.map((output) => ({
                satoshis: Number(output.satoshis),
                lockingScript: LockingScript.fromHex(toHex(output.lockingScript)),
              })),
            });
            const der = owner.key.sign([...sha256(Uint8Array.from(preimage))]).toDER() as number[];
            return concatBytes(pushData(Uint8Array.from([...der, 0x01])), pushData(owner.publicKey));
          },
        })),
      ).toMatch(/^461 .*signature format/);
    }
  });

  test('returns 461 for a high S, in version 1', async () => {
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    expect(
      await refused(() => ({
        unlock: (whole, i, coin) => {
          const low = signature(whole, i, coin, owner);
          const rLength = low[3] ?? 0;
          const r = low.subarray(2, 4 + rLength);
          const s = BigInt(`0x${Buffer.from(low.subarray(6 + rLength, -1)).toString('hex')}`);
          const high = Buffer.from((n - s).toString(16).padStart(64, '0'), 'hex');
          const body = concatBytes(r, new Uint8Array([0x02, 33, 0]), high);
          return concatBytes(
            pushData(concatBytes(new Uint8Array([0x30, body.length]), body, new Uint8Array([0x41]))),
            pushData(owner.publicKey),
          );
        },
      })),
    ).toMatch(/^461 .*signature format/);
  });

  test('returns 461 for a push that isn’t minimally encoded, in version 1', async () => {
    const pushData1 = (data: Uint8Array): Uint8Array => concatBytes(new Uint8Array([0x4c, data.length]), data);
    expect(
      await refused(() => ({
        unlock: (whole, i, coin) => concatBytes(pushData1(signature(whole, i, coin, owner)), pushData(owner.publicKey)),
      })),
    ).toMatch(/^461 .*minimally/);
  });

  test('returns 461 for a nonempty failing signature, even where failure is expected', async () => {
    const { node, plan } = await start();
    // <public key> OP_CHECKSIG OP_NOT
    const negated = concatBytes(pushData(owner.publicKey), new Uint8Array([0xac, 0x91]));
    const locked = await submit(node, bytesOf({ ...plan, outputs: [{ satoshis: 9_000n, lockingScript: negated }] }));
    const coin = { txid: locked.txid, vout: 0, satoshis: 9_000n, lockingScript: negated };
    const spend = (unlock: Required<Plan>['unlock']): Uint8Array =>
      bytesOf({ ...sendAll([coin], owner, other.script), unlock });
    expect(
      await submitBytes(
        node,
        spend((whole, i) => pushData(signature(whole, i, coin, other))),
      ),
    ).toMatch(/^461 .*failing signatures/);
    expect(
      await submitBytes(
        node,
        spend(() => new Uint8Array([0x00])),
      ),
    ).toBe('taken');
  });

  test('returns 461 for a script that runs longer than two seconds', async () => {
    const { node, plan } = await start();
    const bytes = bytesOf(plan);
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(2_000).mockReturnValue(2_001);
    onTestFinished(() => {
      clock.mockRestore();
    });
    expect(await submitBytes(node, bytes)).toMatch(/^461 .*time limit/);
    clock.mockReturnValue(0);
    expect(await submitBytes(node, bytes)).toBe('taken');
  });

  test('returns 461 for a wrong signature on one of two inputs, and accepts two correct ones', async () => {
    const { node, coin } = await start();
    const second = await fund(node, owner, 20_000);
    const plan = sendAll([coin, second], owner, other.script);
    // Cached hashes must not mix up the amounts or outpoints of the two inputs.
    const wrong = (index: number): Partial<Plan> => ({
      unlock: (whole, i, each) =>
        concatBytes(pushData(signature(whole, i, i === index ? coin : each, owner)), pushData(owner.publicKey)),
    });
    expect(await submitBytes(node, bytesOf({ ...plan, ...wrong(1) }))).toMatch(/^461 input 1/);
    expect(await submitBytes(node, bytesOf(plan))).toBe('taken');
  });

  test('runs any script: a puzzle can be spent only with its solution', async () => {
    const { node, plan } = await start();
    // OP_3 OP_ADD OP_8 OP_EQUAL
    const puzzle = new Uint8Array([0x53, 0x93, 0x58, 0x87]);
    const locked = await submit(node, bytesOf({ ...plan, outputs: [{ satoshis: 9_000n, lockingScript: puzzle }] }));
    const coin = { txid: locked.txid, vout: 0, satoshis: 9_000n, lockingScript: puzzle };
    const answer = (unlocking: number[]): Uint8Array =>
      bytesOf({ ...sendAll([coin], owner, other.script), unlock: () => new Uint8Array(unlocking) });
    expect(await submitBytes(node, answer([0x54]))).toMatch(/^461 /);
    expect(await submitBytes(node, answer([0x51, 0x55]))).toMatch(/^461 .*clean stack/);
    expect(await submitBytes(node, answer([0x55]))).toBe('taken');
  });

  test('returns 461 for a script that exceeds the memory, time or size limit', async () => {
    const { node, plan } = await start(10_000_000);
    // OP_DUP OP_CAT, repeated 30 times, would produce 2^30 bytes.
    const bomb = new Uint8Array(60).map((_, i) => (i % 2 === 0 ? 0x76 : 0x7e));
    const long = new Uint8Array(MAX_SCRIPT_SIZE + 1).fill(0x61);
    const value = 1_000_000n;
    const locked = await submit(
      node,
      bytesOf({
        ...plan,
        outputs: [
          { satoshis: value, lockingScript: bomb },
          { satoshis: value, lockingScript: long },
        ],
      }),
    );
    const spend = (vout: number, lockingScript: Uint8Array): Uint8Array =>
      bytesOf({
        ...sendAll([{ txid: locked.txid, vout, satoshis: value, lockingScript }], owner, other.script),
        unlock: () => new Uint8Array([0x51]),
      });
    // On a busy machine, the time limit may be reached before the memory limit.
    expect(await submitBytes(node, spend(0, bomb))).toMatch(/^461 .*(?:memory|time limit)/);
    expect(await submitBytes(node, spend(1, long))).toMatch(/^461 .*more than 500000 bytes/);
  });
});

describe('the lock time check', () => {
  test('returns 463 for a height or median time not yet reached, unless every sequence is final', async () => {
    const { node, plan } = await start();
    const next = node.ledger.height + 1;
    const now = node.ledger.medianTime;
    const at = (lockTime: number, sequence = 0): Uint8Array => bytesOf({ ...plan, lockTime, sequence });
    expect(await submitBytes(node, at(next))).toMatch(/^463 .*non-final/);
    expect(await submitBytes(node, at(now))).toMatch(/^463 .*non-final/);
    expect(await submitBytes(node, at(next, 0xffff_ffff))).toBe('taken');
  });

  test('a transaction is final exactly below the boundary, for heights and times', () => {
    const transaction = (lockTime: number, ...sequences: number[]): Transaction => {
      const whole = build({ coins: [], owner, outputs: [], lockTime });
      return {
        ...whole,
        inputs: sequences.map((sequence) => ({ txid: '', vout: 0, unlockingScript: new Uint8Array(0), sequence })),
      };
    };
    expect(isFinal(transaction(0, 0), 5, 600_000_000)).toBe(true);
    expect(isFinal(transaction(4, 0), 5, 600_000_000)).toBe(true);
    expect(isFinal(transaction(5, 0), 5, 600_000_000)).toBe(false);
    expect(isFinal(transaction(599_999_999, 0), 5, 600_000_000)).toBe(true);
    expect(isFinal(transaction(600_000_000, 0), 5, 600_000_000)).toBe(false);
    expect(isFinal(transaction(600_000_000, 0xffff_ffff, 0), 5, 0)).toBe(false);
    expect(isFinal(transaction(600_000_000, 0xffff_ffff, 0xffff_ffff), 5, 0)).toBe(true);
  });
});

test('a chain of unconfirmed payments has no limit of 25', async () => {
  const node = await testNode();
  let coin = await fund(node, owner, 100_000);
  for (let i = 0; i < 40; i += 1) {
    const plan = sendAll([coin], owner, owner.script);
    const { txid } = await submit(node, bytesOf(plan));
    coin = { txid, vout: 0, satoshis: plan.outputs[0]?.satoshis ?? 0n, lockingScript: owner.script };
  }
  const block = await node.mine(1);
  expect(block.txids).toHaveLength(42);
});

test('a rejected transaction leaves no trace', async () => {
  const { node, coin, plan } = await start();
  const bytes = serializeTransaction(build({ ...plan, owner: other }));
  await expect(submit(node, bytes)).rejects.toMatchObject({ status: 461 });
  expect(node.ledger.spend(coin.txid, coin.vout)).toBeUndefined();
  expect([...node.ledger.coinsOf(other.hash)]).toEqual([]);
  expect(node.ledger.mempool.size).toBe(1);
  expect(await pay(node, other.address, 1)).toMatch(/^[0-9a-f]{64}$/);
});
