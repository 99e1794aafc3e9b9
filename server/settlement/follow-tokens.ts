/**
 * Verifies that token payments spend as many tokens as their outputs claim. Follows each token back to its mint,
 * through transactions from the network's index whose bytes hash to their txids. Verdicts are stored, so later payments
 * take only a few steps.
 */
import { and, asc, eq, lte, notInArray } from 'drizzle-orm';
import { followBack, type TokenState } from '../../protocol/assets/bsv21/follow-back.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { TokenValidity } from '../../protocol/payments/payment-types.ts';
import { parseTransaction, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { TransactionSource } from '../chain/transaction-source.ts';
import type { Database } from '../database/connect.ts';
import { payments, tokenVerdicts } from '../database/schema.ts';
import { processDue, type DueWork } from '../due-work.ts';
import { describeError } from '../http/errors.ts';
import { outputsOf, type StoredPayment } from '../payments/stored-payment.ts';
import { tokenIn } from '../payments/token.ts';
import { enqueueCheckedEvent } from '../webhooks/outbox.ts';
import { nextDelayMs, type FollowContext } from './follow.ts';

export type TokenContext = Pick<FollowContext, 'db' | 'now' | 'log' | 'maxDelayMs'> & {
  source: Pick<TransactionSource, 'transaction'>;
};

/** Number of payments checked concurrently, so a token with a long history delays few other payments. */
const MAX_PARALLEL_PAYMENTS = 4;
/** Maximum number of transactions per payment and attempt. */
const MAX_TRANSACTIONS = 500;
/** Maximum memory per payment and attempt. */
const MAX_TOTAL_BYTES = 40_000_000;
/** Time limit per payment and attempt. */
export const TIME_LIMIT_MS = 60_000;
/** Memory per input or output in addition to its bytes. A nine-byte output takes thirty times its size. */
const PART_BYTES = 260;
/** How long to retry while the index is unavailable or lacks a transaction (ms). */
const GIVE_UP_MS = 3 * 24 * 3600_000;

type DuePayment = Pick<StoredPayment['payment'], 'id' | 'txid' | 'rawtx' | 'tokenChecks' | 'createdAt'>;

export function tokenWork(context: TokenContext): DueWork<DuePayment> {
  return {
    slots: MAX_PARALLEL_PAYMENTS,
    claim: (most, inProgress) => claim(context, most, inProgress),
    process: (payment) => check(context, payment),
  };
}

/** Checks one batch of due token payments. @returns the number of payments */
export const followTokens = (context: TokenContext): Promise<number> => processDue(tokenWork(context));

function claim(
  { db, now, maxDelayMs }: TokenContext,
  most: number,
  inProgress: readonly string[],
): Promise<DuePayment[]> {
  return db.transaction(async (tx) => {
    const { id, txid, rawtx, tokenChecks, createdAt } = payments;
    const due = await tx
      .select({ id, txid, rawtx, tokenChecks, createdAt })
      .from(payments)
      .where(and(lte(payments.nextTokenCheckAt, now()), notInArray(payments.id, [...inProgress])))
      .orderBy(asc(payments.nextTokenCheckAt))
      .limit(most)
      .for('update', { skipLocked: true });
    for (const payment of due) {
      // Prevents a second attempt by another instance while this one is in progress.
      const delay = TIME_LIMIT_MS + nextDelayMs(payment.tokenChecks, maxDelayMs);
      await tx
        .update(payments)
        .set({ tokenChecks: payment.tokenChecks + 1, nextTokenCheckAt: new Date(now().getTime() + delay) })
        .where(eq(payments.id, payment.id));
    }
    return due;
  });
}

/** Checks a payment. @returns false if the index failed */
async function check(context: TokenContext, payment: DuePayment): Promise<boolean> {
  const { db, now, log, maxDelayMs } = context;
  let isAnswered = false;
  try {
    const { state, isFinal, hasFailed } = await judge(context, payment);
    isAnswered = !hasFailed;
    const isOver = isFinal || now().getTime() - payment.createdAt.getTime() > GIVE_UP_MS;
    if (isOver) {
      if (await settle(db, payment.id, state, now())) log.info({ payment: payment.id, state }, 'token followed');
      return isAnswered;
    }
  } catch (error) {
    log.warn({ payment: payment.id, error: describeError(error) }, 'token could not be followed, will try again');
  }
  const next = new Date(now().getTime() + nextDelayMs(payment.tokenChecks, maxDelayMs));
  await db
    .update(payments)
    .set({ nextTokenCheckAt: next })
    .where(and(eq(payments.id, payment.id), eq(payments.tokenValidity, 'unverified')));
  return isAnswered;
}

/**
 * Traces a payment's token back to its mint, starting from one output. All outputs of a token have the same validity.
 * @returns `isFinal`: false if the index hasn't returned everything requested; `hasFailed`: true if it failed
 */
async function judge(
  { db, source, log }: TokenContext,
  { id, txid, rawtx }: DuePayment,
): Promise<{ state: TokenState; isFinal: boolean; hasFailed: boolean }> {
  const own = parseTransaction(rawtx);
  const held = (await outputsOf(db, id)).find((output) => tokenIn(output))?.scripts[0];
  const vout = own.outputs.findIndex(
    ({ lockingScript, satoshis }) => String(satoshis) === held?.satoshis && toHex(lockingScript) === held.script,
  );
  const end = performance.now() + TIME_LIMIT_MS;
  const read = new Map<string, Transaction | null>([[txid, own]]);
  let [bytes, isMissing, hasFailed] = [0, false, false];
  const states = await followBack(txid, vout, {
    async transaction(wanted) {
      const before = read.get(wanted);
      if (before !== undefined) return before;
      if (read.size > MAX_TRANSACTIONS || bytes > MAX_TOTAL_BYTES) return null;
      if (performance.now() > end) isMissing = true;
      if (isMissing) return null;
      const found = await source.transaction(wanted).catch((error: unknown) => {
        log.info({ payment: id, error: describeError(error) }, 'a transaction could not be read');
        hasFailed = true;
        return null;
      });
      if (found) bytes += memoryOf(found);
      else isMissing = true;
      read.set(wanted, found?.transaction ?? null);
      return found?.transaction ?? null;
    },
    async known(outpoint) {
      const [found] = await db
        .select({ valid: tokenVerdicts.valid })
        .from(tokenVerdicts)
        .where(eq(tokenVerdicts.outpoint, outpoint));
      return found && (found.valid ? 'valid' : 'invalid');
    },
  });
  const sure = [...states].filter(([, state]) => state !== 'unknown');
  if (sure.length > 0)
    await db
      .insert(tokenVerdicts)
      .values(sure.map(([outpoint, state]) => ({ outpoint, valid: state === 'valid' })))
      .onConflictDoNothing();
  const state = states.get(`${txid}:${vout}`) ?? 'unknown';
  return { state, isFinal: state !== 'unknown' || !isMissing, hasFailed };
}

const memoryOf = ({ transaction: { inputs, outputs }, bytes }: { transaction: Transaction; bytes: number }) =>
  bytes + PART_BYTES * (inputs.length + outputs.length);

/** Stores the verdict once, with its webhook event in the same transaction. */
function settle(db: Database, id: string, validity: Exclude<TokenValidity, 'unverified'>, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [payment] = await tx
      .update(payments)
      .set({ tokenValidity: validity, nextTokenCheckAt: null, updatedAt: now })
      .where(and(eq(payments.id, id), eq(payments.tokenValidity, 'unverified')))
      .returning();
    if (!payment) return false;
    await enqueueCheckedEvent(tx, { payment, outputs: await outputsOf(tx, id) }, now);
    return true;
  });
}
