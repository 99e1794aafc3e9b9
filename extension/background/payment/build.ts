/** Plans and signs the transaction of a payment from the coins that are there now. */
import { fromHex } from '../../../protocol/bytes.ts';
import { dataScript, normalizedTxidOf, type TransactionOutput } from '../../../protocol/transaction.ts';
import { meaningOf, ServiceError, toWireError } from '../../../protocol/errors.ts';
import { anonymousReportMessage, reportMessage } from '../../../protocol/report-message.ts';
import { MAX_OP_RETURN_BYTES } from '../../../protocol/limits.ts';
import { unusedAddresses } from '../coins/addresses.ts';
import { chooseCoins, MAX_INPUTS } from '../coins/choose.ts';
import type { Coin } from '../coins/coin.ts';
import { availableCoins, balance, countPending } from '../coins/store.ts';
import { refuseOldRate } from '../chain/agreement.ts';
import { feeRate } from '../chain/network.ts';
import { readSettings } from '../settings.ts';
import { leastPiece, piecesWanted } from '../transaction/change.ts';
import { spendingFee, type FeeRate } from '../transaction/fee.ts';
import { planTransaction, type Plan } from '../transaction/plan.ts';
import { signTransaction, type Signed } from '../transaction/sign.ts';
import { identityKeyOf, spendingKeys } from '../vault/keys.ts';
import { withSeed } from '../vault/session.ts';
import { signMessage } from '../vault/signed-message.ts';
import { publicKeys } from '../vault/vault.ts';
import type { PaymentRecord, SignedPart } from './record.ts';
import { cancellation, nextToReplace, type Rival } from './replace.ts';
import type { Quote } from '../recipients/quote.ts';
import type { Address } from '../coins/address.ts';

/** The data output that a request asks for, or null. */
export function dataOutput(opReturn: string | undefined): TransactionOutput | null {
  if (opReturn === undefined || opReturn === '') return null;
  const data = new TextEncoder().encode(opReturn);
  if (data.length > MAX_OP_RETURN_BYTES) throw new ServiceError('data-too-large');
  return { satoshis: 0n, lockingScript: dataScript(data) };
}

/** The outputs of a quote as they go into the transaction, data after payments. */
export function transactionOutputs(quote: Quote, opReturn: string | undefined): TransactionOutput[] {
  const outputs = quote.outputs.flatMap(({ scripts }) =>
    scripts.map(({ script, satoshis }) => ({ satoshis, lockingScript: fromHex(script) })),
  );
  const data = dataOutput(opReturn);
  return data ? [...outputs, data] : outputs;
}

/** A plan, the addresses that its change goes to, and the payment whose place it takes. */
export interface Draft {
  plan: Plan<Coin>;
  change: Address[];
  rival: Rival | null;
}

/**
 * Plans a payment with the coins of this moment. Works while the wallet is locked. Where the network refused an earlier
 * one, it spends a coin of that, so that at most one of the two can ever be mined; only where that does not do, it goes
 * without.
 * @param mostFee the most that the fee may be, in satoshis; without it, whatever it has to be
 * @throws ServiceError `insufficient-funds`, `amount-too-many-coins`, `fee-changed` (not for `mostFee`),
 *   `network-unavailable`, `data-too-large`, `wallet-not-set-up`, `rate-unavailable` (that of the quote is too old)
 */
export async function draftPayment(record: Pick<PaymentRecord, 'quote' | 'options'>, mostFee?: bigint): Promise<Draft> {
  refuseOldRate(record.quote.rate, Date.now());
  const outputs = transactionOutputs(record.quote, record.options.opReturn);
  const [rate, rival] = await Promise.all([feeRate(), nextToReplace()]);
  let first: unknown;
  for (const required of waysToReplace(rival, rate)) {
    try {
      const inputs = await chooseCoins(availableCoins, outputs, rate, required);
      return { ...(await planned(record, outputs, inputs, rate, mostFee)), rival: required.length > 0 ? rival : null };
    } catch (error) {
      // With other coins it may be enough, or cheap enough.
      const { final, blame } = meaningOf(toWireError(error).code);
      if (!final || blame !== 'user') throw error;
      first ??= error;
    }
  }
  throw first;
}

/** Which of a refused payment's coins to spend, best first; none of them where that has to do. */
function waysToReplace(rival: Rival | null, rate: FeeRate): Coin[][] {
  // What costs more than it brings would make a payment dearer than it looks.
  if (!rival || rival.anchor.satoshis <= spendingFee(rate)) return [[]];
  const all = [rival.anchor, ...rival.others].slice(0, MAX_INPUTS);
  return rival.trusted ? [[rival.anchor], all, []] : [[], [rival.anchor], all];
}

async function planned(
  { options: { preserveOrder = false } }: Pick<PaymentRecord, 'options'>,
  outputs: TransactionOutput[],
  inputs: Coin[],
  rate: FeeRate,
  mostFee?: bigint,
): Promise<Omit<Draft, 'rival'>> {
  const [{ network }, { available }, pending] = await Promise.all([readSettings(), balance(), countPending()]);
  const taken = inputs.filter(({ status }) => status === 'available').length;
  const pieces = piecesWanted({ available: available - taken, pending });
  const change = await unusedAddresses(await publicKeys(), network, 'change', pieces);
  const changeScripts = change.map(({ script }) => fromHex(script));
  const plan = planTransaction({
    outputs,
    inputs,
    changeScripts,
    rate,
    preserveOrder,
    ...(mostFee !== undefined && { mostFee }),
  });
  return { plan, change: change.slice(0, plan.changeIndexes.length) };
}

/**
 * Plans what cancels a payment: one of its coins, paid back to ourselves for twice the network's price, so that a price
 * that has just risen does not keep it out of a block.
 * @throws ServiceError `approval-unknown` (it cannot be cancelled any more), `insufficient-funds`, `fee-changed`,
 * `network-unavailable`
 */
export async function draftCancellation(id: string, mostFee?: bigint): Promise<Draft> {
  const rival = await cancellation(id);
  if (!rival) throw new ServiceError('approval-unknown');
  const price = await feeRate();
  const rate = { ...price, satoshis: price.satoshis * 2 };
  const change = await unusedAddresses(await publicKeys(), (await readSettings()).network, 'change', 1);
  const changeScripts = change.map(({ script }) => fromHex(script));
  const back = changeScripts.map((lockingScript) => ({ satoshis: leastPiece(1, rate), lockingScript }));
  const inputs = await chooseCoins(availableCoins, back, rate, [rival.anchor]);
  const plan = planTransaction({
    outputs: [],
    inputs,
    changeScripts,
    rate,
    preserveOrder: false,
    ...(mostFee !== undefined && { mostFee }),
  });
  return { plan, change, rival };
}

/**
 * A signed draft, and what shows services and recipients' hosts that this wallet signed it. `serviceProof` is for the
 * button's service.
 */
export type SignedDraft = Signed &
  Pick<SignedPart, 'normalizedTxid' | 'inputProof' | 'senderProof'> & { serviceProof: string | null };

/**
 * Signs a draft.
 * @param toHosts it is delivered to a recipient's host: then the identity key signs for that, too
 * @param service origin of the service that gets a report without an account, or null
 * @throws ServiceError `wallet-locked`
 */
export async function signDraft(
  { plan }: Draft,
  paymentId: string,
  toHosts: boolean,
  service: string | null,
): Promise<SignedDraft> {
  const { identity } = await publicKeys();
  return withSeed((seed) => {
    const keys = spendingKeys(seed);
    try {
      const signed = signTransaction(plan, (coin) => keys.pair(coin.chain, coin.index));
      const [first] = plan.inputs as [Coin];
      const { privateKey } = keys.pair(first.chain, first.index);
      const prove = (message: string) => signMessage(new TextEncoder().encode(message), privateKey);
      const inputProof = prove(reportMessage(paymentId, signed.txid, identity));
      const serviceProof = service === null ? null : prove(anonymousReportMessage(paymentId, signed.txid, service));
      const proofs = { normalizedTxid: normalizedTxidOf(signed.transaction), inputProof, serviceProof };
      return {
        ...signed,
        ...proofs,
        ...(toHosts && { senderProof: { publicKey: identity, signature: signTxid(seed, signed.txid) } }),
      };
    } finally {
      keys.wipe();
    }
  });
}

/** The identity key's signature of a transaction's id, as paymail hosts want it (BRFC 5f1323cddf31). */
function signTxid(seed: Uint8Array, txid: string): string {
  const key = identityKeyOf(seed);
  try {
    return signMessage(new TextEncoder().encode(txid), key);
  } finally {
    key.fill(0);
  }
}
