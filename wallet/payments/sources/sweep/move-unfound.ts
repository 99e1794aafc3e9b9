/**
 * Moves coins and assets to an address within the gap limit if a restore from the recovery words would miss them,
 * because at least 20 unused addresses precede theirs. The transaction is signed before anything is stored, and stored
 * in one database transaction.
 */
import { mentionsToken } from '../../../../protocol/assets/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../../../protocol/assets/bsv21/validity.ts';
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import { heldAssets, type TokenCoin } from '../../../assets/held.ts';
import { feeRate, networkInfo } from '../../../chain/network.ts';
import type { Address } from '../../../coins/addresses/address.ts';
import { unfoundAddresses } from '../../../coins/addresses/addresses.ts';
import { chooseCoins, availableCoins } from '../../../coins/choose.ts';
import { mayCarryToken, type Coin } from '../../../coins/coin.ts';
import { countFound } from '../../../coins/coin-store.ts';
import { isUsedSince, addressScriptOf } from '../../../coins/addresses/records.ts';
import { inTransaction, readTransaction, database } from '../../../store/database.ts';
import { announceChange } from '../../../events.ts';
import { findGap } from '../../../scan/history/gap.ts';
import { spendingFee, type FeeRate, planTransaction, type Plan } from '../../../transaction/plan.ts';
import type { Chain } from '../../../keys/keys.ts';
import { vaultStatus } from '../../../vault/vault.ts';
import { signPlan } from '../../plan/sign.ts';
import { changeAddresses } from '../../plan/change-addresses.ts';
import { processPayment } from '../../runner/runner.ts';
import { storeSigned } from '../../plan/store-signed.ts';
import { holding } from '../../plan/token-coins.ts';
import { availableAt, getCoin, changeCoin } from '../../../coins/records.ts';
import { startPayment, ownPayment } from '../../start.ts';
import { part, type Wallet } from '../../../platform.ts';

const MAX_MOVED_COINS = 100;
/** Minimum delay after a failure, in milliseconds. */
const PAUSE_MS = 60_000;

const memoryOf = part(() => ({
  running: null as Promise<void> | null,
  isAsked: false,
  failedAt: Number.NaN,
}));

/**
 * Moves coins beyond the gap limit if the wallet is unlocked. If called during a run, runs again afterwards. Never
 * throws.
 */
export function moveUnfound(wallet: Wallet): Promise<void> {
  const memory = memoryOf(wallet);
  memory.isAsked = true;
  memory.running ??= (async () => {
    await Promise.resolve(); // if the pause ended this synchronously, `running` would be cleared before it is set
    while (memory.isAsked) {
      memory.isAsked = false;
      const waited = wallet.now() - memory.failedAt;
      if (waited >= 0 && waited < PAUSE_MS) break;
      await move(wallet).catch(() => (memory.failedAt = wallet.now()));
    }
    memory.running = null;
  })();
  return memory.running;
}

async function move(wallet: Wallet): Promise<void> {
  await countFound(wallet);
  const found = await unfound(wallet);
  if ((found.coins.length === 0 && found.assets.length === 0) || (await vaultStatus(wallet)).locked) return;
  const rate = await feeRate(wallet);
  const isWorthIt = ({ satoshis }: Coin) => satoshis > spendingFee(rate);
  const info = await networkInfo(wallet);
  // A restored wallet can't tell which addresses were used. Searching the index may close the gap.
  const searched = [...found.coins.filter(isWorthIt), ...found.assets.map(({ coin }) => coin)];
  const certain = new Set<Chain>();
  for (const chain of new Set<Chain>(searched.map((coin) => coin.chain))) {
    if ((await findGap(wallet, info, chain, false)) === 'known') certain.add(chain);
    else memoryOf(wallet).failedAt = wallet.now();
  }
  await countFound(wallet);
  const now = await unfound(wallet);
  const left = {
    coins: now.coins.filter((coin) => isWorthIt(coin) && certain.has(coin.chain)),
    assets: now.assets.filter(({ coin }) => certain.has(coin.chain)),
  };
  // Moves money first, because it can then pay the fee for the assets.
  if (left.coins.length > 0) await moveCoins(wallet, left.coins, rate);
  else if (left.assets.length > 0) await moveAssets(wallet, left.assets, rate);
}

async function moveCoins(wallet: Wallet, coins: readonly Coin[], rate: FeeRate): Promise<void> {
  const inputs = coins.toSorted((a, b) => Number(b.satoshis - a.satoshis)).slice(0, MAX_MOVED_COINS);
  const { addresses } = await changeAddresses(wallet, 1, null, []);
  const plan = planTransaction({ outputs: [], inputs, changeScripts: locksOf(addresses), rate, preserveOrder: false });
  if (plan.changeIndexes.length > 0) await signMove(wallet, plan, addresses);
}

/**
 * Moves assets. The assets' coins come first, each at the position of the output that receives its satoshi. The
 * wallet's other coins pay the fee.
 * @throws ServiceError `insufficient-funds`
 */
async function moveAssets(wallet: Wallet, assets: readonly UnfoundAsset[], rate: FeeRate): Promise<void> {
  const moved = movedTogether(assets);
  const carriers = moved.map(({ coin }) => coin);
  const { addresses } = await changeAddresses(wallet, 1, null, []);
  const changeScripts = locksOf(addresses);
  const [lock] = changeScripts as [Uint8Array];
  const outputs = moved.map(({ token }) =>
    token ? holding(token.id, token.amt, lock) : { satoshis: TOKEN_SATOSHIS, lockingScript: lock },
  );
  const inputs = await chooseCoins(availableCoins(wallet), outputs, rate, carriers);
  const plan = planTransaction({ outputs, inputs, changeScripts, rate, preserveOrder: true });
  const money = plan.inputs.filter((coin) => !carriers.includes(coin));
  await signMove(wallet, { ...plan, inputs: [...carriers, ...money] }, addresses);
}

const locksOf = (addresses: readonly Address[]) => addresses.map(({ script }) => fromHex(script));

async function signMove(wallet: Wallet, plan: Plan<Coin>, to: readonly Address[]): Promise<void> {
  const signed = await signPlan(wallet, plan);
  const record = ownPayment(wallet, 'move', { sweep: true });
  const isStored = await inTransaction(wallet, async (tx) => {
    if (await isUsedSince(tx, to)) return false;
    const coins = await Promise.all(plan.inputs.map(({ outpoint }) => getCoin(tx, outpoint)));
    if (!coins.every((coin) => coin?.status === 'available')) return false;
    for (const coin of coins as Coin[]) await changeCoin(tx, coin, { event: 'reserve', paymentId: record.id });
    const parts = await storeSigned(wallet, tx, record, { plan }, signed);
    await startPayment(wallet, tx, record, { signed: parts });
    return true;
  });
  memoryOf(wallet).isAsked = true; // more coins may remain, or one was spent during signing
  if (!isStored) return;
  announceChange(wallet);
  void processPayment(wallet, record.id);
}

/**
 * Returns the coins and assets to move. Returns early if there are none, because this runs after every change in the
 * wallet.
 */
async function unfound(wallet: Wallet): Promise<{ coins: Coin[]; assets: UnfoundAsset[] }> {
  const addresses = await unfoundAddresses(wallet);
  if (addresses.length === 0) return { coins: [], assets: [] };
  return { coins: await unfoundCoins(wallet, addresses), assets: await unfoundAssets(wallet, addresses) };
}

/** Returns spendable coins at the given addresses, excluding those that may carry an asset. */
async function unfoundCoins(wallet: Wallet, addresses: readonly Address[]): Promise<Coin[]> {
  const tx = readTransaction(await database(wallet));
  const coins = await Promise.all(addresses.map(({ script }) => availableAt(tx, script, MAX_MOVED_COINS)));
  return coins.flat().filter((coin) => !mayCarryToken(coin));
}

/** A coin that carries an asset. `token` is null for an ordinal. */
interface UnfoundAsset {
  coin: Coin;
  token: Pick<TokenCoin, 'id' | 'amt'> | null;
  /** True if the wallet itself has verified the token's history. */
  isCertain: boolean;
}

/**
 * Returns the movable assets at the given addresses. A token is moved once it is verified. A one-satoshi coin without a
 * known asset isn't moved, because the fee would exceed its value and strangers could send thousands of them.
 */
async function unfoundAssets(wallet: Wallet, addresses: readonly Address[]): Promise<UnfoundAsset[]> {
  const scripts = new Set(addresses.map(({ script }) => script));
  const isMovable = ({ script, status }: Coin) =>
    status === 'available' && scripts.has(addressScriptOf(fromHex(script)) ?? script);
  const { tokens, ordinals } = await heldAssets(wallet);
  const valid = tokens.filter(({ coin, record }) => isMovable(coin) && record?.verdict?.state === 'valid');
  // The index may recognize a token that the wallet can't parse reliably. Moving its output would destroy the token.
  const known = ordinals.filter(
    ({ coin, inscription, record: { origin } = {} }) =>
      isMovable(coin) &&
      (inscription || (origin && origin !== `${coin.txid}_${coin.vout}`)) &&
      !mentionsToken(fromHex(coin.script)),
  );
  return [
    ...known.map(({ coin }) => ({ coin, token: null, isCertain: true })),
    ...valid.map(({ coin, id, amt, record }) => ({
      coin,
      token: { id, amt },
      isCertain: record?.verdict?.word === 'chain',
    })),
  ];
}

/**
 * Returns the assets to move together. A token that the wallet hasn't verified is moved separately, because it may be
 * forged.
 */
function movedTogether(assets: readonly UnfoundAsset[]): readonly UnfoundAsset[] {
  const certain = assets.filter(({ isCertain }) => isCertain);
  return certain.length > 0 ? certain.slice(0, MAX_MOVED_COINS) : assets.slice(0, 1);
}
