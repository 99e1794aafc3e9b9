/** Runs the two scripts of one input in @bsv/sdk's interpreter, under the rules of a BSV node after Genesis. */
import { LockingScript, Spend, UnlockingScript } from '@bsv/sdk';
import type { Transaction } from '../../protocol/transaction.ts';
import { SCRIPT_MEMORY, SCRIPT_TIME_MS } from './policy.ts';
import type { Coin } from './ledger.ts';

/**
 * All rules named, because the interpreter's default takes signatures without FORKID and drops every malleability rule for
 * transaction versions above 1.
 */
const RULES = [
  'SIGHASH_FORKID', 'STRICTENC', 'DERSIG', 'LOW_S', 'NULLDUMMY', 'NULLFAIL', 'MINIMALDATA', 'SIGPUSHONLY', 'CLEANSTACK',
  'GENESIS', 'UTXO_AFTER_GENESIS',
];

/** An interpreter that gives up after {@link SCRIPT_TIME_MS}: a node drops scripts that run too long, too. */
class TimedSpend extends Spend {
  readonly #until = performance.now() + SCRIPT_TIME_MS;

  override step(): boolean {
    if (performance.now() > this.#until) this.#outOfTime();
    return super.step();
  }

  #outOfTime(): never {
    throw new RangeError('the script runs too long');
  }
}

/** The interpreter starts with an empty cache of its own: it keeps the shared one. */
function ignore(): void { /* nothing to keep */ }

function unlocking(bytes: Uint8Array): UnlockingScript {
  return new UnlockingScript([], bytes, undefined, false);
}

function locking(bytes: Uint8Array): LockingScript {
  return new LockingScript([], bytes, undefined, false);
}

/**
 * Prepares a transaction's scripts and gives a function that runs input `i` against the coin it spends: null when the
 * spend is good, else what the interpreter says against it.
 */
export function scriptRunner(transaction: Transaction): (index: number, coin: Coin) => string | null {
  const inputs = transaction.inputs.map(({ txid, vout, sequence }) => ({ sourceTXID: txid, sourceOutputIndex: vout, sequence }));
  const outputs = transaction.outputs.map(({ satoshis, lockingScript }) => ({ satoshis: Number(satoshis), lockingScript: locking(lockingScript) }));
  // The hashes over all inputs and outputs are the same for every input. The interpreter would make them anew for each,
  // which is quadratic: 1,000 inputs took seconds.
  const hashes = { hashOutputsSingle: new Map<number, number[]>() };
  return (index, coin) => {
    const input = transaction.inputs[index];
    if (!input) return 'no such input';
    const spend = new TimedSpend({
      sourceTXID: coin.txid,
      sourceOutputIndex: coin.vout,
      sourceSatoshis: Number(coin.satoshis),
      lockingScript: locking(coin.lockingScript),
      transactionVersion: transaction.version,
      otherInputs: inputs.toSpliced(index, 1),
      outputs,
      inputIndex: index,
      unlockingScript: unlocking(input.unlockingScript),
      inputSequence: input.sequence,
      lockTime: transaction.lockTime,
      memoryLimit: SCRIPT_MEMORY,
      verifyFlags: RULES,
    });
    Object.defineProperty(spend, 'sigHashCache', { get: () => hashes, set: ignore });
    try {
      return spend.validate() ? null : 'the scripts evaluate to false';
    } catch (error) {
      return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'the scripts failed';
    }
  };
}

/** True where a script only pushes data: no opcode above OP_16, no push beyond its end. */
export function isPushOnly(script: Uint8Array): boolean {
  for (let at = 0; at < script.length;) {
    const op = script[at] ?? 0;
    if (op > 0x60) return false;
    at += 1;
    if (op < 0x4c) at += op;
    else if (op === 0x4c) at += 1 + (script[at] ?? 0);
    else if (op === 0x4d) at += 2 + (script[at] ?? 0) + 0x100 * (script[at + 1] ?? 0);
    else if (op === 0x4e) at += 4 + (script[at] ?? 0) + 0x100 * (script[at + 1] ?? 0) + 0x1_0000 * (script[at + 2] ?? 0) + 0x100_0000 * (script[at + 3] ?? 0);
    if (at > script.length) return false;
  }
  return true;
}
