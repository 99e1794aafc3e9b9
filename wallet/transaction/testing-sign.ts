import { createVirtualMachineBCH2023, decodeTransactionBCH } from '@bitauth/libauth';
import fc from 'fast-check';
import { expect } from 'vitest';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { dataScript } from '../../protocol/bitcoin/push-data.ts';
import type { Coin } from '../coins/coin.ts';
import { feeFor, transactionSize, planTransaction, type Plan } from './plan.ts';
import { signTransaction } from './sign.ts';
import { someCoins, testPair, testScript } from '../../testkit/wallet/coins.ts';

export const RATE = { satoshis: 100, bytes: 1000 };
const total = (parts: readonly { satoshis: bigint }[]) => parts.reduce((sum, { satoshis }) => sum + satoshis, 0n);
export const sign = (plan: Plan<Coin>) => signTransaction(plan, (coin) => testPair(coin.index));

/** Valid and invalid scripts that a page can request to pay. libauth parses a first byte of 0xef as a BCH token. */
const scripts = fc.oneof(
  fc.nat(9).map(testScript),
  fc.uint8Array({ maxLength: 300 }).filter(([first]) => first !== 0xef),
  fc.constantFrom(new Uint8Array([0x51]), new Uint8Array([0x61, 0x51])),
);

/**
 * Plans with 1 to 5 inputs with different keys, several outputs, data, and up to 4 change outputs, with and without
 * sorting.
 */
export const plans: fc.Arbitrary<Plan<Coin>> = fc
  .record({
    coins: someCoins(fc.bigInt(300n, 5_000_000_000n), 5, 1),
    more: fc.array(scripts, { maxLength: 3 }),
    data: fc.uint8Array({ maxLength: 300 }),
    pieces: fc.integer({ min: 1, max: 4 }),
    preserveOrder: fc.boolean(),
    part: fc.nat(99),
  })
  .map(({ coins, more, data, pieces, preserveOrder, part }) => {
    const outputs = [testScript(50), ...more, dataScript(data)].map((lockingScript) => ({
      satoshis: 0n,
      lockingScript,
    }));
    const most = total(coins) - feeFor(transactionSize(coins.length, outputs), RATE);
    // `most` is negative if the coin is tiny and the scripts are long. The plan then pays only one output.
    if (most <= 0n) outputs.splice(1);
    const payable = most > 0n ? most : total(coins) - feeFor(transactionSize(coins.length, outputs), RATE);
    (outputs[0] as TransactionOutput).satoshis = (payable * BigInt(part + 1)) / 100n;
    return planTransaction({
      outputs,
      inputs: coins,
      changeScripts: [60, 61, 62, 63].slice(0, pieces).map(testScript),
      rate: RATE,
      preserveOrder,
    });
  });

const vm = createVirtualMachineBCH2023(false);

export function unlocksInLibauth(plan: Plan<Coin>): void {
  const transaction = decodeTransactionBCH(sign(plan).bytes);
  if (typeof transaction === 'string') throw new Error(transaction);
  const sourceOutputs = plan.inputs.map((coin) => ({
    lockingBytecode: fromHex(coin.script),
    valueSatoshis: coin.satoshis,
  }));
  for (const inputIndex of plan.inputs.keys()) {
    const state = vm.evaluate({ inputIndex, sourceOutputs, transaction });
    expect(vm.stateSuccess(state)).toBe(true);
    const altered = sourceOutputs.map((o, i) => (i === inputIndex ? { ...o, valueSatoshis: o.valueSatoshis + 1n } : o));
    expect(vm.stateSuccess(vm.evaluate({ inputIndex, sourceOutputs: altered, transaction }))).not.toBe(true);
  }
}
