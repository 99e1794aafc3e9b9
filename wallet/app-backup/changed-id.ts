/** Finds payments to derived keys (BRC-29) that were mined under a transaction ID other than the logged one. */
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { keyOf, type LogEntry } from '../app-log/entry.ts';
import { getLogged, loggedPayments } from '../app-log/records.ts';
import { coinsSpentWith, fetchTransaction, provenBlock } from '../chain/headers/spv.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { unspentOf } from '../chain/whats-on-chain.ts';
import { outpoint as outpointOf } from '../coins/coin.ts';
import { hash160, type KeyPair } from '../keys/keys.ts';
import type { Wallet } from '../platform.ts';
import { database, inTransaction, readTransaction } from '../store/database.ts';
import { withPaymentKeys } from '../vault/payment-key.ts';
import type { EntryOf } from './restore.ts';

/** Maximum number of listed outputs that are checked. Adding one costs its sender the payment's amount. */
const MAX_OUTPUTS = 20;

/**
 * Returns the outpoint of an unspent mined output with the payment's index, amount and derived key; null if there is
 * none. Unconfirmed transactions don't count, because the index can make them up. Logged outpoints don't count either,
 * because they are other payments to the same key, unless their entry has ended. The index isn't queried while such a
 * payment is being swept.
 * @throws ServiceError `wallet-locked`, `network-unavailable`, `invalid-proof`
 */
export async function minedOutpoint(
  wallet: Wallet,
  info: NetworkInfo,
  entry: EntryOf<'wallet-payment'>,
): Promise<string | null> {
  const vout = Number(entry.outpoint.split(/[.:]/)[1]);
  const others = await inTransaction(wallet, (tx) => loggedPayments(wallet, tx));
  if (others.some((other) => other.unapplied === undefined && isSameBut(other.entry, entry))) return null;
  const hash = await withPaymentKeys(wallet, [entry], async ([pair]) => hash160((pair as KeyPair).publicKey));
  const script = toHex(p2pkhScript(hash));
  const unspent = await unspentOf(wallet, info.wocUrl, [writeAddress(hash, info.network)]);
  const alike = unspent.filter((one) => one.height > 0 && one.vout === vout && one.satoshis === BigInt(entry.satoshis));
  for (const { txid } of alike.slice(0, MAX_OUTPUTS)) {
    const outpoint = outpointOf(txid, vout);
    const logged = await getLogged(readTransaction(await database(wallet)), keyOf({ ...entry, outpoint }));
    if (logged?.entry.kind === 'wallet-payment') continue;
    const output = (await fetchTransaction(wallet, info, txid))?.outputs[vout];
    if (!output || toHex(output.lockingScript) !== script || output.satoshis !== BigInt(entry.satoshis)) continue;
    if (!(await provenBlock(wallet, info, txid))) continue;
    // The outpoint counts if its entry has ended, because a reorganization can give the payment an earlier ID again.
    const coin = { txid, vout, satoshis: output.satoshis, script };
    if ((await coinsSpentWith(wallet, info, coin, [])).length === 0) return outpoint;
  }
  return null;
}

/** True if two payments differ only in their transactions. */
function isSameBut(one: LogEntry, other: EntryOf<'wallet-payment'>): boolean {
  return (
    one.kind === 'wallet-payment' &&
    one.outpoint.slice(64) === other.outpoint.slice(64) &&
    one.satoshis === other.satoshis &&
    one.derivationPrefix === other.derivationPrefix &&
    one.derivationSuffix === other.derivationSuffix &&
    one.senderIdentityKey === other.senderIdentityKey
  );
}
