/**
 * Finds a token that this wallet minted before it was restored from its recovery words, or in another browser with the
 * same words. This browser doesn't have the link to the asset, and a second mint would create a token different from
 * the one that people hold.
 */
import { mintMessage } from '../../../../protocol/assets/assets.ts';
import { readTokenId } from '../../../../protocol/assets/bsv21/token.ts';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { normalizedTxidOf, serializeTransaction, type Transaction } from '../../../../protocol/bitcoin/transaction.ts';
import type { MintedAsset } from '../../../../protocol/messages/wallet-messages.ts';
import { heldAssets, mintOf } from '../../../assets/held.ts';
import { refreshAssets } from '../../../assets/refresh.ts';
import { networkInfo } from '../../../chain/network.ts';
import { fetchTransaction } from '../../../chain/headers/spv.ts';
import type { Address } from '../../../coins/addresses/address.ts';
import { outpoint } from '../../../coins/coin.ts';
import { readProgress } from '../../../scan/scan-progress.ts';
import { database, readTransaction } from '../../../store/database.ts';
import { walletEffectOf } from '../../../scan/history/wallet-effect.ts';
import { publicKeys } from '../../../vault/vault.ts';
import { signAtAddress } from '../../plan/sign.ts';
import { mintedTokenId, newMint, type MintOf } from '../../mint-record.ts';
import type { PaymentRecord } from '../../record.ts';
import { newPayment } from '../../start.ts';
import { paymentsMaking } from '../../store.ts';
import { readReceipt } from '../../../coins/receipts/receipts.ts';
import { isWalletScript, addressScriptOf } from '../../../coins/addresses/records.ts';
import type { Wallet } from '../../../platform.ts';

/** Maximum number of checked tokens with the same symbol, supply and decimals. */
const MAX_TOKENS_CHECKED = 20;
/** Maximum number of inputs in a mint. The wallet fetches the value of each one. */
const MAX_INPUTS = 500;
/** Maximum number of refreshes in a row to read all of the wallet's assets. */
const MAX_REFRESHES = 5;

interface OwnMint {
  transaction: Transaction;
  txid: string;
  inputSatoshis: bigint[];
  ownOutputs: string[];
  /** The address whose key signed the first input. */
  first: Address;
}

/**
 * Returns the ID of a token with exactly these properties that the wallet minted for an unknown asset, or null. Refreshes
 * the wallet's assets from the network.
 * @throws ServiceError `network-unavailable` (also while the wallet is being restored) and other errors from the refresh,
 * because the token could otherwise be minted twice
 */
export async function earlierMint(wallet: Wallet, { symbol, decimals, units }: MintedAsset): Promise<string | null> {
  if (!(await readProgress(wallet)).done)
    throw new ServiceError('network-unavailable', { detail: 'the wallet is still searching for its coins' });
  await lookAtAll(wallet);
  let left = MAX_TOKENS_CHECKED;
  for (const id of new Set((await heldAssets(wallet)).tokens.map((one) => one.id))) {
    const mint = await mintOf(wallet, id);
    const isSame =
      mint !== undefined &&
      mint.symbol === symbol &&
      mint.decimals === decimals &&
      mint.supply === BigInt(units) &&
      mint.icon === null;
    if (!isSame) continue;
    if (mint.word !== 'chain')
      throw new ServiceError('network-unavailable', { detail: 'its mint has not been verified' });
    // Anyone can send such tokens to the wallet, so the limit may be reached before the wallet's own token is checked.
    if (left === 0) throw new ServiceError('network-unavailable', { detail: 'too many tokens of the same name' });
    left -= 1;
    if (await ownMint(wallet, id)) return id;
  }
  return null;
}

/** Reads all assets in several refreshes, because strangers can send more tokens than one refresh reads. */
async function lookAtAll(wallet: Wallet): Promise<void> {
  for (let i = 0; i < MAX_REFRESHES; i += 1) if (await refreshAssets(wallet)) return;
  throw new ServiceError('network-unavailable', { detail: 'too many tokens and ordinals for one check' });
}

/**
 * Returns the wallet's mint of the token. Null if the wallet didn't mint it, or already has the payment that minted it.
 */
async function ownMint(wallet: Wallet, id: string): Promise<OwnMint | null> {
  const { txid = '' } = readTokenId(id) ?? {};
  if (id !== mintedTokenId(txid)) return null;
  if ((await paymentsMaking(readTransaction(await database(wallet)), txid)).length > 0) return null;
  const info = await networkInfo(wallet);
  const transaction = await fetchTransaction(wallet, info, txid);
  if (!transaction) return null;
  const { inputs, outputs } = await walletEffectOf(wallet, transaction);
  const { lockingScript = new Uint8Array() } = transaction.outputs[0] ?? {};
  const isOurs = await isWalletScript(readTransaction(await database(wallet)), lockingScript);
  if (!isOurs || inputs.length !== transaction.inputs.length) return null;
  // A key in an unlocking script proves nothing by itself. The spent output proves that this key was required.
  const inputSatoshis: bigint[] = [];
  for (const { input, own } of inputs) {
    // The first input proves that the wallet signed the mint, so strangers can't exceed the limit.
    if (inputSatoshis.length > 0 && inputs.length > MAX_INPUTS)
      throw new ServiceError('network-unavailable', { detail: 'too many inputs of one mint' });
    const spent = (await fetchTransaction(wallet, info, input.txid))?.outputs[input.vout];
    if (!spent || addressScriptOf(spent.lockingScript) !== own.script) return null;
    inputSatoshis.push(spent.satoshis);
  }
  const ownOutputs = outputs.map(({ vout }) => outpoint(txid, vout));
  return { transaction, txid, inputSatoshis, ownOutputs, first: (inputs[0] as (typeof inputs)[number]).own };
}

/**
 * Creates the record of the earlier mint as a broadcast payment. When the payment is reported to the service, the
 * service links the token to the asset.
 * @throws ServiceError `approval-unknown` (the mint is gone), `wallet-locked`, and any errors from finding it
 */
export async function earlierMintRecord(
  wallet: Wallet,
  of: MintOf,
  asset: MintedAsset,
  id: string,
): Promise<PaymentRecord> {
  const mint = await ownMint(wallet, id);
  if (!mint) throw new ServiceError('approval-unknown');
  const { transaction, txid, inputSatoshis, ownOutputs, first } = mint;
  const { identity } = await publicKeys(wallet);
  const { createdAt = wallet.now(), height = null } = (await readReceipt(wallet, txid)) ?? {};
  const made = await newMint(wallet, of, asset);
  const paid = transaction.outputs.reduce((sum, { satoshis }) => sum + satoshis, 0n);
  return newPayment(wallet, {
    ...made,
    createdAt,
    height,
    state: 'broadcast',
    asset: { asset, mint: { ...of, isEarlier: true }, coins: [], outputs: transaction.outputs.slice(0, 1) },
    signed: {
      rawtx: toHex(serializeTransaction(transaction)),
      txid,
      normalizedTxid: normalizedTxidOf(transaction),
      inputProof: await signAtAddress(wallet, mintMessage(of.assetId, txid, identity), first),
      feeSatoshis: inputSatoshis.reduce((sum, one) => sum + one, 0n) - paid,
      inputs: transaction.inputs.map((input) => outpoint(input.txid, input.vout)),
      inputSatoshis,
      ownOutputs,
    },
  });
}
