/**
 * Sends tokens and ordinals from the wallet's own window. The coins that carry them and the outputs that take them are
 * fixed with the click; money pays the fee. From there on it is a payment as any other, with a kind of its own: no page
 * can ask for it, and no allowance and no swipe pays it.
 */
import { addressScript } from '../../../protocol/address.ts';
import { readTokenDecimal } from '../../../protocol/bsv21/amount.ts';
import { mentionsToken } from '../../../protocol/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../../protocol/bsv21/validity.ts';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { ServiceError, toWireError } from '../../../protocol/errors.ts';
import { satoshisToBsv } from '../../../protocol/money.ts';
import type { AssetQuote, SendResult, WalletParams } from '../../../protocol/wallet-messages.ts';
import { heldAssets, mintOf } from '../assets/held.ts';
import { shownSymbol } from '../assets/list.ts';
import { rateOrNull } from '../chain/rates.ts';
import { database, readKey } from '../database.ts';
import { outputOf, quoteOf } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { OWN } from '../sites/site.ts';
import { vaultStatus } from '../vault/vault.ts';
import type { AssetPart } from './asset-part.ts';
import { draftPayment } from './build.ts';
import { newPayment, newReport, type PaymentRecord } from './record.ts';
import { sendResultOf, storeSent } from './send.ts';
import { holding, tokenCoins } from './token-coins.ts';
import { offerAgain } from './unsent.ts';

type Wanted = WalletParams<'assets/send'>;

/**
 * What it would be. Works while the wallet is locked.
 * @throws ServiceError `wallet-not-set-up`
 */
export async function quoteAsset({ asset, to }: WalletParams<'assets/quote'>): Promise<AssetQuote> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const answer: AssetQuote = {
    asset: null,
    feeSatoshis: null,
    rate: await rateOrNull((await readSettings()).currency),
    problem: null,
  };
  try {
    const part = await partOf('token' in asset ? { token: asset.token, units: await unitsOf(asset) } : asset, to);
    answer.asset = part.asset;
    const { plan } = await draftPayment(await recordOf(part, to));
    return { ...answer, feeSatoshis: plan.feeSatoshis.toString() };
  } catch (error) {
    return { ...answer, problem: toWireError(error) };
  }
}

/**
 * Sends it, once, and answers when the network has it or could not be reached at the first try. Asked again under the
 * same id it is the same payment, whatever became of it.
 * @throws ServiceError `wallet-not-set-up`, `wallet-locked`, `invalid-recipient`, `insufficient-assets`,
 *   `insufficient-funds`, `fee-changed`, `network-unavailable`, `request-id-reused`; and what a payment ends with
 */
export async function sendAsset(wanted: Wanted): Promise<SendResult> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const known = await (await database()).getFromIndex('payments', 'request', [OWN, wanted.requestId]);
  const record = known ?? (await storeSent(await approved(wanted)));
  if (!isSame(record, wanted)) throw new ServiceError('request-id-reused');
  await offerAgain(record.id);
  return sendResultOf(record.id);
}

async function approved({ requestId, asset, to, feeSatoshis }: Wanted): Promise<PaymentRecord> {
  if ((await vaultStatus()).locked) throw new ServiceError('wallet-locked');
  const feeLimit = BigInt(feeSatoshis);
  const record = await recordOf(await partOf(asset, to), to, {
    requestId,
    state: 'approved',
    approvedAt: Date.now(),
    feeLimit,
  });
  await draftPayment(record, feeLimit); // throws what stands in the way: said at once, it leaves no failed payment behind
  return record;
}

function isSame({ asset: part, quote }: PaymentRecord, { asset, to }: Wanted): boolean {
  const sent = part?.asset;
  const isThis =
    sent?.type === 'token'
      ? 'token' in asset && sent.id === asset.token && sent.units === asset.units
      : sent?.type === 'ordinal' && 'ordinal' in asset && sent.outpoint === asset.ordinal;
  return isThis && quote.outputs[0]?.to === to;
}

/** The amount in smallest units of what was typed. */
async function unitsOf({ token, amount }: { token: string; amount: string }): Promise<string> {
  const units = readTokenDecimal(amount, (await mintOf(token))?.decimals ?? 0);
  if (units === null) throw new ServiceError('invalid-amount');
  return units.toString();
}

/** @throws ServiceError `invalid-recipient`, `insufficient-assets` */
async function partOf(asset: Wanted['asset'], to: string): Promise<AssetPart> {
  const { network } = await readSettings();
  const lock = addressScript(to, network);
  return 'token' in asset ? tokenPart(asset.token, BigInt(asset.units), lock) : ordinalPart(asset.ordinal, lock);
}

async function tokenPart(id: string, units: bigint, lock: Uint8Array): Promise<AssetPart> {
  const { coins, left } = await tokenCoins(id, units);
  const mint = await mintOf(id);
  return {
    asset: {
      type: 'token',
      id,
      symbol: shownSymbol(mint?.symbol ?? null),
      decimals: mint?.decimals ?? 0,
      units: units.toString(),
    },
    coins: coins.map(({ outpoint }) => outpoint),
    outputs: [holding(id, units, lock), ...left],
  };
}

async function ordinalPart(id: string, lock: Uint8Array): Promise<AssetPart> {
  const { ordinals } = await heldAssets();
  const found = ordinals.find(({ coin }) => `${coin.txid}_${coin.vout}` === id);
  // Where an index may see a token that cannot be read for certain, it would be lost.
  if (!found || found.coin.status !== 'available' || mentionsToken(fromHex(found.coin.script)))
    throw new ServiceError('insufficient-assets');
  return {
    asset: { type: 'ordinal', outpoint: id, contentType: found.inscription?.contentType ?? '' },
    coins: [found.coin.outpoint],
    outputs: [{ satoshis: TOKEN_SATOSHIS, lockingScript: lock }],
  };
}

async function recordOf(part: AssetPart, to: string, more: Partial<PaymentRecord> = {}): Promise<PaymentRecord> {
  const script = toHex((part.outputs[0] as AssetPart['outputs'][number]).lockingScript);
  const quote = quoteOf([
    outputOf(
      { type: 'ADDRESS', text: to },
      { amount: satoshisToBsv(TOKEN_SATOSHIS), currency: 'BSV', satoshis: TOKEN_SATOSHIS },
      { scripts: [{ script, satoshis: TOKEN_SATOSHIS }], host: null },
    ),
  ]);
  return newPayment({
    requestId: '',
    origin: OWN,
    options: { outputs: [] },
    state: 'requested',
    quote,
    report: newReport('none'),
    asset: part,
    ...more,
  });
}
