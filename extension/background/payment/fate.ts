/**
 * What is certain about a signed transaction that the network did not take, or no longer knows. One gateway's "no" is not
 * enough: coins are released only when it can never be mined any more.
 */
import { transactionStatus } from '../chain/arc.ts';
import { provenBlock, provenSpender } from '../chain/evidence.ts';
import type { NetworkInfo } from '../chain/network.ts';
import { transactionHex } from '../chain/whats-on-chain.ts';
import { database } from '../database.ts';
import type { SignedPart } from './record.ts';

/**
 * `known`: the index has it. `dead`: some of its inputs (outpoints) are gone for good, either spent by another
 * transaction in a proven block, or of a transaction that never came to be. `open`: it may still be mined.
 */
export type Fate = { kind: 'known' | 'open' } | { kind: 'dead'; gone: string[] };

/**
 * Finds out.
 * @throws ServiceError `network-unavailable`, `invalid-proof`
 */
export async function fateOf(info: NetworkInfo, signed: SignedPart): Promise<Fate> {
  if ((await transactionHex(info.wocUrl, signed.txid)) !== null) return { kind: 'known' };
  const gone: string[] = [];
  for (const outpoint of signed.inputs) {
    if (await isGone(info, outpoint, signed.txid)) gone.push(outpoint);
  }
  return gone.length > 0 ? { kind: 'dead', gone } : { kind: 'open' };
}

async function isGone(info: NetworkInfo, outpoint: string, txid: string): Promise<boolean> {
  // A coin of our own whose payment died is not in the database any more.
  if ((await (await database()).get('coins', outpoint)) === undefined) return true;
  const [parent = '', vout = ''] = outpoint.split(':');
  const spender = await provenSpender(info, parent, Number(vout));
  if (spender !== null) return spender !== txid && (await provenBlock(info, spender)) !== null;
  // Neither of the two services knows the transaction that it comes from: it was dropped, or made up.
  return (await transactionHex(info.wocUrl, parent)) === null && (await transactionStatus(info.arcUrl, parent)) === null;
}
