/** Plans and signs the transaction of a payment from the coins that are there now. */
import { fromHex } from '../../../protocol/bytes.ts';
import { dataScript, normalizedTxidOf, type TransactionOutput } from '../../../protocol/transaction.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { reportMessage } from '../../../protocol/report-message.ts';
import { MAX_OP_RETURN_BYTES } from '../../../protocol/payment.ts';
import { nextUnused, chainAddresses, extendAddresses, type Address } from '../coins/addresses.ts';
import type { Coin } from '../coins/coin.ts';
import { availableCoins } from '../coins/store.ts';
import { feeRate } from '../chain/network.ts';
import { readSettings } from '../settings.ts';
import { planTransaction, type Plan } from '../transaction/plan.ts';
import { signTransaction, type Signed } from '../transaction/sign.ts';
import { spendingKeys } from '../vault/keys.ts';
import { withSeed } from '../vault/session.ts';
import { signMessage } from '../vault/signed-message.ts';
import { publicKeys } from '../vault/vault.ts';
import type { PaymentRecord, Quote } from './record.ts';

/** The data output that a request asks for, or null. */
export function dataOutput(opReturn: string | undefined): TransactionOutput | null {
  if (opReturn === undefined || opReturn === '') return null;
  const data = new TextEncoder().encode(opReturn);
  if (data.length > MAX_OP_RETURN_BYTES) throw new ServiceError('data-too-large');
  return { satoshis: 0n, lockingScript: dataScript(data) };
}

/** The outputs of a quote as they go into the transaction, data after payments. */
export function transactionOutputs(quote: Quote, opReturn: string | undefined): TransactionOutput[] {
  const outputs = quote.outputs.flatMap(({ scripts }) => scripts.map(({ script, satoshis }) => ({ satoshis, lockingScript: fromHex(script) })));
  const data = dataOutput(opReturn);
  return data ? [...outputs, data] : outputs;
}

/** A plan, and the address that its change goes to. */
export interface Draft {
  plan: Plan;
  change: Address;
}

/**
 * Plans a payment with the coins of this moment. Works while the wallet is locked.
 * @throws ServiceError `insufficient-funds`, `network-unavailable`, `data-too-large`, `wallet-not-set-up`
 */
export async function draftPayment(record: PaymentRecord): Promise<Draft> {
  if (!record.quote) throw new ServiceError('internal', { detail: 'no quote' });
  const { network } = await readSettings();
  const change = await nextChangeAddress(network);
  const plan = planTransaction({
    outputs: transactionOutputs(record.quote, record.options.opReturn),
    coins: await availableCoins(),
    changeScript: fromHex(change.script),
    rate: await feeRate(),
    preserveOrder: record.options.preserveOrder === true,
  });
  return { plan, change };
}

async function nextChangeAddress(network: Parameters<typeof extendAddresses>[1]): Promise<Address> {
  const known = await chainAddresses('change');
  const next = known[nextUnused(known)];
  if (next) return next;
  await extendAddresses(await publicKeys(), network);
  const extended = await chainAddresses('change');
  return extended[nextUnused(extended)] as Address;
}

/** A signed draft, and the proof for the service that this wallet signed it. */
export type SignedDraft = Signed & { normalizedTxid: string; inputProof: string };

/**
 * Signs a draft.
 * @throws ServiceError `wallet-locked`
 */
export async function signDraft({ plan }: Draft, paymentId: string): Promise<SignedDraft> {
  const { identity } = await publicKeys();
  return withSeed((seed) => {
    const keys = spendingKeys(seed);
    try {
      const signed = signTransaction(plan, (coin) => keys.pair(coin.chain, coin.index));
      const [first] = plan.inputs as [Coin];
      const message = new TextEncoder().encode(reportMessage(paymentId, signed.txid, identity));
      const inputProof = signMessage(message, keys.pair(first.chain, first.index).privateKey);
      return { ...signed, normalizedTxid: normalizedTxidOf(signed.transaction), inputProof };
    } finally {
      keys.wipe();
    }
  });
}
