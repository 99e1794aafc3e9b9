/** What following a token back takes: whoever made the transactions chose how many inputs and outputs these have. */
import { expect, it } from 'vitest';
import { p2pkhScript } from '../address.ts';
import type { Transaction } from '../transaction.ts';
import { followBack } from './follow-back.ts';
import { writeTokenScript, type Token } from './token.ts';

const WIDE = 300;
const txid = (n: number) => n.toString(16).padStart(64, '0');
const ID = `${txid(1)}_0`;
const lock = p2pkhScript(new Uint8Array(20));
const input = (of: number, vout: number) => ({ txid: txid(of), vout, unlockingScript: new Uint8Array(), sequence: 0 });

let read = 0;
function transaction(inputs: Transaction['inputs'], tokens: readonly Token[]): Transaction {
  const outputs = tokens.map((token) => {
    const script = writeTokenScript(token, lock);
    return {
      satoshis: 1n,
      get lockingScript() {
        read += 1;
        return script;
      },
    };
  });
  return { version: 1, inputs, outputs, lockTime: 0 };
}
const wide = Array.from({ length: WIDE }, (_, i) => i);
const some = (amt: bigint): Token => ({ op: 'transfer', id: ID, amt });

/** A mint; all of it in very many outputs; those together in as many; and what is asked about. */
function past(minted: bigint): Map<string, Transaction> {
  return new Map([
    [txid(1), transaction([input(0, 0)], [{ op: 'deploy+mint', amt: minted, dec: 0 }])],
    [
      txid(2),
      transaction(
        [input(1, 0)],
        wide.map(() => some(1n)),
      ),
    ],
    [
      txid(3),
      transaction(
        wide.map((vout) => input(2, vout)),
        wide.map(() => some(1n)),
      ),
    ],
    [
      txid(4),
      transaction(
        wide.map((vout) => input(3, vout)),
        [some(BigInt(WIDE))],
      ),
    ],
  ]);
}

it.each([
  ['valid', 0n],
  ['invalid', -1n],
] as const)('a token whose past is wide is %s after each of its scripts was read a few times', async (state, less) => {
  const transactions = past(BigInt(WIDE) + less);
  read = 0;
  let asked = 0;
  const states = await followBack(txid(4), 0, {
    transaction: async (wanted) => transactions.get(wanted) ?? null,
    known: async () => {
      asked += 1;
      return undefined;
    },
  });
  expect(states.get(`${txid(4)}:0`)).toBe(state);
  expect(read).toBeLessThan(5 * WIDE);
  expect(asked).toBeLessThan(10);
});
