/** Stores a paymail payment as coins and a receipt, regardless of whether the scan or the service found it first. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { outpoint } from '../coins/coin.ts';
import { restoreReceipt } from '../coins/gone.ts';
import { inTransaction } from '../store/database.ts';
import { type PriceThen, type Receipt } from '../coins/receipts/receipt.ts';
import type { ReceivedPayment } from './check.ts';
import { isUnfound, markSeen, markAddressUsed, getAddress } from '../coins/addresses/records.ts';
import { addOwnOutputs, paymentMaking } from '../payments/store.ts';
import { hasCoin, addCoin } from '../coins/records.ts';
import { deleteReceipt, getReceipt, putReceipt } from '../coins/receipts/receipts.ts';
import type { Wallet } from '../platform.ts';

/**
 * Stores the outputs of a verified transaction. Adds a missing sender or note to its receipt. Idempotent. No receipt is
 * created for a payment from this wallet to itself.
 * @param priceThen the price at arrival, if the payment is just arriving
 * @throws ServiceError `wallet-not-set-up` (removed in the meantime), `payment-mismatch` (a failed payment by this
 * wallet)
 */
export async function storeArrival(
  wallet: Wallet,
  { txid, spends, outputs, sender, note, createdAt }: ReceivedPayment,
  priceThen: PriceThen | null = null,
): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    const payment = await paymentMaking(tx, txid);
    if (payment?.state === 'failed') throw new ServiceError('payment-mismatch', { detail: 'the network rejected it' });
    await restoreReceipt(wallet, tx, txid); // the caller has checked that the network has it
    let [satoshis, address] = [0n, ''];
    for (const output of outputs) {
      const own = await getAddress(tx, output.script);
      if (!own) throw new ServiceError('wallet-not-set-up');
      address ||= own.address;
      await (payment?.state === 'signed' ? markAddressUsed : markSeen)(wallet, tx, own.script);
      const key = outpoint(txid, output.vout);
      if (await hasCoin(tx, key)) continue;
      await addCoin(tx, {
        outpoint: key,
        txid,
        vout: output.vout,
        satoshis: output.satoshis,
        script: output.lockingScript,
        chain: own.chain,
        index: own.index,
        status: payment?.state === 'signed' ? 'pending' : 'available',
        paymentId: payment?.id ?? null,
        height: null,
        depth: 1,
        seen: false,
        ...((await isUnfound(wallet, tx, own)) && { isUnfound: true }),
      });
      satoshis += output.satoshis;
    }
    if (payment) {
      await deleteReceipt(tx, txid); // a receipt from a scan that didn't recognize the wallet's own payment
      await addOwnOutputs(
        tx,
        payment,
        outputs.map(({ vout }) => outpoint(txid, vout)),
      );
      return;
    }
    const receipt: Receipt = (await getReceipt(tx, txid)) ?? {
      txid,
      satoshis: 0n,
      address,
      createdAt,
      height: null,
      unconfirmed: 1 as const,
      ...(priceThen && { priceThen }),
    };
    await putReceipt(tx, {
      ...receipt,
      spends: receipt.spends ?? spends,
      createdAt: Math.min(receipt.createdAt, createdAt),
      satoshis: receipt.satoshis + satoshis,
      sender: receipt.sender ?? sender,
      note: receipt.note ?? note,
    });
  });
}
