/**
 * The step that spends: coins reserved, signed bytes and our own outputs stored, all in one database transaction. Two
 * payments that chose the same coin meet here, and the later one plans again.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { outpoint } from '../coins/coin.ts';
import { draftPayment, signDraft, type Draft } from './build.ts';
import { step, type PaymentRecord, type StepTransaction } from './record.ts';
import type { Signed } from '../transaction/sign.ts';

const MAX_TRIES = 20;

class CoinTaken extends Error {}

/**
 * Signs an approved payment and stores it as `signed`.
 * @returns the signed payment, or null where it was not (or no longer) approved
 * @throws ServiceError `wallet-locked`, `insufficient-funds`, `fee-changed`, `network-unavailable`
 */
export async function commitPayment(record: PaymentRecord): Promise<PaymentRecord | null> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const draft = await draftPayment(record);
    const shown = record.approval?.feeSatoshis;
    if (shown === undefined || shown === null || draft.plan.feeSatoshis > shown) throw new ServiceError('fee-changed');
    const signed = await signDraft(draft, record.id);
    try {
      return await step(record.id, 'approved', async (_, tx) => {
        const inputs = await reserve(tx, draft, record.id);
        const ownOutputs = await storeOwnOutputs(tx, signed, record.id);
        return {
          state: 'signed',
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
