import { writeTokenScript } from '../../../protocol/assets/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../../protocol/assets/bsv21/validity.ts';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { TransactionOutput } from '../../../protocol/bitcoin/transaction.ts';
import { heldAssets, type TokenCoin } from '../../assets/held.ts';
import type { Coin } from '../../coins/coin.ts';
import { unusedAddress } from '../../coins/addresses/addresses.ts';
import { readSettings } from '../../settings.ts';
import { publicKeys } from '../../vault/vault.ts';
import type { Wallet } from '../../platform.ts';

/** Maximum number of a token's coins per transaction. Without a limit, there could be thousands of signatures. */
const MAX_COINS = 200;

export function holding(id: string, amt: bigint, lock: Uint8Array): TransactionOutput {
  return { satoshis: TOKEN_SATOSHIS, lockingScript: writeTokenScript({ op: 'transfer', id, amt }, lock) };
}

/** Returns the token's coins that can be spent now. Excludes forged and unverified coins. */
export async function spendableTokens(wallet: Wallet, id: string): Promise<TokenCoin[]> {
  const { tokens } = await heldAssets(wallet);
  return tokens.filter(
    ({ id: of, coin, record }) => of === id && coin.status === 'available' && record?.verdict?.state === 'valid',
  );
}

/**
 * Chooses the coins that pay this many units, and creates the change output, without which the remaining units would be
 * lost. Coins that the wallet has traced to their mint are never spent together with others.
 * @throws ServiceError `insufficient-assets`
 */
export async function tokenCoins(
  wallet: Wallet,
  id: string,
  units: bigint,
): Promise<{ coins: Coin[]; left: TransactionOutput[] }> {
  const all = await spendableTokens(wallet, id);
  // A coin vouched for only by the index may be forged, which would invalidate all coins spent with it.
  const isCertain = ({ record }: TokenCoin) => record?.verdict?.word === 'chain';
  const certain = all.filter(isCertain);
  const isEnough = certain.reduce((sum, { amt }) => sum + amt, 0n) >= units;
  const coins = chosen(isEnough ? certain : all.filter((coin) => !isCertain(coin)), units);
  const left = coins.reduce((sum, { amt }) => sum + amt, 0n) - units;
  return { coins: coins.map(({ coin }) => coin), left: left > 0n ? [holding(id, left, await ownLock(wallet))] : [] };
}

/** Chooses the smallest sufficient coin. If there is none, chooses as many of the largest as needed. */
function chosen(coins: readonly TokenCoin[], units: bigint): TokenCoin[] {
  const sorted = coins.toSorted((a, b) => (a.amt < b.amt ? 1 : a.amt > b.amt ? -1 : 0));
  const single = sorted.findLast(({ amt }) => amt >= units);
  if (single) return [single];
  const some: TokenCoin[] = [];
  let sum = 0n;
  for (const coin of sorted.slice(0, MAX_COINS)) {
    some.push(coin);
    sum += coin.amt;
    if (sum >= units) return some;
  }
  throw new ServiceError('insufficient-assets');
}

async function ownLock(wallet: Wallet): Promise<Uint8Array> {
  const { network } = await readSettings(wallet);
  return fromHex((await unusedAddress(wallet, await publicKeys(wallet), network, 'change')).script);
}
