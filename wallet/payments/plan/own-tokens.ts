/** Stores our own token change when a transaction is signed, so that the next payment needn't look it up. */
import { readToken, tokenId } from '../../../protocol/assets/bsv21/token.ts';
import {
  TOKEN_SATOSHIS,
  tokenOutputs,
  validOutputs,
  type TokenAmount,
} from '../../../protocol/assets/bsv21/validity.ts';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { outpoint } from '../../coins/coin.ts';
import type { WriteTransaction } from '../../store/database.ts';
import type { Input } from '../../transaction/input.ts';
import type { Signed } from '../../transaction/sign.ts';
import { assetIn, putAsset } from '../../assets/store.ts';
import type { Wallet } from '../../platform.ts';

/** Stores which of the wallet's outputs contain their token, by its own verification. @param own outpoints */
export async function noteOwnTokens(
  wallet: Wallet,
  tx: WriteTransaction,
  { transaction, txid }: Signed,
  inputs: readonly Input[],
  own: readonly string[],
): Promise<void> {
  const spent: TokenAmount[] = [];
  for (const { txid: from, vout, script, satoshis } of inputs) {
    const token = satoshis === TOKEN_SATOSHIS ? readToken(fromHex(script)) : null;
    if (!token) continue;
    const verdict = (await assetIn(tx, outpoint(from, vout)))?.verdict;
    // A mint contains the amount that it declares, even without a stored verdict.
    if (token.op === 'deploy+mint' || (verdict?.state === 'valid' && verdict.word === 'chain'))
      spent.push({ id: token.op === 'transfer' ? token.id : tokenId(from, vout), amt: token.amt });
  }
  const mayMint = transaction.outputs.some(({ satoshis }) => satoshis === TOKEN_SATOSHIS);
  if (spent.length === 0 && !mayMint) return;
  const { outputs, unclear } = tokenOutputs(transaction, txid);
  if (unclear.length > 0) return;
  for (const { vout } of validOutputs(outputs, spent)) {
    const key = outpoint(txid, vout);
    if (own.includes(key))
      await putAsset(tx, { outpoint: key, verdict: { state: 'valid', word: 'chain', at: wallet.now() } });
  }
}
