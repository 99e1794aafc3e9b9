/**
 * Traces a token back to its mint, through transactions whose bytes hash to their IDs. An output is valid if its
 * transaction spends enough valid outputs (BSV-21, "Transfer Validation Rules"). If the reader's limit is exceeded, the
 * output is `unknown`. Because the network has accepted all ancestors of an accepted transaction, a server that
 * provides them can withhold them but can't forge them.
 */
import type { Transaction, TransactionOutput } from '../../bitcoin/transaction.ts';
import { mentionsToken, readTokenOperation, tokenId } from './token.ts';
import { TOKEN_SATOSHIS, tokenOutputs, type TokenOutput } from './validity.ts';

/** Whether an output holds the token that it claims to hold. */
export type TokenState = 'valid' | 'invalid' | 'unknown';

/** Maximum number of transfers between an output and its mint. */
export const MAX_TRANSFERS = 200;

export interface Reader {
  /**
   * Returns the transaction whose bytes hash to the ID, or null if the transaction is missing or the limit is reached.
   */
  transaction(txid: string): Promise<Transaction | null>;
  /** Returns the earlier verdict on `txid:vout`, if any. */
  known(key: string): Promise<TokenState | undefined>;
}

interface Walk {
  reader: Reader;
  /** Verdicts by `txid:vout`. */
  decided: Map<string, TokenState>;
  /** Verdicts by txid. All outputs in a transaction that transfer the token have the same verdict. */
  passedOn: Map<string, TokenState>;
}

/**
 * Verifies that an output holds the token that it claims to hold. Parses each transaction's scripts only once, because
 * an attacker's transaction can spend any number of outputs.
 * @returns verdicts on the output and its ancestors, by `txid:vout`
 */
export async function followBack(txid: string, vout: number, reader: Reader): Promise<Map<string, TokenState>> {
  const walk: Walk = { reader, decided: new Map(), passedOn: new Map() };
  const state = await judge(txid, vout, 0, walk);
  return walk.decided.set(outpoint(txid, vout), state);
}

const outpoint = (txid: string, vout: number) => `${txid}:${vout}`;

async function judge(txid: string, vout: number, steps: number, walk: Walk): Promise<TokenState> {
  const { reader, decided } = walk;
  const key = outpoint(txid, vout);
  const before = await reader.known(key);
  if (before !== undefined) return before;
  const state = steps > MAX_TRANSFERS ? 'unknown' : await judgeAnew(txid, vout, steps, walk);
  decided.set(key, state);
  return state;
}

async function judgeAnew(txid: string, vout: number, steps: number, walk: Walk): Promise<TokenState> {
  const transaction = await walk.reader.transaction(txid);
  if (!transaction) return 'unknown';
  const { outputs, unclear } = tokenOutputs(transaction, txid);
  const own = outputs.find((one) => one.vout === vout);
  if (!own) return unclear.includes(vout) ? 'unknown' : 'invalid';
  if (own.op !== 'transfer') return own.op === 'deploy+mint' ? 'valid' : 'invalid';
  // An index might accept an output that our strict parser rejects, and would then compute different sums.
  return unclear.length > 0 ? 'unknown' : judgeSums(transaction, outputs, own.id, steps, walk);
}

async function judgeSums(
  transaction: Transaction,
  outputs: readonly TokenOutput[],
  id: string,
  steps: number,
  walk: Walk,
): Promise<TokenState> {
  const wanted = outputs.reduce((sum, one) => (one.id === id ? sum + one.amt : sum), 0n);
  let [held, isSure] = [0n, true];
  for (const { txid, vout } of transaction.inputs) {
    const source = await walk.reader.transaction(txid);
    const spent = source?.outputs[vout];
    const token = spent && heldBy(spent, txid, vout);
    if (!source || token === 'unclear') isSure = false;
    else if (token && token.id === id) {
      const state = walk.passedOn.get(txid) ?? (await judge(txid, vout, steps + 1, walk));
      walk.passedOn.set(txid, state);
      if (state === 'valid') held += token.amt;
      else if (state === 'unknown') isSure = false;
    }
    if (held >= wanted) return 'valid';
  }
  return isSure ? 'invalid' : 'unknown';
}

function heldBy(
  { satoshis, lockingScript }: TransactionOutput,
  txid: string,
  vout: number,
): Pick<TokenOutput, 'id' | 'amt'> | 'unclear' | null {
  const read = satoshis === TOKEN_SATOSHIS ? readTokenOperation(lockingScript) : null;
  if (!read) return mentionsToken(lockingScript) ? 'unclear' : null;
  if (read.op === 'burn') return null;
  return { id: read.op === 'deploy+mint' ? tokenId(txid, vout) : read.id, amt: read.amt };
}
