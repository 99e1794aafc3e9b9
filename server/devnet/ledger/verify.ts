/**
 * Verifies a transaction against ARC's rules and a node's rules, in the order in which ARC and the node apply them
 * (bitcoin-sv/arc, internal/validator; bitcoin-sv, AcceptToMemoryPool).
 */
import { MAX_SATOSHIS } from '../../../protocol/money/money.ts';
import { isMalleable } from '../../../protocol/bitcoin/p2pkh-unlock.ts';
import {
  parseTransaction,
  type Transaction,
  type TransactionOutput,
  txidOf,
} from '../../../protocol/bitcoin/transaction.ts';
import type { Candidate } from '../../chain/envelope.ts';
import { NO_BLOCK } from './blocks.ts';
import { outpoint, type Coin, type Ledger } from './ledger.ts';
import {
  COINBASE_MATURITY,
  LOCK_TIME_THRESHOLD,
  MAX_SCRIPT_SIZE,
  MAX_TRANSACTION_SIZE,
  MIN_TRANSACTION_SIZE,
  requiredFee,
} from '../arc/policy.ts';
import { LedgerRejection, type RefusalStatus } from '../arc/rejection.ts';
import type { Upgrade } from './interpreter.ts';
import { isPushOnly, isScriptHash, scriptRunner } from './scripts.ts';

export interface Verified {
  transaction: Transaction;
  fee: bigint;
}

/** True for a pure data output: `OP_FALSE OP_RETURN …`. */
export function isData(script: Uint8Array): boolean {
  return script[0] === 0x00 && script[1] === 0x6a;
}

/** True if a transaction is final in the block at `height`, given the median time before it (IsFinalTx). */
export function isFinal(transaction: Transaction, height: number, medianTime: number): boolean {
  const { lockTime } = transaction;
  if (lockTime === 0 || lockTime < (lockTime < LOCK_TIME_THRESHOLD ? height : medianTime)) return true;
  return transaction.inputs.every((input) => input.sequence === 0xffff_ffff);
}

/**
 * Parses and verifies a transaction. Yields to the event loop between inputs, so the caller must keep the ledger
 * unchanged until the returned promise settles, as the node's queue does.
 * @param isMiners true for the miner's own transaction, without a fee
 * @throws LedgerRejection with 460 to 466 or 474
 */
export async function verifyTransaction(ledger: Ledger, candidate: Candidate, isMiners = false): Promise<Verified> {
  const { bytes } = candidate;
  const txid = txidOf(bytes);
  const refuse = (status: RefusalStatus, message: string, competing: readonly string[] = []): never => {
    throw new LedgerRejection(status, message, { txid, competing });
  };
  if (bytes.length > MAX_TRANSACTION_SIZE) refuse(474, `the transaction has more than ${MAX_TRANSACTION_SIZE} bytes`);
  const transaction = read(bytes, txid);
  const isUnalterable = !isMalleable(transaction.version) || ledger.height + 1 < ledger.chronicleHeight;
  checkForm(transaction, bytes.length, isUnalterable, refuse);
  if (!isFinal(transaction, ledger.height + 1, ledger.medianTime))
    refuse(463, 'the lock time is not reached (non-final)');
  const coins = checkInputs(ledger, transaction, refuse);
  if (candidate.sources) checkSources(coins, candidate.sources, refuse);
  const paid = coins.reduce((sum, coin) => sum + coin.satoshis, 0n);
  const fee = transaction.outputs.reduce((rest, output) => rest - output.satoshis, paid);
  if (paid > MAX_SATOSHIS) refuse(462, 'the inputs exceed the money supply');
  if (fee < 0n) refuse(465, 'the outputs exceed the inputs');
  const required = requiredFee(bytes.length);
  if (fee < required && !isMiners)
    refuse(465, `the fee is ${fee} satoshis, ${required} are needed for ${bytes.length} bytes`);
  await checkScripts(transaction, coins, refuse, {
    size: bytes.length,
    upgradeOf: ({ height }) => ({
      isUnalterable,
      isCoinAfter: (height ?? ledger.height + 1) >= ledger.chronicleHeight,
    }),
  });
  return { transaction, fee };
}

type Refuse = (status: RefusalStatus, message: string, competing?: readonly string[]) => never;

function read(bytes: Uint8Array, txid: string): Transaction {
  try {
    return parseTransaction(bytes);
  } catch (cause) {
    throw new LedgerRejection(463, 'the bytes must be exactly one transaction', { txid, cause });
  }
}

function checkForm(transaction: Transaction, size: number, isUnalterable: boolean, refuse: Refuse): void {
  if (size < MIN_TRANSACTION_SIZE) refuse(463, `the transaction has fewer than ${MIN_TRANSACTION_SIZE} bytes`);
  if (transaction.version !== 1 && transaction.version !== 2) refuse(463, 'the version is neither 1 nor 2');
  if (transaction.inputs.some((input) => input.txid === NO_BLOCK)) refuse(462, 'an input is a coinbase input');
  const spent = new Set(transaction.inputs.map((input) => outpoint(input.txid, input.vout)));
  if (spent.size !== transaction.inputs.length) refuse(462, 'two inputs spend the same output');
  transaction.outputs.forEach(({ satoshis, lockingScript }, vout) => {
    if (isData(lockingScript) && satoshis !== 0n) refuse(464, `output ${vout} carries data and a value`);
    if (!isData(lockingScript) && satoshis === 0n)
      refuse(464, `output ${vout} is dust: no value and not OP_FALSE OP_RETURN`);
    if (isScriptHash(lockingScript)) refuse(464, `output ${vout} pays a script's hash (P2SH)`);
  });
  transaction.inputs.forEach((input, vin) => {
    if (isUnalterable && !isPushOnly(input.unlockingScript))
      refuse(463, `input ${vin}: the unlocking script is not push only`);
  });
}

function checkInputs(ledger: Ledger, transaction: Transaction, refuse: Refuse): Coin[] {
  const competing = new Set<string>();
  const coins = transaction.inputs.map((input, vin): Coin => {
    const spend = ledger.spend(input.txid, input.vout);
    const coin = ledger.coin(input.txid, input.vout);
    if (!coin)
      return refuse(462, spend ? `input ${vin} is spent in a block by ${spend.txid}` : `input ${vin} does not exist`);
    if (spend) competing.add(spend.txid);
    if (coin.coinbase && ledger.height + 1 - (coin.height ?? 0) < COINBASE_MATURITY)
      refuse(462, `input ${vin} is an immature coinbase`);
    return coin;
  });
  if (competing.size > 0) refuse(466, `an input is already spent by ${[...competing].join(', ')}`, [...competing]);
  return coins;
}

/** Checks that the spent outputs in Extended Format equal the ledger's, because signatures are checked against them. */
function checkSources(coins: readonly Coin[], sources: readonly TransactionOutput[], refuse: Refuse): void {
  coins.forEach((coin, vin) => {
    const source = sources[vin];
    if (source?.satoshis !== coin.satoshis || !Buffer.from(coin.lockingScript).equals(source.lockingScript)) {
      refuse(460, `input ${vin}: the extended format's output differs from the chain's`);
    }
  });
}

async function checkScripts(
  transaction: Transaction,
  coins: readonly Coin[],
  refuse: Refuse,
  { size, upgradeOf }: { size: number; upgradeOf: (coin: Coin) => Upgrade },
): Promise<void> {
  const run = scriptRunner(transaction, size, upgradeOf);
  for (const [vin, coin] of coins.entries()) {
    const longest = Math.max(coin.lockingScript.length, transaction.inputs[vin]?.unlockingScript.length ?? 0);
    if (longest > MAX_SCRIPT_SIZE) refuse(461, `input ${vin}: a script has more than ${MAX_SCRIPT_SIZE} bytes`);
    if (isScriptHash(coin.lockingScript)) refuse(461, `input ${vin} spends what was paid to a script's hash (P2SH)`);
    const problem = run(vin, coin);
    if (problem !== null) refuse(461, `input ${vin}: ${problem}`);
    if (vin % 16 === 15)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
  }
}
