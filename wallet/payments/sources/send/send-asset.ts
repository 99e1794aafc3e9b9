/**
 * Sends tokens and ordinals from the wallet's own window to any recipient that accepts them. The user's click fixes the
 * asset's coins and outputs, and other coins pay the fee. Pages can't request such payments, and neither allowances nor
 * swipes pay for them.
 */
import { readTokenDecimal, writeTokenDecimal } from '../../../../protocol/assets/bsv21/amount.ts';
import { mentionsToken } from '../../../../protocol/assets/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../../../protocol/assets/bsv21/validity.ts';
import { fromHex, toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { ServiceError, toWireError } from '../../../../protocol/errors/service-error.ts';
import { satoshisToBsv } from '../../../../protocol/money/money.ts';
import type { TransactionOutput } from '../../../../protocol/bitcoin/transaction.ts';
import type { AssetQuote, HeldAsset, SendResult, WalletParams } from '../../../../protocol/messages/wallet-messages.ts';
import { heldAssets, mintOf } from '../../../assets/held.ts';
import { shownSymbol } from '../../../assets/list.ts';
import { rateOrNull } from '../../../chain/rates.ts';
import type { Coin } from '../../../coins/coin.ts';
import { readKey, readTransaction, database } from '../../../store/database.ts';
import { outputOf, quoteOf, recipientOf } from '../../../recipients/resolve.ts';
import { readSettings } from '../../../settings.ts';
import { OWN } from '../../../sites/site.ts';
import { vaultStatus } from '../../../vault/vault.ts';
import { shownOutputs } from '../page/known-recipients.ts';
import type { Draft } from '../../plan/draft.ts';
import { cachedDraft } from '../../plan/kept-draft.ts';
import { mayPayTwice } from '../../network/replace.ts';
import { returnDestinations, obtainOrdinalDestination, type CachedDestination } from './kept-destinations.ts';
import type { PaymentRecord } from '../../record.ts';
import { newPayment, newReport } from '../../start.ts';
import { sendResultOf, storeSent, type Sent } from './send.ts';
import { holding, tokenCoins } from '../../plan/token-coins.ts';
import { paymentOfRequest } from '../../store.ts';
import type { Wallet } from '../../../platform.ts';

type Wanted = WalletParams<'assets/send'>;

/** Quotes the transfer. Works while the wallet is locked. @throws ServiceError `wallet-not-set-up` */
export async function quoteAsset(wallet: Wallet, { asset, to }: WalletParams<'assets/quote'>): Promise<AssetQuote> {
  if (!(await readKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const { currency, network } = await readSettings(wallet);
  const answer: AssetQuote = {
    asset: null,
    recipient: null,
    feeSatoshis: null,
    rate: await rateOrNull(wallet, currency),
    problem: null,
  };
  const taken: CachedDestination[] = [];
  try {
    const carried = await carriedOf(
      wallet,
      'token' in asset ? { token: asset.token, units: await unitsOf(wallet, asset) } : asset,
    );
    answer.asset = carried.asset;
    const given = await takeTo(wallet, to).catch(toWireError);
    if ('code' in given) return { ...answer, badRecipient: given.code };
    taken.push(given);
    const record = recordOf(wallet, carried, given);
    // Shows the recipient even if the transfer can't be paid.
    answer.recipient = (await shownOutputs(wallet, record.quote.outputs.slice(0, 1), network))[0] ?? null;
    const { plan } = await planned(wallet, record);
    return { ...answer, feeSatoshis: plan.feeSatoshis.toString() };
  } catch (error) {
    return { ...answer, problem: toWireError(error) };
  } finally {
    returnDestinations(wallet, taken);
  }
}

/**
 * Sends the asset, once, and returns when the network has it or the first broadcast has failed. A call with the same
 * request ID returns the same payment.
 * @throws ServiceError `wallet-not-set-up`, `wallet-locked`, `approval-expired` (a host's response for the quote is too
 * old), `insufficient-assets`, `insufficient-funds`, `fee-changed`, `network-unavailable`, `request-id-reused`,
 * `invalid-recipient`, `unknown-recipient`, `unsupported-recipient` (its host doesn't accept ordinals),
 * `paymail-unavailable`, `paymail-mismatch`, `payment-contested` (an earlier payment may still be accepted as well),
 * and the errors with which a payment ends
 */
export async function sendAsset(wallet: Wallet, wanted: Wanted): Promise<SendResult> {
  if (!(await readKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const known = await paymentOfRequest(readTransaction(await database(wallet)), OWN, wanted.requestId);
  const sent = known ? { record: known } : await storeSent(wallet, await approved(wallet, wanted));
  if (!isSame(sent.record, wanted)) throw new ServiceError('request-id-reused');
  return sendResultOf(wallet, sent);
}

async function approved(wallet: Wallet, { requestId, asset, to, feeSatoshis }: Wanted): Promise<Sent> {
  if ((await vaultStatus(wallet)).locked) throw new ServiceError('wallet-locked');
  const carried = await carriedOf(wallet, asset);
  const given = await takeTo(wallet, to);
  try {
    // A new response may come from a different host or contain a different key. The wallet doesn't pay a destination
    // that the user hasn't seen.
    if (given.unseen) throw new ServiceError('approval-expired');
    const feeLimit = BigInt(feeSatoshis);
    const record = recordOf(wallet, carried, given, {
      requestId,
      state: 'approved',
      approvedAt: wallet.now(),
      feeLimit,
    });
    return { record, draft: await planned(wallet, record, feeLimit) }; // throws before a failed payment is stored
  } catch (error) {
    returnDestinations(wallet, [given]);
    throw error;
  }
}

/**
 * Plans the transfer.
 * @throws ServiceError `payment-contested` (an earlier payment may still be accepted), and those of `cachedDraft`
 */
async function planned(wallet: Wallet, record: PaymentRecord, mostFee?: bigint): Promise<Draft> {
  const draft = await cachedDraft(wallet, record, mostFee);
  if (await mayPayTwice(wallet, record, draft.plan)) throw new ServiceError('payment-contested');
  return draft;
}

/** @throws ServiceError see `ordinalScriptFor` */
const takeTo = async (wallet: Wallet, to: string): Promise<CachedDestination> =>
  obtainOrdinalDestination(wallet, recipientOf({ to }));

function isSame({ asset: part, quote }: PaymentRecord, { asset, to }: Wanted): boolean {
  const sent = part?.asset;
  const isThis =
    sent?.type === 'token'
      ? 'token' in asset && sent.id === asset.token && sent.units === asset.units
      : sent?.type === 'ordinal' && 'ordinal' in asset && sent.outpoint === asset.ordinal;
  return isThis && quote.outputs[0]?.to === to;
}

async function unitsOf(wallet: Wallet, { token, amount }: { token: string; amount: string }): Promise<string> {
  const units = readTokenDecimal(amount, (await mintOf(wallet, token))?.decimals ?? 0);
  if (units === null) throw new ServiceError('invalid-amount');
  return units.toString();
}

/** An asset, its coins, and the outputs for a token's change. */
interface Carried {
  asset: HeldAsset;
  coins: readonly Coin[];
  left: readonly TransactionOutput[];
}

/** @throws ServiceError `insufficient-assets` */
function carriedOf(wallet: Wallet, asset: Wanted['asset']): Promise<Carried> {
  return 'token' in asset ? tokenOf(wallet, asset.token, BigInt(asset.units)) : ordinalOf(wallet, asset.ordinal);
}

async function tokenOf(wallet: Wallet, id: string, units: bigint): Promise<Carried> {
  const { symbol = null, decimals = 0 } = (await mintOf(wallet, id)) ?? {};
  return {
    asset: { type: 'token', id, symbol: shownSymbol(symbol), decimals, units: units.toString() },
    ...(await tokenCoins(wallet, id, units)),
  };
}

async function ordinalOf(wallet: Wallet, id: string): Promise<Carried> {
  const { ordinals } = await heldAssets(wallet);
  const found = ordinals.find(({ coin }) => `${coin.txid}_${coin.vout}` === id);
  // The index may recognize a token that the wallet can't parse reliably. Sending its output would destroy the token.
  if (!found || found.coin.status !== 'available' || mentionsToken(fromHex(found.coin.script)))
    throw new ServiceError('insufficient-assets');
  return {
    asset: { type: 'ordinal', outpoint: id, contentType: found.inscription?.contentType ?? '' },
    coins: [found.coin],
    left: [],
  };
}

function recordOf(
  wallet: Wallet,
  { asset, coins, left }: Carried,
  { recipient, resolved }: CachedDestination,
  more: Partial<PaymentRecord> = {},
): PaymentRecord {
  const lock = fromHex(resolved.scripts[0]?.script ?? '');
  const isToken = asset.type === 'token';
  const output = isToken
    ? holding(asset.id, BigInt(asset.units), lock)
    : { satoshis: TOKEN_SATOSHIS, lockingScript: lock };
  const worth = isToken
    ? { amount: writeTokenDecimal(BigInt(asset.units), asset.decimals), currency: asset.id }
    : { amount: satoshisToBsv(TOKEN_SATOSHIS), currency: 'BSV' };
  const scripts = [{ script: toHex(output.lockingScript), satoshis: TOKEN_SATOSHIS }];
  const paid = outputOf(recipient, { ...worth, satoshis: TOKEN_SATOSHIS }, { ...resolved, scripts });
  return newPayment(wallet, {
    requestId: '',
    origin: OWN,
    options: { outputs: [] },
    state: 'requested',
    quote: quoteOf([isToken ? { ...paid, token: { id: asset.id, units: asset.units } } : paid]),
    report: newReport('none'),
    asset: { asset, coins: coins.map(({ outpoint }) => outpoint), outputs: [output, ...left] },
    ...more,
  });
}
