/**
 * Moves tokens and ordinals from other wallets' derivation paths to this wallet, whose coins pay the fee. The
 * transaction is signed before anything is stored, and stored with its coins in one database transaction.
 */
import { TOKEN_SATOSHIS } from '../../../../protocol/assets/bsv21/validity.ts';
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { normalizedTxidOf } from '../../../../protocol/bitcoin/transaction.ts';
import type { OtherAsset } from '../../../assets/other-assets.ts';
import { MAX_FETCHED } from '../../../chain/operators.ts';
import { finalFeeRate } from '../../../chain/network.ts';
import type { Address } from '../../../coins/addresses/address.ts';
import { chooseCoins, availableCoins } from '../../../coins/choose.ts';
import type { Coin } from '../../../coins/coin.ts';
import { isUsedSince } from '../../../coins/addresses/records.ts';
import { inTransaction } from '../../../store/database.ts';
import { planTransaction, type Plan } from '../../../transaction/plan.ts';
import { signTransaction } from '../../../transaction/sign.ts';
import type { OtherKeys } from '../../../vault/other-paths.ts';
import { withSpendingKeys, type SignedDraft } from '../../plan/sign.ts';
import { changeAddresses } from '../../plan/change-addresses.ts';
import { storeSigned } from '../../plan/store-signed.ts';
import { isSpentByWallet } from './sweep.ts';
import { holding } from '../../plan/token-coins.ts';
import { getCoin, changeCoin } from '../../../coins/records.ts';
import { startPayment, ownPayment } from '../../start.ts';
import type { Wallet } from '../../../platform.ts';

type Moved = OtherAsset | Coin;
const isOther = (input: Moved): input is OtherAsset => 'path' in input;

export interface AssetDraft {
  plan: Plan<Moved>;
  to: readonly Address[];
}

/**
 * Returns the assets to move together. A token for which only the index vouches is moved separately, because it may be
 * forged, which would destroy the other assets in the same transaction. The number of assets is limited, because each
 * asset's transaction is fetched for the broadcast.
 */
export function movedTogether(assets: readonly OtherAsset[]): readonly OtherAsset[] {
  const certain = assets.filter(({ token, word }) => token === null || word === 'chain');
  return certain.length > 0 ? certain.slice(0, MAX_FETCHED) : assets.slice(0, 1);
}

/**
 * Plans the move. The assets come first, each at the position of the output that receives its satoshi.
 * @throws ServiceError `insufficient-funds`, `network-unavailable`
 */
export async function draftAssets(wallet: Wallet, assets: readonly OtherAsset[]): Promise<AssetDraft> {
  const rate = await finalFeeRate(wallet);
  const { addresses: to } = await changeAddresses(wallet, 1, null, []);
  const changeScripts = to.map(({ script }) => fromHex(script));
  const [lock] = changeScripts as [Uint8Array<ArrayBuffer>];
  const outputs = assets.map(({ token }) =>
    token ? holding(token.id, token.amt, lock) : { satoshis: TOKEN_SATOSHIS, lockingScript: lock },
  );
  const inputs = await chooseCoins(availableCoins(wallet), outputs, rate, assets);
  const plan = planTransaction<Moved>({ outputs, inputs, changeScripts, rate, preserveOrder: true });
  return { plan: { ...plan, inputs: [...assets, ...plan.inputs.filter((input) => !isOther(input))] }, to };
}

/** Signs the move with the keys of both wallets. @throws ServiceError `wallet-locked` */
export async function signAssets(wallet: Wallet, { plan }: AssetDraft, keys: OtherKeys): Promise<SignedDraft> {
  const signed = await withSpendingKeys(wallet, (own) =>
    signTransaction(plan, (input) =>
      isOther(input) ? keys.pair(input.path, input.index) : own.pair(input.chain, input.index),
    ),
  );
  return { ...signed, normalizedTxid: normalizedTxidOf(signed.transaction), inputProof: '', serviceProof: null };
}

/**
 * Stores the signed move.
 * @returns the payment's ID, or null if a coin was spent or an address was used since planning
 * @throws ServiceError `not-paid` (an asset has already been moved)
 */
export async function storeAssets(
  wallet: Wallet,
  { plan, to }: AssetDraft,
  signed: SignedDraft,
): Promise<string | null> {
  const record = ownPayment(wallet, 'sweep', { sweep: true });
  return inTransaction(wallet, async (tx) => {
    if (await isUsedSince(tx, to)) return null;
    for (const input of plan.inputs) {
      if (isOther(input)) {
        if (await isSpentByWallet(tx, input.outpoint)) throw new ServiceError('not-paid');
        continue;
      }
      const coin = await getCoin(tx, input.outpoint);
      if (coin?.status !== 'available') return null;
      await changeCoin(tx, coin, { event: 'reserve', paymentId: record.id });
    }
    const parts = await storeSigned(wallet, tx, record, { plan }, signed);
    await startPayment(wallet, tx, record, { signed: parts });
    return record.id;
  });
}
