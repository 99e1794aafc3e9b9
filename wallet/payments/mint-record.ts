/**
 * Creates and stores mints, the payments that create an asset's tokens. The wallet records which assets it has minted,
 * so each asset is minted at most once, regardless of the service's data.
 */
import { writeTokenScript, tokenId } from '../../protocol/assets/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../protocol/assets/bsv21/validity.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { satoshisToBsv } from '../../protocol/money/money.ts';
import type { MintedAsset } from '../../protocol/messages/wallet-messages.ts';
import { unusedAddress } from '../coins/addresses/addresses.ts';
import { type WriteTransaction, readTransaction, database } from '../store/database.ts';
import { outputOf, quoteOf } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import { OWN } from '../sites/site.ts';
import { publicKeys } from '../vault/vault.ts';
import type { PaymentRecord } from './record.ts';
import { newPayment, newReport, startPayment } from './start.ts';
import { paymentOfRequest } from './store.ts';
import type { Wallet } from '../platform.ts';

/** A user's asset at a service. `service` is an origin. */
export interface MintOf {
  assetId: string;
  service: string;
}

const requestIdOf = ({ assetId, service }: MintOf) => `mint ${assetId} ${service}`;

/** Returns the token ID of a mint. The token is the first output. */
export const mintedTokenId = (txid: string): string => tokenId(txid, 0);

/** Creates an approved mint that pays all units to the wallet. @param feeLimit maximum fee, in satoshis, or null */
export async function newMint(
  wallet: Wallet,
  of: MintOf,
  asset: MintedAsset,
  feeLimit: bigint | null = null,
): Promise<PaymentRecord> {
  const { network } = await readSettings(wallet);
  const { address, script } = await unusedAddress(wallet, await publicKeys(wallet), network, 'change');
  const token = { op: 'deploy+mint', amt: BigInt(asset.units), dec: asset.decimals, sym: asset.symbol } as const;
  const money = { amount: satoshisToBsv(TOKEN_SATOSHIS), currency: 'BSV', satoshis: TOKEN_SATOSHIS };
  const scripts = [{ script, satoshis: TOKEN_SATOSHIS }];
  return newPayment(wallet, {
    requestId: requestIdOf(of),
    origin: OWN,
    options: { outputs: [] },
    state: 'approved',
    approvedAt: wallet.now(),
    feeLimit,
    quote: quoteOf([outputOf({ type: 'ADDRESS', text: address }, money, { scripts, host: null })]),
    report: newReport('waiting'),
    asset: {
      asset,
      mint: of,
      coins: [],
      outputs: [{ satoshis: TOKEN_SATOSHIS, lockingScript: writeTokenScript(token, fromHex(script)) }],
    },
  });
}

/**
 * True if the mint failed, or if it predates a restore of the wallet and the service assigns it to a different asset.
 */
const isOver = ({ state, asset, report }: PaymentRecord) =>
  state === 'failed' || state === 'refused' || (asset?.mint?.isEarlier === true && report.state === 'refused');

/** Returns the wallet's mint of an asset, or null if the asset wasn't minted or the mint failed. */
export async function mintOf(wallet: Wallet, of: MintOf): Promise<PaymentRecord | null> {
  const known = await paymentOfRequest(readTransaction(await database(wallet)), OWN, requestIdOf(of));
  return known && !isOver(known) ? known : null;
}

/** Stores a mint. A failed earlier mint releases its request ID. @returns false, without changes, if a mint exists */
export async function storeMint(wallet: Wallet, tx: WriteTransaction, record: PaymentRecord): Promise<boolean> {
  return (await startPayment(wallet, tx, record, { isOver })).id === record.id;
}
