/** A mock index with responses set by a test, and a wallet with known recovery words that uses it. */
import { addressScript, p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import {
  parseTransactionHex,
  serializeTransaction,
  txidOf,
  type TransactionInput,
} from '../../protocol/bitcoin/transaction.ts';
import { signTransaction } from '../../wallet/transaction/sign.ts';
import { testCoin } from '../wallet/coins.ts';
import { publicKeyHashes, publicKeysOf, spendingKeys, type Chain, type KeyPair } from '../../wallet/keys/keys.ts';
import { seedOf } from '../../wallet/keys/mnemonic.ts';
import { answering, type FakeResponse, type RecordedRequest } from './answers.ts';
import { TestChain } from './blocks.ts';
import { Profile } from '../wallet/worker-run.ts';
import { keepUnlocked } from '../wallet/wallet.ts';
import { wallet as current } from '../wallet/current.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const SEED = await seedOf(WORDS);
const KEYS = publicKeysOf(SEED);

const POLICY = {
  policy: {
    maxscriptsizepolicy: 1,
    maxtxsizepolicy: 1,
    maxtxsigopscountspolicy: 1,
    miningFee: { satoshis: 1, bytes: 1000 },
  },
};

export interface IndexedCoin {
  chain: Chain;
  at: number;
  address: string;
  txid: string;
  vout: number;
  value: number;
  height: number;
}

/** Transactions (hex) by ID, which can also be found by locking script. */
class Transactions extends Map<string, string> {
  #outputs = new Map<string, Set<string>>();
  #spenders = new Map<string, Set<string>>();

  override set(txid: string, hex: string): this {
    try {
      const { inputs, outputs } = parseTransactionHex(hex);
      for (const [vout, { lockingScript }] of outputs.entries())
        add(this.#outputs, toHex(lockingScript), `${txid}:${vout}`);
      for (const input of inputs) add(this.#spenders, `${input.txid}:${input.vout}`, txid);
    } catch {
      // test data that can't be parsed
    }
    return super.set(txid, hex);
  }

  /** Returns the IDs of the transactions that pay a script or spend its outputs. */
  concerning(script: string): string[] {
    const paid = [...(this.#outputs.get(script) ?? [])].filter((key) => this.has(key.slice(0, 64)));
    const all = paid.flatMap((key) => [key.slice(0, 64), ...(this.#spenders.get(key) ?? [])]);
    return [...new Set(all)].filter((txid) => this.has(txid));
  }
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

export async function index() {
  const state = {
    coins: [] as IndexedCoin[],
    used: new Set<string>(),
    transactions: new Transactions(),
    spent: new Map<string, string>(),
    proofs: new Map<string, unknown>(),
    chain: new TestChain(30),
    /** Heights in history responses, by transaction ID. */
    heights: new Map<string, number>(),
    /** Unrelated transaction IDs that are added to the history of an address, by address. */
    listed: new Map<string, string[]>(),
    /** Maximum number of entries in a response for several addresses. */
    historyPage: 1000,
    down: false,
    /** IDs of transactions for which requests fail. */
    failing: new Set<string>(),
    /** Addresses whose responses exceed the maximum size. */
    crowded: new Set<string>(),
    /** True if the index lists confirmed and unconfirmed coins separately. */
    apart: false,
    /** ARC statuses by transaction ID. */
    arc: new Map<string, string>(),
  };
  const ownKeys = spendingKeys(SEED);
  const { url, asked } = await answering((one: RecordedRequest): FakeResponse => {
    if (one.url === '/api/v2/network')
      return {
        body: { network: 'devnet', arcUrl: `${url}/arc`, wocUrl: url, feePolicy: { satoshis: 1, bytes: 1000 } },
      };
    if (state.down) return { status: 500 };
    if (one.url === '/faucet') return { body: { txid: 'fa'.repeat(32) } };
    const [, kind, id = '', more] = one.url.split('/');
    if (kind === 'addresses') {
      const { addresses } = JSON.parse(one.body) as { addresses: string[] };
      if (addresses.length > 20) return { status: 400 };
      if (id === 'history')
        return state.apart
          ? { status: 404, body: 'Not Found' }
          : {
              body: addresses.map((address) => ({
                address,
                unconfirmed: { result: [], error: '' },
                confirmed: {
                  result: historyOf(address).slice(0, state.historyPage),
                  error: '',
                  ...(historyOf(address).length > state.historyPage && { nextPageToken: 'more' }),
                },
              })),
            };
      if (addresses.some((address) => state.crowded.has(address))) return endless;
      if (state.apart && id === 'unspent') return { status: 404, body: 'Not Found' };
      const listed = (c: IndexedCoin, address: string) =>
        c.address === address && (id === 'unspent' || (id === 'confirmed') === c.height > 0);
      return {
        body: addresses.map((address) => ({
          address,
          result: state.coins
            .filter((c) => listed(c, address))
            .map((c) => ({
              tx_hash: c.txid,
              tx_pos: c.vout,
              value: c.value,
              height: c.height,
              isSpentInMempoolTx: false,
            })),
        })),
      };
    }
    if (one.url === '/arc/v1/policy') return { body: POLICY };
    if (kind === 'arc') {
      const txid = one.url.split('/').at(-1) as string;
      return state.arc.has(txid)
        ? { body: { txid, txStatus: state.arc.get(txid), timestamp: '', blockHash: null, extraInfo: '' } }
        : { status: 404 };
    }
    if (kind === 'address' && one.url.endsWith('/history'))
      return { body: { result: more === 'confirmed' ? historyOf(id) : [] } };
    if (kind === 'address') return { body: state.used.has(id) };
    if (state.failing.has(id)) return { status: 500 };
    if (more === 'hex')
      return state.transactions.has(id) ? { body: state.transactions.get(id) as string } : { status: 404 };
    if (more === 'proof' && state.proofs.has(id)) return { body: [state.proofs.get(id)] };
    const ofChain = state.chain.answer(one.url);
    if (ofChain) return ofChain;
    const spender = state.spent.get(`${id}:${more}`);
    return spender ? { body: { txid: spender } } : { status: 404 };
  });
  /** Returns an address's history: actual transactions plus those in `listed`. */
  const historyOf = (address: string) =>
    [
      ...state.transactions.concerning(toHex(addressScript(address, 'devnet'))),
      ...(state.listed.get(address) ?? []),
    ].map((txid) => ({ tx_hash: txid, height: state.heights.get(txid) ?? 0 }));
  const addressOf = (chain: Chain, at: number) =>
    writeAddress(publicKeyHashes(KEYS, chain, [at])[0] as Uint8Array, 'devnet');
  /** Pays the wallet's addresses in one transaction, as a third party. */
  const payAll = (paid: readonly { chain: Chain; at: number; value: number }[], height = 0): IndexedCoin[] => {
    const to = paid.map((one) => ({ ...one, address: addressOf(one.chain, one.at) }));
    const bytes = serializeTransaction({
      version: 1,
      lockTime: 0,
      inputs: [
        { txid: 'cc'.repeat(32), vout: state.transactions.size, unlockingScript: new Uint8Array(2), sequence: 1 },
      ],
      outputs: [
        { satoshis: 7n, lockingScript: p2pkhScript(new Uint8Array(20)) },
        ...to.map(({ address, value }) => ({
          satoshis: BigInt(value),
          lockingScript: addressScript(address, 'devnet'),
        })),
      ],
    });
    const txid = txidOf(bytes);
    state.transactions.set(txid, toHex(bytes));
    const coins = to.map((one, i) => ({ ...one, txid, vout: 1 + i, height }));
    state.coins.push(...coins);
    for (const { address } of coins) state.used.add(address);
    return coins;
  };
  const pay = (chain: Chain, at: number, value = 1000, height = 0) =>
    payAll([{ chain, at, value }], height)[0] as IndexedCoin;
  /**
   * Spends coins, by default signed with the wallet's keys. Signatures with any other `key` are invalid.
   * @returns the spending transaction's ID
   */
  const spendAll = (
    coins: readonly IndexedCoin[],
    key: KeyPair | undefined = undefined,
    value: number | undefined = undefined,
    change?: { chain: Chain; at: number; value: number },
  ): string => {
    const outputs = [{ satoshis: 1n, lockingScript: p2pkhScript(new Uint8Array(20)) }];
    const address = change && addressOf(change.chain, change.at);
    if (change && address)
      outputs.push({ satoshis: BigInt(change.value), lockingScript: addressScript(address, 'devnet') });
    for (const coin of coins) state.coins.splice(state.coins.indexOf(coin), 1);
    const inputs = coins.map((coin) => ({
      ...testCoin(BigInt(value ?? coin.value), coin),
      chain: coin.chain,
      index: coin.at,
      script: toHex(addressScript(coin.address, 'devnet')),
    }));
    const { bytes, txid } = signTransaction(
      { inputs, outputs, changeIndexes: [], feeSatoshis: 0n },
      (coin) => key ?? ownKeys.pair(coin.chain, coin.index),
    );
    state.transactions.set(txid, toHex(bytes));
    for (const coin of coins) state.spent.set(`${coin.txid}:${coin.vout}`, txid);
    if (change && address) {
      state.coins.push({ ...change, address, txid, vout: 1, height: 0 });
      state.used.add(address);
    }
    return txid;
  };
  const spend = (coin: IndexedCoin, ...how: [KeyPair?, number?, { chain: Chain; at: number; value: number }?]) =>
    spendAll([coin], ...how);
  /** Replaces a payment to the wallet with a double spend, which may be mined. @returns the double spend's ID */
  const doubleSpend = (coin: IndexedCoin, isMined = true): string => {
    const [input] = parseTransactionHex(state.transactions.get(coin.txid) as string).inputs;
    const bytes = serializeTransaction({
      version: 1,
      lockTime: 0,
      inputs: [input as TransactionInput],
      outputs: [{ satoshis: 3n, lockingScript: p2pkhScript(new Uint8Array(20)) }],
    });
    const txid = txidOf(bytes);
    drop(coin);
    state.transactions.set(txid, toHex(bytes));
    state.spent.set(`${input?.txid}:${input?.vout}`, txid);
    if (isMined) state.chain.mine([txid]);
    return txid;
  };
  const drop = (coin: IndexedCoin): string => {
    const bytes = state.transactions.get(coin.txid) as string;
    state.transactions.delete(coin.txid);
    if (state.coins.includes(coin)) state.coins.splice(state.coins.indexOf(coin), 1);
    return bytes;
  };
  return { url, asked, ...state, state, doubleSpend, drop, pay, payAll, spend, spendAll, addressOf };
}

const MEGABYTE = Buffer.alloc(1_000_000, ' ');
/** Sends a response of 33 MB, which exceeds the wallet's limit, and closes the connection. */
const endless: FakeResponse = (_, response) => {
  response.writeHead(200, { connection: 'close' });
  for (let i = 0; i < 33; i += 1) response.write(MEGABYTE);
  response.end('[]');
};

export async function wallet(url: string, restored: boolean, profile = new Profile(url)) {
  const workerRun = await profile.start();
  if (!(await workerRun.modules.vault.vaultStatus(current)).exists) {
    await keepUnlocked(workerRun);
    await workerRun.modules.vault.createVault(current, WORDS, 'correct horse battery', restored);
  }
  const { refreshCoins } = await import('../../wallet/scan/refresh.ts');
  const coins = async () =>
    (await (await workerRun.modules.database.database(current)).getAll('coins')).map((c) => ({
      outpoint: c.outpoint,
      status: c.status,
      height: c.height,
    }));
  return {
    ...workerRun.modules,
    workerRun,
    profile,
    refreshCoins,
    coins,
    satoshis: async () => (await workerRun.modules.store.balance(current)).satoshis,
  };
}
