import { describe, expect, test } from 'vitest';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { writeTokenScript } from '../../../protocol/assets/bsv21/token.ts';
import { writeAddress } from '../../../protocol/bitcoin/address.ts';
import { parseTransaction, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { signTransaction } from '../../transaction/sign.ts';
import { testCoin, testPair, testScript } from '../../../testkit/wallet/coins.ts';
import { useDatabase } from '../../../testkit/wallet/database.ts';
import { hash160 } from '../../keys/keys.ts';
import { effectOf } from './wallet-effect.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const wallet = useDatabase(() => import('./wallet-effect.ts'));
const DATA = new Uint8Array([0x51]);

const addressOf = (index: number) => writeAddress(hash160(testPair(index).publicKey), 'devnet');

/** Builds a transaction with this many inputs. Its outputs pay to keys, given by number, or to scripts. */
function transaction(inputs: number, ...outputs: [satoshis: bigint, to: number | Uint8Array][]): Transaction {
  return {
    version: 1,
    lockTime: 0,
    inputs: Array.from({ length: inputs }, (_, vout) => ({
      txid: 'aa'.repeat(32),
      vout,
      unlockingScript: new Uint8Array(),
      sequence: 1,
    })),
    outputs: outputs.map(([satoshis, to]) => ({
      satoshis,
      lockingScript: typeof to === 'number' ? testScript(to) : to,
    })),
  };
}

describe('the wallet’s part of a transaction', () => {
  test('inputs and outputs of derived addresses are the wallet’s, including those with an inscription', async () => {
    for (const index of [1, 3])
      await wallet.db.put('addresses', {
        script: toHex(testScript(index)),
        address: addressOf(index),
        chain: 'receive',
        index,
        used: false,
      });
    const token = writeTokenScript({ op: 'transfer', id: `${'ab'.repeat(32)}_0`, amt: 5n }, testScript(3));
    const { bytes } = signTransaction(
      {
        inputs: [2, 1].map((index) => testCoin(900n, { index, vout: index, script: toHex(testScript(index)) })),
        outputs: [
          { satoshis: 5n, lockingScript: testScript(2) },
          { satoshis: 6n, lockingScript: DATA },
          { satoshis: 7n, lockingScript: testScript(1) },
          { satoshis: 1n, lockingScript: token },
        ],
        changeIndexes: [],
        feeSatoshis: 0n,
      },
      ({ index }) => testPair(index),
    );
    const signed = parseTransaction(bytes);
    // An input reveals no owner if its unlocking script has no public key.
    signed.inputs.push({ ...signed.inputs[0]!, unlockingScript: DATA });
    const { inputs, outputs } = await wallet.walletEffectOf(current, signed);
    expect(inputs.map(({ input, own }) => [input.vout, own.index])).toEqual([[1, 1]]);
    expect(outputs.map(({ output, vout, own }) => [output.satoshis, vout, own.index])).toEqual([
      [7n, 2, 1],
      [1n, 3, 3],
    ]);
  });
});

describe('the effect of a transaction', () => {
  /** Returns the effect on a wallet that has the keys 0 and 1. */
  const effect = (one: Transaction, ...lost: bigint[]) => {
    const ours = [0, 1].map((index) => toHex(testScript(index)));
    const outputs = one.outputs
      .map((output, vout) => ({ output, vout, own: {} as never }))
      .filter(({ output }) => ours.includes(toHex(output.lockingScript)));
    return effectOf(one, { outputs }, lost, 'devnet');
  };

  test('the effect is the amount received if none of the wallet’s coins are spent', () => {
    expect(effect(transaction(2, [300n, 0], [70n, 5], [8n, 1]))).toEqual({ satoshis: 308n });
  });

  test('the effect is the amount that others got, and the fee, if all spent coins are the wallet’s', () => {
    expect(effect(transaction(2, [300n, 0], [600n, 5], [0n, DATA], [70n, DATA]), 900n, 100n)).toEqual({
      satoshis: 670n,
      spent: {
        feeSatoshis: 30n,
        count: 2,
        paid: [
          { address: addressOf(5), satoshis: 600n },
          { address: null, satoshis: 70n },
        ],
      },
    });
  });

  test('the effect is only the fee if everything else returns to the wallet', () => {
    expect(effect(transaction(1, [980n, 1]), 1000n)).toEqual({
      satoshis: 0n,
      spent: { feeSatoshis: 20n, count: 0, paid: [] },
    });
  });

  test('the first twenty recipients are listed, and all are counted', () => {
    const { spent } = effect(
      transaction(1, ...Array.from({ length: 25 }, (_, i) => [BigInt(i), 5] as [bigint, number])),
      1000n,
    );
    expect(spent?.count).toBe(24);
    expect(spent?.paid.map(({ satoshis }) => satoshis)).toEqual(Array.from({ length: 20 }, (_, i) => BigInt(i + 1)));
  });

  test('the effect is the wallet’s loss, of unknown purpose, if others added coins', () => {
    expect(effect(transaction(2, [300n, 0], [600n, 5], [0n, 6]), 1000n)).toEqual({
      satoshis: 700n,
      spent: { feeSatoshis: null, count: 1, paid: [] },
    });
  });

  test.each([
    ['gained', 1000n, 200n],
    ['gained nothing', 800n, 0n],
  ])('the effect is the wallet’s gain if others added coins and the wallet %s', (_, gained, satoshis) => {
    expect(effect(transaction(2, [gained, 0], [600n, 5]), 800n)).toEqual({ satoshis });
  });
});
