/** Signs drafts with the wallet's keys, and proves to services and hosts who signed them. */
import { mintMessage } from '../../../protocol/assets/assets.ts';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { normalizedTxidOf } from '../../../protocol/bitcoin/transaction.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { anonymousReportMessage, reportMessage } from '../../../protocol/signed-messages/report-message.ts';
import { outpoint, type Coin } from '../../coins/coin.ts';
import { database, readTransaction } from '../../store/database.ts';
import type { Plan } from '../../transaction/plan.ts';
import type { Input } from '../../transaction/input.ts';
import { signTransaction, type Signed } from '../../transaction/sign.ts';
import { identityKeyOf, spendingKeys, type SpendingKeys } from '../../keys/keys.ts';
import { withSeed } from '../../vault/session.ts';
import { signMessage } from '../../keys/ecdsa.ts';
import { publicKeys } from '../../vault/vault.ts';
import type { PaymentRecord, SignedPart } from '../record.ts';
import type { Address } from '../../coins/addresses/address.ts';
import { lightSpenders } from '../store.ts';
import { hasCoin } from '../../coins/records.ts';
import { isWalletScript } from '../../coins/addresses/records.ts';
import type { Wallet } from '../../platform.ts';
import type { Draft } from './draft.ts';

/**
 * Rejects an action whose application declares the wallet's own coins as its inputs. The error is shown only in the
 * window, because only the user may learn the reason.
 * @throws ServiceError `own-input`
 */
export async function rejectOwnInputs(wallet: Wallet, { action }: Pick<PaymentRecord, 'action'>): Promise<void> {
  for (const input of action?.inputs ?? []) if (await isOwnInput(wallet, input)) throw new ServiceError('own-input');
}

/**
 * True if the wallet's own keys unlock an output, spent or not. Such an output is never accepted as an application's
 * input, because its signature may be public in one of the user's transactions. The page must get the same response as
 * for a wrong signature. Otherwise, a page could discover the user's addresses.
 */
export async function isOwnInput(wallet: Wallet, { txid, vout, script }: Input): Promise<boolean> {
  const key = outpoint(txid, vout);
  if (await hasCoin(readTransaction(await database(wallet)), key)) return true;
  if (await isWalletScript(readTransaction(await database(wallet)), fromHex(script))) return true;
  // The wallet stores outputs at derived keys (BRC-29) only as inputs of the transactions that sweep them.
  return (await lightSpenders(readTransaction(await database(wallet)))(key)).some(({ sweep }) => sweep === true);
}

/** A signed draft with proofs of its signer. `serviceProof` is for the button's service. */
export type SignedDraft = Signed &
  Pick<SignedPart, 'normalizedTxid' | 'inputProof' | 'senderProof'> & { serviceProof: string | null };

/**
 * Signs a draft.
 * @param toHosts true if a recipient's host gets the transaction, which requires a signature by the identity key
 * @param service origin of the service that gets an anonymous report, or null
 * @throws ServiceError `wallet-locked`
 */
export async function signDraft(
  wallet: Wallet,
  { plan }: Draft,
  { id, asset }: Pick<PaymentRecord, 'id' | 'asset'>,
  toHosts: boolean,
  service: string | null,
): Promise<SignedDraft> {
  const { identity } = await publicKeys(wallet);
  return withSpendingKeys(wallet, (keys, seed) => {
    const signed = signTransaction(plan, (coin) => keys.pair(coin.chain, coin.index));
    const [first] = plan.inputs as [Coin];
    const { privateKey } = keys.pair(first.chain, first.index);
    const prove = (message: string) => signMessage(new TextEncoder().encode(message), privateKey);
    const mint = asset?.mint;
    const inputProof = prove(
      mint ? mintMessage(mint.assetId, signed.txid, identity) : reportMessage(id, signed.txid, identity),
    );
    const serviceProof = service === null ? null : prove(anonymousReportMessage(id, signed.txid, service));
    const proofs = { normalizedTxid: normalizedTxidOf(signed.transaction), inputProof, serviceProof };
    return {
      ...signed,
      ...proofs,
      ...(toHosts && { senderProof: { publicKey: identity, signature: signTxid(seed, signed.txid) } }),
    };
  });
}

/** Signs an action's transaction, which isn't reported to any service. @throws ServiceError `wallet-locked` */
export async function signPlan(wallet: Wallet, plan: Plan<Coin>): Promise<SignedDraft> {
  const signed = await withSpendingKeys(wallet, (keys) =>
    signTransaction(plan, ({ chain, index }) => keys.pair(chain, index)),
  );
  return { ...signed, normalizedTxid: normalizedTxidOf(signed.transaction), inputProof: '', serviceProof: null };
}

/** Signs a message with the key of one of the wallet's addresses. @throws ServiceError `wallet-locked` */
export function signAtAddress(
  wallet: Wallet,
  message: string,
  { chain, index }: Pick<Address, 'chain' | 'index'>,
): Promise<string> {
  return withSpendingKeys(wallet, (keys) =>
    signMessage(new TextEncoder().encode(message), keys.pair(chain, index).privateKey),
  );
}

/**
 * Runs `use` with the keys of the wallet's addresses, and wipes them afterwards.
 * @throws ServiceError `wallet-locked`
 */
export function withSpendingKeys<T>(wallet: Wallet, use: (keys: SpendingKeys, seed: Uint8Array) => T): Promise<T> {
  return withSeed(wallet, (seed) => {
    const keys = spendingKeys(seed);
    try {
      return use(keys, seed);
    } finally {
      keys.wipe();
    }
  });
}

/** Signs a transaction ID with the identity key, as paymail hosts require (BRFC 5f1323cddf31). */
function signTxid(seed: Uint8Array, txid: string): string {
  const key = identityKeyOf(seed);
  try {
    return signMessage(new TextEncoder().encode(txid), key);
  } finally {
    key.fill(0);
  }
}
