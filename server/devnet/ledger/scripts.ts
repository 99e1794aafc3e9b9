/** Runs an input's two scripts under a node's rules, and classifies scripts. */
import { LockingScript, UnlockingScript } from '@bsv/sdk';
import type { Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { NodeSpend, OriginalBudget, type Upgrade } from './interpreter.ts';
import type { Coin } from './ledger.ts';

/** Setter that keeps the interpreter from replacing the shared cache with an empty cache. */
function ignore(): void {}

function unlocking(bytes: Uint8Array): UnlockingScript {
  return new UnlockingScript([], bytes, undefined, false);
}

function locking(bytes: Uint8Array): LockingScript {
  return new LockingScript([], bytes, undefined, false);
}

/**
 * Prepares a transaction's scripts.
 * @param size the transaction's size in bytes
 * @param upgradeOf returns the rules for spending a coin
 * @returns a function that runs input `i` against its coin: null if valid, otherwise the interpreter's message
 */
export function scriptRunner(
  transaction: Transaction,
  size: number,
  upgradeOf: (coin: Coin) => Upgrade,
): (index: number, coin: Coin) => string | null {
  const inputs = transaction.inputs.map(({ txid, vout, sequence }) => ({
    sourceTXID: txid,
    sourceOutputIndex: vout,
    sequence,
  }));
  const outputs = transaction.outputs.map(({ satoshis, lockingScript }) => ({
    satoshis: Number(satoshis),
    lockingScript: locking(lockingScript),
  }));
  // Shared by all inputs, because the interpreter would otherwise hash all inputs and outputs again for each input,
  // which takes seconds for 1,000 inputs.
  const hashes = { hashOutputsSingle: new Map<number, number[]>() };
  const budget = new OriginalBudget();
  return (index, coin) => {
    const input = transaction.inputs[index];
    if (!input) return 'the input does not exist';
    const spend = new NodeSpend(
      {
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
      },
      upgradeOf(coin),
      (signatures) => budget.take(signatures * size),
    );
    Object.defineProperty(spend, 'sigHashCache', { get: () => hashes, set: ignore });
    try {
      return spend.validate() ? null : 'the scripts evaluate to false';
    } catch (error) {
      return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'the scripts failed';
    }
  };
}

/** True if a script contains only pushes: no opcode above OP_16, and no push beyond its end. */
export function isPushOnly(script: Uint8Array): boolean {
  for (let at = 0; at < script.length;) {
    const op = script[at] ?? 0;
    if (op > 0x60) return false;
    at += 1;
    if (op < 0x4c) at += op;
    else if (op === 0x4c) at += 1 + (script[at] ?? 0);
    else if (op === 0x4d) at += 2 + (script[at] ?? 0) + 0x100 * (script[at + 1] ?? 0);
    else if (op === 0x4e)
      at +=
        4 +
        (script[at] ?? 0) +
        0x100 * (script[at + 1] ?? 0) +
        0x1_0000 * (script[at + 2] ?? 0) +
        0x100_0000 * (script[at + 3] ?? 0);
    if (at > script.length) return false;
  }
  return true;
}

/** True for P2SH (`OP_HASH160 <20 bytes> OP_EQUAL`), which the Genesis upgrade disabled. */
export function isScriptHash(script: Uint8Array): boolean {
  return script.length === 23 && script[0] === 0xa9 && script[1] === 0x14 && script[22] === 0x87;
}
