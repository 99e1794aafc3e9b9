/**
 * @bsv/sdk's interpreter, extended with the rules of bitcoin-sv 1.2.2 (src/script/interpreter.cpp) that it lacks. Rules
 * that it enforces more strictly than a node are unchanged (see docs/architecture/service.md).
 */
import { BigNumber, OP, type ScriptChunk, Spend } from '@bsv/sdk';
import { MAX_NUMBER_SIZE, SCRIPT_MEMORY, SCRIPT_TIME_MS } from '../arc/policy.ts';

/** Rules for all transaction versions. FORKID is explicit, because the interpreter doesn't require it by default. */
const RULES = ['SIGHASH_FORKID', 'STRICTENC', 'DERSIG', 'DISCOURAGE_UPGRADABLE_NOPS', 'GENESIS', 'UTXO_AFTER_GENESIS'];
/** Rules against malleability, which Chronicle lifts for versions above 1. */
const UNALTERABLE = ['LOW_S', 'NULLDUMMY', 'NULLFAIL', 'MINIMALDATA', 'SIGPUSHONLY', 'CLEANSTACK'];

/** Which of the Chronicle upgrade's rules apply to an input. */
export interface Upgrade {
  /** True if the rules against malleability apply. */
  isUnalterable: boolean;
  /** True if the coin was created after the upgrade, which enables the new opcodes and signature hashes. */
  isCoinAfter: boolean;
}

/** Budget of bytes hashed for original-digest signatures, each of which hashes the whole transaction. */
export class OriginalBudget {
  #left = 256 * 2 ** 20;

  /** Subtracts hashed bytes from the budget. @param bytes transaction size times number of signatures */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) refuse('signatures with the original digest require too much hashing');
  }
}

/** Sighash flag that selects the original digest instead of BIP143's (Chronicle). */
const SIGHASH_CHRONICLE = 0x20;
const LONG = `a number has more than ${MAX_NUMBER_SIZE} bytes`;
const UNEXECUTED = 'OP_VERIF or OP_VERNOTIF in a branch that is not executed';
/** Maximum shift: a node reads bit counts as 32-bit integers. */
const MAX_SHIFT = 0x7fff_ffffn;

const isBegin = (op: number): boolean => op === OP.OP_IF || op === OP.OP_NOTIF;
const isVersionBegin = (op: number): boolean => op === OP.OP_VERIF || op === OP.OP_VERNOTIF;

function refuse(problem: string): never {
  throw new RangeError(problem);
}

/** One input's scripts. `validate()` returns true, or throws an error whose first line is the violated rule. */
export class NodeSpend extends Spend {
  readonly #until = performance.now() + SCRIPT_TIME_MS;

  readonly #original: (signatures: number) => void;

  /** @param original charges the given number of original-digest signatures to the budget */
  constructor(
    input: Omit<ConstructorParameters<typeof Spend>[0], 'memoryLimit' | 'verifyFlags'>,
    { isUnalterable, isCoinAfter }: Upgrade,
    original: (signatures: number) => void,
  ) {
    const verifyFlags = [
      ...RULES,
      ...(isUnalterable ? UNALTERABLE : []),
      ...(isCoinAfter ? ['UTXO_AFTER_CHRONICLE'] : []),
    ];
    super({ ...input, memoryLimit: SCRIPT_MEMORY, verifyFlags });
    this.#original = original;
    // The node's default policy. The interpreter itself has no limit after Genesis.
    Object.defineProperty(this, 'scriptNumMaxSize', { value: () => MAX_NUMBER_SIZE });
  }

  override step(): boolean {
    if (performance.now() > this.#until) refuse('the script exceeds its time limit');
    const { chunks } = this.context === 'UnlockingScript' ? this.unlockingScript : this.lockingScript;
    const at = this.programCounter;
    const op = chunks[at]?.op ?? OP.OP_0;
    this.#before(op);
    const more = super.step();
    if (op === OP.OP_BIN2NUM && (this.stack.at(-1)?.length ?? 0) > MAX_NUMBER_SIZE) refuse(LONG);
    // The interpreter stops here, but a node continues to parse.
    if (this.returningFromConditional && this.ifStack.length === 0) readOn(chunks.slice(at + 1));
    return more;
  }

  #before(op: number): void {
    if (this.returningFromConditional || this.ifStack.includes(false)) {
      if (isVersionBegin(op)) refuse(UNEXECUTED);
      return;
    }
    switch (op) {
      case OP.OP_NUM2BIN:
        // Checked first, because the interpreter allocates memory before it checks the limit.
        if (this.#number(-1) > BigInt(SCRIPT_MEMORY)) refuse('the script exceeds its memory limit');
        break;
      case OP.OP_LSHIFTNUM:
        if (BigInt(this.stack.at(-2)?.length ?? 0) + this.#number(-1) / 8n >= BigInt(MAX_NUMBER_SIZE)) refuse(LONG);
        break;
      case OP.OP_RSHIFTNUM:
        if (this.#number(-1) > MAX_SHIFT) refuse('a shift count exceeds 32 bits');
        break;
      case OP.OP_CHECKSIG:
      case OP.OP_CHECKSIGVERIFY:
      case OP.OP_CHECKMULTISIG:
      case OP.OP_CHECKMULTISIGVERIFY:
        this.#original(
          this.#signatures(op).filter((signature) => ((signature.at(-1) ?? 0) & SIGHASH_CHRONICLE) !== 0).length,
        );
        break;
      default:
    }
  }

  /** Returns a number from the stack, or 0 for an invalid number, which the interpreter itself rejects. */
  #number(index: number): bigint {
    const item = this.stack.at(index);
    return item === undefined || item.length > MAX_NUMBER_SIZE ? 0n : BigNumber.fromScriptNum(item).toBigInt();
  }

  /** Returns the signatures that an operation will check. */
  #signatures(op: number): number[][] {
    if (op === OP.OP_CHECKSIG || op === OP.OP_CHECKSIGVERIFY) return this.stack.slice(-2, -1);
    const depth = BigInt(this.stack.length);
    const keys = this.#number(-1);
    if (keys < 0n || keys + 2n > depth) return [];
    const last = -Number(keys) - 2;
    const count = this.#number(last);
    return count <= 0n || count > depth
      ? []
      : this.stack.slice(Math.max(-this.stack.length, last - Number(count)), last);
  }
}

/**
 * Checks that a script is well-formed after an OP_RETURN in a conditional. A node parses that part without running it.
 */
function readOn(chunks: readonly ScriptChunk[]): void {
  const elses: boolean[] = [];
  for (const { op, invalidLength } of chunks) {
    if (invalidLength === true) refuse('a push beyond the end of the script');
    if (isVersionBegin(op)) refuse(UNEXECUTED);
    if (op === OP.OP_RETURN && elses.length === 0) return;
    if (isBegin(op)) elses.push(false);
    if (op === OP.OP_ENDIF && elses.pop() === undefined) refuse('OP_ENDIF without OP_IF');
    if (op === OP.OP_ELSE) {
      if (elses.at(-1) !== false) refuse('OP_ELSE without OP_IF, or a second one');
      elses[elses.length - 1] = true;
    }
  }
  if (elses.length > 0) refuse('OP_IF without OP_ENDIF');
}
