/** Converts a transaction to Extended Format (BRC-30). */
import { hash160 } from '../keys/keys.ts';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { extendedFormat } from '../../protocol/network/broadcaster/extended-format.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex, type Transaction, type TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { isKeptApart, outpoint } from '../coins/coin.ts';

import type { Input } from '../transaction/input.ts';
import type { NetworkInfo } from './network-info.ts';
import { fetchTransaction } from './headers/spv.ts';
import { readCoins } from '../coins/records.ts';
import type { Wallet } from '../platform.ts';

/** A transaction and the known outputs that it spends. */
export interface Spends {
  /** Hexadecimal. */
  rawtx: string;
  /** Input amounts by outpoint (satoshis), if the wallet signed the transaction. */
  satoshis?: ReadonlyMap<string, bigint>;
  /** Other parties' outputs that the transaction spends. */
  given?: readonly Input[];
  /** Looks up transactions submitted together with this one, by id. */
  parents?: (txid: string) => Transaction | undefined;
}

/** Maximum number of parents fetched per transaction. A third party's may spend thousands of outputs. */
export const MAX_FETCHED = 20;

/**
 * Returns the transaction in Extended Format (hex), or null if an output that it spends can't be found. Looks in the
 * wallet's coins first, then queries the index and checks its bytes against the ids.
 * @throws ServiceError `network-unavailable`, `invalid-transaction`, `invalid-proof`, `too-large`
 */
export async function extendedOf(
  wallet: Wallet,
  info: Pick<NetworkInfo, 'wocUrl'>,
  { rawtx, satoshis, given = [], parents }: Spends,
): Promise<string | null> {
  const transaction = parseTransactionHex(rawtx);
  const others = new Map(given.map((one) => [outpoint(one.txid, one.vout), one]));
  const fetched = new Map<string, Promise<Transaction | null>>();
  const sources: TransactionOutput[] = [];
  const keys = transaction.inputs.map(({ txid, vout }) => outpoint(txid, vout));
  const coins = await readCoins(wallet, keys);
  for (const [i, { txid, vout, unlockingScript }] of transaction.inputs.entries()) {
    const key = keys[i] as string;
    const known = others.get(key) ?? coins[i];
    const worth = satoshis?.get(key);
    // The script of a one-satoshi coin may also contain an inscription.
    const script = worth === undefined || isKeptApart({ satoshis: worth }) ? null : ownScript(unlockingScript);
    if (known) sources.push({ satoshis: known.satoshis, lockingScript: fromHex(known.script) });
    else if (worth !== undefined && script) sources.push({ satoshis: worth, lockingScript: script });
    else {
      if (!fetched.has(txid) && !parents?.(txid) && fetched.size >= MAX_FETCHED) return null;
      const parent = parents?.(txid) ?? (await fetchOnce(wallet, fetched, info, txid));
      const output = parent?.outputs[vout];
      if (!output) return null;
      sources.push(output);
    }
  }
  return toHex(extendedFormat(transaction, sources));
}

function fetchOnce(
  wallet: Wallet,
  fetched: Map<string, Promise<Transaction | null>>,
  info: Pick<NetworkInfo, 'wocUrl'>,
  txid: string,
): Promise<Transaction | null> {
  const running = fetched.get(txid) ?? fetchTransaction(wallet, info, txid);
  fetched.set(txid, running);
  return running;
}

/** Derives the P2PKH script from an input that has a signature and a compressed key; null for any other input. */
function ownScript(unlockingScript: Uint8Array): Uint8Array | null {
  const [length = 0] = unlockingScript;
  const key = unlockingScript.subarray(length + 2);
  return length > 8 && length < 0x4c && unlockingScript[length + 1] === 33 && key.length === 33
    ? p2pkhScript(hash160(key))
    : null;
}
