/** A wallet with known recovery words, which third parties pay and which other browsers use. */
import { addressScript, p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { startForking, type ForkingNetwork } from '../../testkit/network/forking.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';
import { keepUnlocked, PASSWORD } from '../../testkit/wallet/wallet.ts';
import { Profile } from '../../testkit/wallet/worker-run.ts';
import { publicKeyHashes, publicKeysOf, spendingKeys, type Chain, type KeyPair } from '../keys/keys.ts';
import { seedOf } from '../keys/mnemonic.ts';
import { signTransaction } from '../transaction/sign.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const SEED = await seedOf(WORDS);
const KEYS = publicKeysOf(SEED);
const PAIRS = spendingKeys(SEED);

/** A payment to one of the wallet's addresses. */
interface Paid {
  chain: Chain;
  at: number;
  value: number;
}
export type OwnCoin = Paid & { txid: string; vout: number };

export const addressOf = (chain: Chain, at: number) =>
  writeAddress(publicKeyHashes(KEYS, chain, [at])[0] as Uint8Array, 'devnet');

/** Starts a network whose index lists the histories of several addresses in one response. */
export const startIndex = async (): Promise<ForkingNetwork> =>
  Object.assign(await startForking(), { historyPage: 1000 });

/** Pays the wallet's addresses in one transaction, as a third party. */
export function payAll(network: ForkingNetwork, paid: readonly Paid[]): OwnCoin[] {
  const txid = network.pay(...paid.map(({ chain, at, value }) => [addressOf(chain, at), value] as const));
  return paid.map((one, i) => ({ ...one, txid, vout: 1 + i }));
}

export const pay = (network: ForkingNetwork, chain: Chain, at: number, value = 1000): OwnCoin =>
  payAll(network, [{ chain, at, value }])[0] as OwnCoin;

/**
 * Spends coins as another browser with the wallet's words does. The signatures are invalid with another `key`, or if
 * they are for another `value` than the coin's. The change is output 1.
 * @returns the spending transaction's ID
 */
export function spend(
  network: ForkingNetwork,
  coins: readonly OwnCoin[],
  { key, value, change }: { key?: KeyPair; value?: number; change?: Paid } = {},
): string {
  const scriptOf = ({ chain, at }: Paid) => addressScript(addressOf(chain, at), 'devnet');
  const inputs = coins.map((coin) => ({
    ...coin,
    satoshis: BigInt(value ?? coin.value),
    script: toHex(scriptOf(coin)),
  }));
  const outputs = [{ satoshis: 1n, lockingScript: p2pkhScript(new Uint8Array(20)) }];
  if (change) outputs.push({ satoshis: BigInt(change.value), lockingScript: scriptOf(change) });
  const plan = { inputs, outputs, changeIndexes: [], feeSatoshis: 0n };
  return network.take(signTransaction(plan, ({ chain, at }) => key ?? PAIRS.pair(chain, at)).bytes);
}

/** Makes the index list only these coins as unspent, until the test deletes the response from `instead`. */
export function listOnly({ instead }: ForkingNetwork, coins: readonly OwnCoin[]): void {
  const body = coins.map(({ chain, at, value, txid, vout }) => ({
    address: addressOf(chain, at),
    result: [{ tx_hash: txid, tx_pos: vout, value, height: 0 }],
  }));
  instead.set('/addresses/unspent/all', { body });
}

/** Starts a run of the wallet, which is created or restored unless the profile already has it. */
export async function wallet({ url }: { url: string }, isRestored: boolean, profile = new Profile(url)) {
  const workerRun = await profile.start();
  const { vault, database, store } = workerRun.modules;
  if (!(await vault.vaultStatus(current)).exists) {
    await keepUnlocked(workerRun);
    await vault.createVault(current, WORDS, PASSWORD, isRestored);
  }
  const { refreshCoins } = await import('./refresh.ts');
  const coins = async () =>
    (await (await database.database(current)).getAll('coins')).map(({ outpoint, status, height }) => ({
      outpoint,
      status,
      height,
    }));
  const satoshis = async () => (await store.balance(current)).satoshis;
  return { ...workerRun.modules, workerRun, profile, refreshCoins, coins, satoshis };
}
