/** Checks that the owner's wallet minted the token described by an asset. Pure. */
import { mintMessage, type MintReport } from '../../protocol/assets/assets.ts';
import { readToken, readTokenId } from '../../protocol/assets/bsv21/token.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { firstKey } from '../../protocol/bitcoin/p2pkh-unlock.ts';
import { parseTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { isSignedBy } from '../identity/signed-message.ts';
import type { StoredAsset } from './store.ts';

const mismatch = (detail: string) => new ServiceError('asset-mismatch', { detail });

/**
 * Verifies a mint report. Trusts only the transaction itself. Anyone can see the transaction, so the key that unlocks
 * its first input must sign a message that names the asset.
 */
export function checkMint(
  { id, supply, decimals }: Pick<StoredAsset, 'id' | 'supply' | 'decimals'>,
  { tokenId, rawtx, inputProof }: MintReport,
  publicKey: string,
): string {
  const bytes = fromHex(rawtx);
  const transaction = parseTransaction(bytes);
  const txid = txidOf(bytes);
  const place = readTokenId(tokenId);
  if (place?.txid !== txid) throw mismatch('the token is of another transaction');
  const minter = firstKey(transaction);
  if (!minter || !isSignedBy(toHex(minter), mintMessage(id, txid, publicKey), inputProof))
    throw mismatch('the proof is not signed by the first input’s key');
  const output = transaction.outputs[place.vout];
  const token = output && readToken(output.lockingScript);
  if (token?.op !== 'deploy+mint' || output?.satoshis !== 1n) throw mismatch('the output mints nothing');
  if (token.amt !== supply || token.dec !== decimals) throw mismatch('the supply or decimals differ from the asset’s');
  return txid;
}
