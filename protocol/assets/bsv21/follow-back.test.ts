/** Tests the cost of tracing a token back, because attackers can choose the number of inputs and outputs. */
import { describe, expect, it } from 'vitest';
import { p2pkhScript } from '../../bitcoin/address.ts';
import type { Transaction } from '../../bitcoin/transaction.ts';
import { followBack, MAX_TRANSFERS, type TokenState } from './follow-back.ts';
import { writeInscription } from './inscription.ts';
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

/**
 * Returns four transactions: a mint, one that splits the tokens into many outputs, one that spends all of these, and
 * the one to verify.
 */
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
] as const)(
  'a token with a wide history is found to be %s by reading each script only a few times',
  async (state, less) => {
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
  },
);

describe('an output', () => {
  const OTHER = `${txid(99)}_0`;
  type Output = Transaction['outputs'][number];
  const out = (lockingScript: Uint8Array, satoshis = 1n): Output => ({ satoshis, lockingScript });
  const mint = (amt: bigint) => out(writeTokenScript({ op: 'deploy+mint', amt, dec: 0 }, lock));
  const send = (amt: bigint, id = ID, satoshis = 1n) =>
    out(writeTokenScript({ op: 'transfer', id, amt }, lock), satoshis);
  const inscribed = (json: string) => out(writeInscription('application/bsv-20', new TextEncoder().encode(json), lock));
  const burn = (amt: number) => inscribed(`{"p":"bsv-20","op":"burn","id":"${ID}","amt":"${amt}"}`);
  const odd = inscribed('{"p":"bsv-20","amt":5}');
  const money = out(lock);

  /**
   * Transactions by number. Each lists the outputs that it spends (transaction number and index) and its own outputs.
   */
  type Past = Record<number, [spent: [number, number][], outputs: Output[]]>;
  const MINTS: Past = { 1: [[], [mint(10n), money]], 99: [[], [mint(10n)]] };

  async function verdict(past: Past, of: number, vout = 0, known: Record<string, TokenState> = {}) {
    const states = await followBack(txid(of), vout, {
      async transaction(wanted) {
        const [spent, outputs] = past[Number.parseInt(wanted, 16)] ?? [];
        return spent && outputs
          ? { version: 1, inputs: spent.map(([n, at]) => input(n, at)), outputs, lockTime: 0 }
          : null;
      },
      known: async (key) => known[key],
    });
    return states.get(`${txid(of)}:${vout}`);
  }
  const third = (spent: [number, number][], outputs: Output[], before: Past = {}) =>
    verdict({ ...MINTS, ...before, 3: [spent, outputs] }, 3);

  it('an output holds its stated amount if the transaction spends as much of that token, regardless of its other inputs and outputs', async () => {
    const spent: [number, number][] = [
      [1, 1],
      [99, 0],
      [1, 0],
    ];
    expect(await third(spent, [send(10n), money, send(99n, OTHER), mint(50n)])).toBe('valid');
    expect(await third(spent, [send(5n), send(6n)])).toBe('invalid');
    expect(await third(spent, [send(9n), burn(2)])).toBe('invalid');
    expect(await third(spent.slice(0, 2), [send(1n)])).toBe('invalid');
  });

  it('an output is invalid if it names no token, burns tokens, or spends an invalid output', async () => {
    const past: Past = { ...MINTS, 3: [[[1, 0]], [send(5n), money, burn(5)]] };
    expect(await verdict(past, 3, 0)).toBe('valid');
    expect(await verdict(past, 3, 1)).toBe('invalid');
    expect(await verdict(past, 3, 2)).toBe('invalid');
    expect(await third([[2, 0]], [send(1n)], { 2: [[[1, 0]], [send(11n)]] })).toBe('invalid');
  });

  it('a burned amount can’t be transferred, even if the transaction that burned it also transferred some', async () => {
    const before: Past = { 2: [[[1, 0]], [send(5n), burn(5)]] };
    const spent: [number, number][] = [
      [2, 0],
      [2, 1],
    ];
    expect(await third(spent, [send(5n)], before)).toBe('valid');
    expect(await third(spent, [send(6n)], before)).toBe('invalid');
  });

  it('an output is unknown if a spent output that it needs is unreadable, and valid if the other ones suffice', async () => {
    expect(await verdict(MINTS, 3)).toBe('unknown');
    const unreadable: [string, Past][] = [
      ['missing', {}],
      ['its past is missing', { 2: [[[7, 0]], [send(5n)]] }],
      ['unclear', { 2: [[[1, 0]], [odd]] }],
      ['of two satoshis', { 2: [[[1, 0]], [send(5n, ID, 2n)]] }],
      ['of two satoshis, of another token', { 2: [[[1, 0]], [send(5n, OTHER, 2n)]] }],
    ];
    for (const [title, before] of unreadable) {
      expect(await third([[2, 0]], [send(5n)], before), title).toBe('unknown');
      const both: [number, number][] = [
        [2, 0],
        [1, 0],
      ];
      expect(await third(both, [send(10n)], before), title).toBe('valid');
    }
  });

  it('an output is unknown next to an unclear one, unless it mints', async () => {
    const past: Past = { ...MINTS, 3: [[[1, 0]], [send(5n), odd, mint(1n)]] };
    expect(await verdict(past, 3, 0)).toBe('unknown');
    expect(await verdict(past, 3, 1)).toBe('unknown');
    expect(await verdict(past, 3, 2)).toBe('valid');
  });

  it('an output is traced through the allowed number of transfers, and no further', async () => {
    const chain: Past = { ...MINTS };
    const FIRST = 1000;
    for (let n = 0; n <= MAX_TRANSFERS; n += 1)
      chain[FIRST + n] = [[n === 0 ? [1, 0] : [FIRST + n - 1, 0]], [send(10n)]];
    expect(await verdict(chain, FIRST + MAX_TRANSFERS - 1)).toBe('valid');
    expect(await verdict(chain, FIRST + MAX_TRANSFERS)).toBe('unknown');
  });

  it('an earlier verdict is reused for an output and its inputs, without reading them again', async () => {
    expect(await verdict({}, 3, 0, { [`${txid(3)}:0`]: 'valid' })).toBe('valid');
    expect(await verdict({}, 3, 0, { [`${txid(3)}:0`]: 'invalid' })).toBe('invalid');
    const past: Past = { 2: [[[7, 0]], [send(5n)]], 3: [[[2, 0]], [send(5n)]] };
    expect(await verdict(past, 3, 0, { [`${txid(2)}:0`]: 'valid' })).toBe('valid');
    expect(await verdict(past, 3, 0, { [`${txid(2)}:0`]: 'invalid' })).toBe('invalid');
  });
});
