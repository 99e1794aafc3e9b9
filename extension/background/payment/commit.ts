/**
 * The step that spends: allowance checked and debited, coins reserved, signed bytes and our own outputs stored, all in one
 * database transaction. Two payments that chose the same coin meet here, and the later one plans again.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { debit, grant } from '../allowances/spend.ts';
import { rateOf } from '../chain/rates.ts';
import { outpoint } from '../coins/coin.ts';
import type { StepTransaction } from '../database.ts';
import { randomId } from '../windows/approval-window.ts';
import { draftPayment, signDraft, type Draft } from './build.ts';
import { allowanceKeyOf, draftWithReturningCoins } from './from-allowance.ts';
import { step, type PaymentRecord } from './record.ts';
import type { Signed } from '../transaction/sign.ts';

const MAX_TRIES = 20;

class CoinTaken extends Error {}

/**
 * Signs an approved payment and stores it as `signed`.
 * @returns the signed payment, or null where it was not (or no longer) approved
 * @throws ServiceError `wallet-locked`, `insufficient-funds`, `fee-changed`, `network-unavailable`; of a payment from an
 *   allowance also `not-paid` (it does not fit any more), `rate-unavailable`, `site-blocked`
 */
export async function commitPayment(record: PaymentRecord): Promise<PaymentRecord | null> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { draft, price } = await drafted(record);
    const signed = await signDraft(draft, record.id);
    try {
      return await step(record.id, 'approved', async ({ allowance, grant: terms, quote }, tx) => {
        const satoshis = (quote?.satoshis ?? 0n) + draft.plan.feeSatoshis;
        const from = allowance && price !== null ? await debit(tx, allowance, satoshis, price) : null;
        const token = terms && (await grant(tx, allowanceKeyOf(record), terms, randomId()));
        const inputs = await reserve(tx, draft, record.id);
        const ownOutputs = await storeOwnOutputs(tx, signed, record.id);
        return {
          state: 'signed', allowance: from, token,
          signed: {
            rawtx: toHex(signed.bytes), txid: signed.txid, normalizedTxid: signed.normalizedTxid, inputProof: signed.inputProof,
            feeSatoshis: draft.plan.feeSatoshis, inputs, ownOutputs,
          },
        };
      });
    } catch (error) {
      if (!(error instanceof CoinTaken)) throw error;
    }
  }
  throw new ServiceError('busy');
}

/** What is to be signed; and for a payment from an allowance, the price that its debit is worked out by. */
async function drafted(record: PaymentRecord): Promise<{ draft: Draft; price: string | null }> {
  if (record.allowance) return { draft: await draftWithReturningCoins(record), price: (await rateOf(record.allowance.currency)).price };
  const draft = await draftPayment(record);
  const shown = record.approval?.feeSatoshis;
  if (shown === undefined || shown === null || draft.plan.feeSatoshis > shown) throw new ServiceError('fee-changed');
  return { draft, price: null };
}

async function reserve(tx: StepTransaction, { plan, change }: Draft, paymentId: string): Promise<string[]> {
  const coins = tx.objectStore('coins');
  for (const { outpoint: key } of plan.inputs) {
    const coin = await coins.get(key);
    if (coin?.status !== 'available') throw new CoinTaken();
    await coins.put({ ...coin, status: 'reserved', paymentId });
  }
  const current = await tx.objectStore('addresses').get(change.script);
  // Another payment took this change address meanwhile: use a fresh one, for privacy.
  if (plan.changeIndex !== null && current?.used) throw new CoinTaken();
  return plan.inputs.map((coin) => coin.outpoint);
}

/** Change, and whatever else of this transaction pays one of our own addresses: ours to spend once the network has it. */
async function storeOwnOutputs(tx: StepTransaction, { transaction, txid }: Signed, paymentId: string): Promise<string[]> {
  const own: string[] = [];
  for (const [vout, { satoshis, lockingScript }] of transaction.outputs.entries()) {
    const script = toHex(lockingScript);
    const address = await tx.objectStore('addresses').get(script);
    if (!address) continue;
    const key = outpoint(txid, vout);
    own.push(key);
    const { chain, index } = address;
    await tx.objectStore('coins').put({ outpoint: key, txid, vout, satoshis, script, chain, index, status: 'pending', paymentId, height: null, seen: false });
    if (!address.used) await tx.objectStore('addresses').put({ ...address, used: true });
  }
  return own;
}
