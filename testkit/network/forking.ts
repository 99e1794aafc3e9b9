/**
 * A mock service, ARC and index for a chain that can be reorganized. Accepts every transaction unless a test sets
 * `judge`.
 */
import { rawOf, TestChain } from './blocks.ts';
import { randomBytes } from 'node:crypto';
import { addressScript, p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { equalBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import {
  parseTransaction,
  serializeTransaction,
  txidOf,
  type Transaction,
  type TransactionOutput,
} from '../../protocol/bitcoin/transaction.ts';
import { networkAt } from './service.ts';
import { answering, type FakeResponse, type RecordedRequest } from './answers.ts';

export interface ForkingNetwork {
  url: string;
  chain: TestChain;
  /** All known transactions by ID, in order of arrival. */
  known: Map<string, { hex: string; transaction: Transaction }>;
  /** Returns ARC's response to reject a transaction, or null to accept it, which is the default. */
  judge: (transaction: Transaction) => FakeResponse | null;
  /** All requests, in order. */
  asked: RecordedRequest[];
  /** Broadcast transactions (hex), including repetitions. */
  broadcasts: string[];
  /** Overrides for responses, by path below the index's root. */
  instead: Map<string, FakeResponse>;
  /** Overrides for the status that ARC reports, by transaction ID. */
  arcSays: Map<string, string>;
  /**
   * A fault: the index hides coins and used addresses, the index reports every address as used, ARC drops
   * transactions, or neither the index nor ARC works.
   */
  lies: 'hides' | 'uses all' | 'keeps nothing' | 'down' | null;
  /**
   * Maximum number of transactions per address in a response with the histories of several addresses. Null, the
   * default, for an index without such responses.
   */
  historyPage: number | null;
  /** Addresses whose lists of coins exceed the wallet's maximum response size. */
  crowded: Set<string>;
  /** ARC's fee in satoshis per 1,000 bytes. */
  fee: number;
  /** Creates a coin for an address from an unknown input. @returns the transaction's ID */
  faucet(address: string, satoshis: number): Promise<string>;
  /** Like `faucet`, for several addresses. Their coins are the transaction's outputs from 1 on. */
  pay(...coins: readonly (readonly [address: string, satoshis: number])[]): string;
  take(bytes: Uint8Array): string;
  /** Mines a block with the given transactions, by default all unconfirmed ones. */
  mine(txids?: readonly string[]): void;
  forget(txid: string): void;
  /** Spends an output (`txid:vout`) to a third party. @returns the spending transaction's ID */
  spend(outpoint: string): string;
}

/** Locking scripts by address (cache). */
const scripts = new Map<string, Uint8Array>();
function scriptOf(address: string): Uint8Array {
  const script = scripts.get(address) ?? addressScript(address, 'devnet');
  scripts.set(address, script);
  return script;
}

/** The locking script of a third party. */
const ELSEWHERE = p2pkhScript(new Uint8Array(20));
/** Serializes a third party's transaction, whose signature isn't valid. */
const foreign = (txid: string, vout: number, outputs: TransactionOutput[]) =>
  serializeTransaction({
    version: 1,
    lockTime: 0,
    inputs: [{ txid, vout, unlockingScript: new Uint8Array(2), sequence: 1 }],
    outputs,
  });

const MEGABYTE = Buffer.alloc(1_000_000, ' ');
/** Sends a response of 33 MB, which exceeds the wallet's limit, and closes the connection. */
const endless: FakeResponse = (_, response) => {
  response.writeHead(200, { connection: 'close' });
  for (let i = 0; i < 33; i += 1) response.write(MEGABYTE);
  response.end('[]');
};

/** Starts a mock network over HTTP, which stops when the test ends. */
export async function startForking(length = 30): Promise<ForkingNetwork> {
  const network = forkingNetwork(new TestChain(length));
  const { url, asked } = await answering((one: RecordedRequest) => network.answer(one));
  return Object.assign(network, { url, asked });
}

/** Creates a mock network without HTTP. Call `answer` for each request. `url` is empty until a test sets it. */
export function forkingNetwork(
  chain: TestChain,
  random: (bytes: number) => Uint8Array = randomBytes,
): ForkingNetwork & { answer(asked: Pick<RecordedRequest, 'method' | 'url' | 'body'>): FakeResponse } {
  const known = new Map<string, { hex: string; transaction: Transaction }>();
  const instead = new Map<string, FakeResponse>();
  const arcSays = new Map<string, string>();
  const broadcasts: string[] = [];
  const take = (bytes: Uint8Array): string => {
    const txid = txidOf(bytes);
    known.set(txid, { hex: toHex(bytes), transaction: parseTransaction(bytes) });
    return txid;
  };
  const spenderOf = (txid: string, vout: number) => {
    for (const [id, { transaction }] of known)
      for (const input of transaction.inputs) if (input.txid === txid && input.vout === vout) return id;
    return undefined;
  };
  const coinsOf = (address: string) => {
    const script = scriptOf(address);
    const coins: { tx_hash: string; tx_pos: number; value: number; height: number }[] = [];
    for (const [txid, { transaction }] of known)
      for (const [vout, { satoshis, lockingScript }] of transaction.outputs.entries())
        if (equalBytes(lockingScript, script))
          coins.push({
            tx_hash: txid,
            tx_pos: vout,
            value: Number(satoshis),
            height: chain.blockOf(txid)?.height ?? 0,
          });
    return coins;
  };

  /** Returns the transactions that pay or spend from an address, either the confirmed or the unconfirmed ones. */
  const historyOf = (address: string, isConfirmed: boolean) => {
    if (network.lies !== null) return [];
    const txids = coinsOf(address).flatMap((coin) => [coin.tx_hash, spenderOf(coin.tx_hash, coin.tx_pos) ?? '']);
    return [...new Set(txids)]
      .filter((txid) => txid !== '' && (chain.blockOf(txid) !== undefined) === isConfirmed)
      .map((txid) => ({ tx_hash: txid, height: chain.blockOf(txid)?.height ?? 0 }));
  };

  function arc(method: string, txid: string, body: string): FakeResponse {
    const status = (id: string, txStatus: string): FakeResponse => ({
      body: { txid: id, txStatus, timestamp: '', blockHash: null, extraInfo: '' },
    });
    if (method === 'POST') {
      const rawTx = rawOf((JSON.parse(body) as { rawTx: string }).rawTx);
      broadcasts.push(rawTx);
      const refusal = network.judge(parseTransaction(fromHex(rawTx)));
      if (refusal !== null) return refusal;
      return status(
        network.lies === 'keeps nothing' ? txidOf(fromHex(rawTx)) : take(fromHex(rawTx)),
        'SEEN_ON_NETWORK',
      );
    }
    const said = arcSays.get(txid) ?? (known.has(txid) ? (chain.blockOf(txid) ? 'MINED' : 'SEEN_ON_NETWORK') : null);
    return said === null ? { status: 404, body: {} } : status(txid, said);
  }

  /** Returns the lists of several addresses: histories, or `confirmed`, `unconfirmed` or all `unspent` coins. */
  function lists(kind: string, addresses: readonly string[]): FakeResponse {
    if (addresses.length > 20) return { status: 400 }; // as WhatsOnChain does
    if (kind === 'history') {
      const { historyPage } = network;
      if (historyPage === null) return { status: 404 };
      const page = (address: string, isConfirmed: boolean) => {
        const all = historyOf(address, isConfirmed);
        return { result: all.slice(0, historyPage), ...(all.length > historyPage && { nextPageToken: 'more' }) };
      };
      return {
        body: addresses.map((one) => ({ address: one, unconfirmed: page(one, false), confirmed: page(one, true) })),
      };
    }
    if (addresses.some((one) => network.crowded.has(one))) return endless;
    const isListed = ({ tx_hash, tx_pos, height }: ReturnType<typeof coinsOf>[number]) =>
      (kind === 'unspent' || (kind === 'confirmed') === height > 0) && !spenderOf(tx_hash, tx_pos);
    return {
      body: addresses.map((address) => ({
        address,
        result: network.lies === 'hides' ? [] : coinsOf(address).filter(isListed),
      })),
    };
  }

  function index(path: string, body: string): FakeResponse {
    const [, kind, id = '', more] = path.split('/');
    if (kind === 'exchangerate') return { body: { currency: 'USD', rate: 50, time: 0 } };
    const given = instead.get(path) ?? chain.answer(path);
    if (given) return given;
    if (kind === 'addresses') return lists(id, (JSON.parse(body) as { addresses: string[] }).addresses);
    if (path.endsWith('/history')) return { body: { result: historyOf(id, more === 'confirmed') } };
    if (kind === 'address')
      return { body: network.lies === 'uses all' || (network.lies === null && coinsOf(id).length > 0) };
    if (more === 'hex') return known.has(id) ? { body: known.get(id)?.hex } : { status: 404 };
    const spender = spenderOf(id, Number(more));
    return spender ? { body: { txid: spender } } : { status: 404 };
  }

  const answer = (one: Pick<RecordedRequest, 'method' | 'url' | 'body'>): FakeResponse => {
    const { url } = network;
    if (network.lies === 'down' && !one.url.startsWith('/api/')) return { status: 500 };
    if (one.url.startsWith('/woc')) return index(one.url.slice(4), one.body);
    if (one.url === '/arc/v1/policy')
      return {
        body: {
          policy: {
            maxscriptsizepolicy: 1,
            maxtxsizepolicy: 1,
            maxtxsigopscountspolicy: 1,
            miningFee: { satoshis: network.fee, bytes: 1000 },
          },
          timestamp: '',
        },
      };
    if (one.url.startsWith('/arc/v1/tx')) return arc(one.method, one.url.split('/')[4] ?? '', one.body);
    if (one.url === '/faucet') {
      const { address, satoshis } = JSON.parse(one.body) as { address: string; satoshis: number };
      return { body: { txid: network.pay([address, satoshis]) } };
    }
    if (one.url === '/api/v2/network') return networkAt(`${url}/arc`, `${url}/woc`);
    if (one.url === '/api/v2/rates')
      return { body: { rates: { USD: '50', EUR: '45' }, time: '2100-01-01T00:00:00.000Z' } };
    return { status: 404, body: {} };
  };
  const network: ReturnType<typeof forkingNetwork> = {
    url: '',
    chain,
    known,
    answer,
    judge: () => null,
    asked: [],
    broadcasts,
    instead,
    arcSays,
    lies: null,
    historyPage: null,
    crowded: new Set(),
    fee: 100,
    take,
    faucet: async (address, satoshis) => network.pay([address, satoshis]),
    pay: (...coins) =>
      take(
        foreign(toHex(random(32)), 0, [
          { satoshis: 7n, lockingScript: ELSEWHERE },
          ...coins.map(([address, satoshis]) => ({
            satoshis: BigInt(satoshis),
            lockingScript: scriptOf(address),
          })),
        ]),
      ),
    mine(txids = [...known.keys()].filter((txid) => !chain.blockOf(txid))) {
      chain.mine(txids);
    },
    forget(txid) {
      known.delete(txid);
    },
    spend(outpoint) {
      const [txid = '', vout] = outpoint.split(':');
      return take(foreign(txid, Number(vout), [{ satoshis: 1n, lockingScript: ELSEWHERE }]));
    },
  };
  return network;
}
