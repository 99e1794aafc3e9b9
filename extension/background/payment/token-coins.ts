/** Which coins carry what is paid of a token, and the outputs that hold it. */
import { writeTokenScript } from '../../../protocol/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../../protocol/bsv21/validity.ts';
import { fromHex } from '../../../protocol/bytes.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import type { TransactionOutput } from '../../../protocol/transaction.ts';
import { heldAssets, type TokenCoin } from '../assets/held.ts';
import type { Coin } from '../coins/coin.ts';
import { unusedAddress } from '../coins/addresses.ts';
import { readSettings } from '../settings.ts';
import { publicKeys } from '../vault/vault.ts';

/** Most coins of a token that one transaction spends: more would take thousands of signatures and a large fee. */
const MOST_COINS = 200;

/** An output that holds some of a token. */
export function holding(id: string, amt: bigint, lock: Uint8Array): TransactionOutput {
  return { satoshis: TOKEN_SATOSHIS, lockingScript: writeTokenScript({ op: 'transfer', id, amt }, lock) };
}

/** The coins of a token that can be spent now: none that is forged, and none that nobody has judged yet. */
export async function spendableTokens(id: string): Promise<TokenCoin[]> {
  const { tokens } = await heldAssets();
  return tokens.filter(
    ({ id: of, coin, record }) => of === id && coin.status === 'available' && record?.verdict?.state === 'valid',
  );
}

/**
 * The coins that pay so many units, and the output in which what is left comes back: what no output holds is lost.
 * @throws ServiceError `insufficient-assets`
 */
export async function tokenCoins(id: string, units: bigint): Promise<{ coins: Coin[]; left: TransactionOutput[] }> {
  const all = await spendableTokens(id);
  // One that only the index vouches for may be forged, and then what is spent with it is lost as well.
  const certain = all.filter(({ record }) => record?.verdict?.word === 'chain');
  const isEnough = certain.reduce((sum, { amt }) => sum + amt, 0n) >= units;
  const coins = chosen(isEnough ? certain : all, units);
  const left = coins.reduce((sum, { amt }) => sum + amt, 0n) - units;
  return { coins: coins.map(({ coin }) => coin), left: left > 0n ? [holding(id, left, await ownLock())] : [] };
}

/** The smallest coin that holds enough, else the largest until they do. */
function chosen(coins: readonly TokenCoin[], units: bigint): TokenCoin[] {
  const sorted = coins.toSorted((a, b) => (a.amt < b.amt ? 1 : a.amt > b.amt ? -1 : 0));
  const single = sorted.findLast(({ amt }) => amt >= units);
  if (single) return [single];
  const some: TokenCoin[] = [];
  let sum = 0n;
  for (const coin of sorted.slice(0, MOST_COINS)) {
    some.push(coin);
    sum += coin.amt;
    if (sum >= units) return some;
  }
  throw new ServiceError('insufficient-assets');
}

async function ownLock(): Promise<Uint8Array> {
  const { network } = await readSettings();
  return fromHex((await unusedAddress(await publicKeys(), network, 'change')).script);
}
