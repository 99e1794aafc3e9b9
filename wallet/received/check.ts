/**
 * Validates received payments reported by the service: the bytes must hash to the ID, parse strictly, and contain all
 * reported outputs at addresses derived from this wallet's own keys.
 */
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { TOKEN_SATOSHIS } from '../../protocol/assets/bsv21/validity.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { MAX_NOTE, readPaymail, writePaymail } from '../../protocol/http/paymail.ts';
import { receivedTransaction } from '../../protocol/http/received.ts';
import { parseTransactionHex, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { addressScriptOf } from '../coins/addresses/records.ts';
import { derived } from '../coins/addresses/addresses.ts';
import { outpoint } from '../coins/coin.ts';
import { MAX_SPENT_OUTPOINTS } from '../coins/receipts/receipt.ts';
import { checkScriptQuota, hasCoin } from '../coins/records.ts';
import { readTransaction, database } from '../store/database.ts';
import { publicKeyHashes, type PublicKeys } from '../keys/keys.ts';
import type { Wallet } from '../platform.ts';

/**
 * Maximum distance of a reported address beyond the derived addresses (number of indexes). Without a limit, a service
 * could make the wallet derive addresses for hours.
 */
const MAX_ADDRESS_DISTANCE = 1000;

export interface ReceivedPayment {
  rawtx: string;
  txid: string;
  /** Outpoints (`txid:vout`) of the first {@link MAX_SPENT_OUTPOINTS} inputs. */
  spends: string[];
  /**
   * Outputs at addresses issued by the service. `script` is the address's script, `index` its index on
   * `m/44'/236'/2'/0`. `lockingScript` is the actual script, which may contain a token or an ordinal.
   */
  outputs: { vout: number; satoshis: bigint; script: string; lockingScript: string; index: number }[];
  sender: { paymail: string; verified: boolean } | null;
  note: string | null;
  /** When the service received it, as reported but never in the future (milliseconds since 1970). */
  createdAt: number;
}

/**
 * Checks a reported payment.
 * @throws ServiceError `invalid-request` (malformed), `invalid-transaction`, `payment-mismatch` (the bytes don't match
 * the ID or the reported outputs, an address isn't the wallet's, or the scripts exceed the storage limit)
 */
export async function checkReceived(wallet: Wallet, said: unknown, keys: PublicKeys): Promise<ReceivedPayment> {
  const parsed = receivedTransaction.safeParse(said);
  if (!parsed.success) throw new ServiceError('invalid-request', { detail: 'invalid received transaction' });
  const { rawtx, txid, outputs: named, sender, senderVerified, note, createdAt } = parsed.data;
  const transaction = parseTransactionHex(rawtx);
  if (txidOf(fromHex(rawtx)) !== txid) throw mismatch('another transaction');
  const scripts = await ownScripts(
    wallet,
    keys,
    named.map(({ index }) => index),
  );
  const taken = new Set<number>();
  const outputs = named.map(({ script, satoshis, index }, i) => {
    if (scripts[i] !== script) throw mismatch('a script of another wallet');
    const vout = transaction.outputs.findIndex(
      ({ satoshis: value, lockingScript }, at) =>
        !taken.has(at) &&
        value === BigInt(satoshis) &&
        (toHex(lockingScript) === script || (value === TOKEN_SATOSHIS && addressScriptOf(lockingScript) === script)),
    );
    const output = transaction.outputs[vout];
    if (!output) throw mismatch('missing output');
    taken.add(vout);
    return { vout, satoshis: BigInt(satoshis), script, lockingScript: toHex(output.lockingScript), index };
  });
  await checkScriptSizes(wallet, txid, outputs);
  const paymail = sender === null ? null : readPaymail(sender);
  return {
    rawtx,
    txid,
    outputs,
    spends: transaction.inputs.slice(0, MAX_SPENT_OUTPOINTS).map((input) => outpoint(input.txid, input.vout)),
    sender: paymail && { paymail: writePaymail(paymail), verified: senderVerified },
    note: note?.slice(0, MAX_NOTE) || null,
    createdAt: Math.min(wallet.now(), Date.parse(createdAt) || wallet.now()),
  };
}

/**
 * Checks that the outputs' scripts fit into the storage limit. Scripts of outputs that are already stored don't count.
 */
async function checkScriptSizes(wallet: Wallet, txid: string, outputs: ReceivedPayment['outputs']): Promise<void> {
  const sizes: number[] = [];
  for (const { vout, satoshis, lockingScript } of outputs)
    if (satoshis === TOKEN_SATOSHIS && !(await hasCoin(readTransaction(await database(wallet)), outpoint(txid, vout))))
      sizes.push(lockingScript.length / 2);
  await checkScriptQuota(wallet, txid, sizes).catch((cause: unknown) => {
    throw new ServiceError('payment-mismatch', { detail: 'too large to store', cause });
  });
}

async function ownScripts(wallet: Wallet, keys: PublicKeys, indexes: readonly number[]): Promise<string[]> {
  const known = await derived(wallet, 'service');
  if (indexes.some((index) => index >= known + MAX_ADDRESS_DISTANCE)) throw mismatch('address index too high');
  return publicKeyHashes(keys, 'service', indexes).map((hash) => toHex(p2pkhScript(hash)));
}

function mismatch(detail: string): ServiceError {
  return new ServiceError('payment-mismatch', { detail });
}
