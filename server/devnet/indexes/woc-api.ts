/** The routes of WhatsOnChain's API that the wallet uses (docs.taal.com/core-products/whatsonchain). */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { p2pkhScript, readAddress } from '../../../protocol/bitcoin/address.ts';
import { serve, type Declaration, type Route, type RouteFamily } from '../../routing/route.ts';
import { broadcast, hexBytes } from '../arc/broadcast.ts';
import type { Block, Ledger, LedgerTransaction } from '../ledger/ledger.ts';
import type { LedgerNode } from '../ledger/node.ts';
import { tscProof } from './proofs.ts';
import { LedgerRejection } from '../arc/rejection.ts';
import * as schemas from '../ledger/schemas.ts';
import { chainView, coinViews, type CoinView, headerView, scriptHash } from './woc-views.ts';

const WOC = '/devnet/woc/v1/bsv/test';
const MAX_ADDRESSES_PER_REQUEST = 20;
/** WhatsOnChain's maximum number of transactions or outputs per bulk request. */
const MAX_LISTED = 20;
/** Maximum history entries per address in a bulk response. */
const MAX_HISTORY_ENTRIES = 1000;

/** Devnet coins have no market price. A fixed price keeps examples stable. */
const RATE = { currency: 'USD', rate: 50 } as const;

const ADDRESS = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
const NO_COINS = { address: ADDRESS, script: 'c4'.repeat(32), result: [], error: '' };
const HEADER = {
  hash: '0f'.repeat(32),
  confirmations: 1,
  size: 204,
  height: 1,
  version: 536_870_912,
  versionHex: '20000000',
  merkleroot: '7c'.repeat(32),
  num_tx: 1,
  time: 1_772_366_400,
  mediantime: 1_772_366_400,
  nonce: 2,
  bits: '207fffff',
  difficulty: 4.656542373906925e-10,
  chainwork: '04'.padStart(64, '0'),
};

/** An error response. WhatsOnChain sends plain text. */
class WocError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'WocError';
    this.status = status;
  }
}

/** Returns the public key hash (hex) and script hash of a test network address. */
function addressHash(text: unknown): { hash: string; script: string } {
  const address = typeof text === 'string' ? readAddress(text) : null;
  if (!address || address.mainnet) throw new WocError(400, 'Invalid address');
  return { hash: Buffer.from(address.hash).toString('hex'), script: scriptHash(p2pkhScript(address.hash)) };
}

function unspent(
  ledger: Ledger,
  address: unknown,
): { address: string; script: string; result: CoinView[]; error: string } {
  const { hash, script } = addressHash(address);
  return { address: String(address), script, result: coinViews(ledger, hash), error: '' };
}

function addressesOf(body: unknown): unknown[] {
  const addresses = (body as { addresses?: unknown } | undefined)?.addresses;
  if (!Array.isArray(addresses) || addresses.length === 0) throw new WocError(400, 'addresses is not a list');
  if (addresses.length > MAX_ADDRESSES_PER_REQUEST)
    throw new WocError(400, `Max ${MAX_ADDRESSES_PER_REQUEST} addresses per request`);
  return addresses;
}

function listedIn(body: unknown, name: 'txids' | 'utxos'): unknown[] {
  const list = (body as Record<string, unknown> | undefined)?.[name];
  if (!Array.isArray(list) || list.length === 0) throw new WocError(400, `${name} is not a list`);
  if (list.length > MAX_LISTED) throw new WocError(400, `Max ${MAX_LISTED} ${name} per request`);
  return list;
}

function pageOf({ token = '0', limit = '10000' }: { token?: unknown; limit?: unknown }): {
  from: number;
  limit: number;
} {
  if (!/^[0-9a-f]{1,8}$/.test(String(token)) || !/^[1-9]\d{0,4}$/.test(String(limit)) || Number(limit) > 10_000)
    throw new WocError(400, 'Bad Request');
  return { from: Number.parseInt(String(token), 16), limit: Number(limit) };
}

const tokenOf = (from: number) => from.toString(16).padStart(8, '0');

function findTransaction(ledger: Ledger, txid: string): LedgerTransaction {
  const transaction = ledger.transaction(txid.toLowerCase());
  if (!transaction) throw new WocError(404, 'Not Found');
  return transaction;
}

/** Returns the spender of an output, or undefined if unspent. */
function spenderIn(ledger: Ledger, txid: string, vout: number) {
  const spend = ledger.spend(txid.toLowerCase(), vout);
  if (!spend) return undefined;
  const { height } = ledger.transaction(spend.txid) ?? {};
  return { ...spend, status: height === null ? ('unconfirmed' as const) : ('confirmed' as const) };
}

/** Returns a transaction's entry in a bulk status response. */
function transactionState(ledger: Ledger, txid: string): object {
  const transaction = ledger.transaction(txid.toLowerCase());
  if (!transaction) return { txid, error: 'unknown' };
  if (transaction.height === null) return { txid };
  const { hash, height, confirmations, time } = headerView(ledger, findBlock(ledger, String(transaction.height)));
  return { txid, blockhash: hash, blockheight: height, blocktime: time, confirmations };
}

function findBlock(ledger: Ledger, id: string): Block {
  const height = /^\d{1,9}$/.test(id) ? Number(id) : ledger.heightOf(id.toLowerCase());
  const block = height === undefined ? undefined : ledger.block(height);
  if (!block) throw new WocError(404, 'Not Found');
  return block;
}

/** Creates the routes under `/woc/v1/bsv/test`. @param onError receives internal errors */
export function wocApi(node: LedgerNode, onError: (error: unknown) => void): RouteFamily {
  const bodies = express.Router();
  const { ledger } = node;
  bodies.use(express.json({ limit: '25mb' }));

  const route = (
    declaration: Pick<Declaration, 'id' | 'summary' | 'body' | 'query' | 'example'> & {
      answer: Declaration['answers'][number];
    },
    [method, path]: ['get' | 'post', string],
    handler: RequestHandler,
  ): Route => {
    const { answer, summary, ...rest } = declaration;
    return {
      ...rest,
      summary: `WhatsOnChain: ${summary}`,
      tag: 'Devnet',
      by: 'anybody',
      method,
      path: `${WOC}${path}`,
      answers: { 200: answer, 400: 'text', 404: 'text', ...(method === 'post' && { 413: 'text' as const }) },
      handlers: [handler],
    };
  };

  // Separate lists of confirmed and unconfirmed coins, without a status. Bulk requests get only the first coins.
  const lists = (
    [
      ['confirmed', 20],
      ['unconfirmed', 100],
    ] as const
  ).flatMap(([status, most]) => {
    const page = (address: unknown, from: number, limit: number) => {
      const { result, ...one } = unspent(ledger, address);
      const coins = result.filter((coin) => coin.status === status).map(({ status: _, ...coin }) => coin);
      const goesOn = status === 'confirmed' && coins.length > from + limit;
      return {
        ...one,
        result: coins.slice(from, from + limit),
        ...(goesOn && { nextPageToken: tokenOf(from + limit) }),
      };
    };
    const name = status === 'confirmed' ? 'Confirmed' : 'Unconfirmed';
    return [
      route(
        {
          id: `list${name}CoinsOfMany`,
          summary: `${status} coins of several addresses, the first ${most} of each`,
          body: schemas.addresses,
          answer: schemas.coinsOfMany,
          example: { body: { addresses: [ADDRESS] }, answer: [NO_COINS] },
        },
        ['post', `/addresses/${status}/unspent`],
        (request, response) => void response.json(addressesOf(request.body).map((address) => page(address, 0, most))),
      ),
      route(
        {
          id: `list${name}Coins`,
          summary: `${status} coins of an address`,
          query: schemas.pageQuery,
          answer: schemas.coins,
          example: { query: { limit: '1000' }, answer: NO_COINS },
        },
        ['get', `/address/{address}/${status}/unspent`],
        (request, response) => {
          const { from, limit } = pageOf(request.query);
          response.json(page(request.params.address, from, status === 'confirmed' ? limit : 100_000));
        },
      ),
    ];
  });

  const historyPage = (address: unknown, status: 'confirmed' | 'unconfirmed', from: number, limit: number) => {
    const { hash, script } = addressHash(address);
    const all = [...ledger.historyOf(hash)].toReversed().flatMap((txid) => {
      const height = ledger.transaction(txid)?.height ?? null;
      if ((height !== null) !== (status === 'confirmed')) return [];
      return { tx_hash: txid, ...(height !== null && { height }) };
    });
    const goesOn = all.length > from + limit;
    return {
      script,
      page: {
        result: all.slice(from, from + limit),
        error: '',
        ...(goesOn && { nextPageToken: tokenOf(from + limit) }),
      },
    };
  };
  const history = [
    ...(['confirmed', 'unconfirmed'] as const).map((status) =>
      route(
        {
          id: `list${status === 'confirmed' ? 'Confirmed' : 'Unconfirmed'}History`,
          summary: `${status} transactions that pay an address or spend from it, newest first`,
          query: schemas.pageQuery,
          answer: schemas.history,
          example: { query: { limit: '1000' }, answer: NO_COINS },
        },
        ['get', `/address/{address}/${status}/history`],
        (request, response) => {
          const { from, limit } = pageOf(request.query);
          const { script, page } = historyPage(request.params.address, status, from, limit);
          response.json({ address: request.params.address, script, ...page });
        },
      ),
    ),
    route(
      {
        id: 'listHistoryOfMany',
        summary: `transactions of several addresses, the first ${MAX_HISTORY_ENTRIES} of each`,
        body: schemas.addresses,
        answer: schemas.historyOfMany,
        example: {
          body: { addresses: [ADDRESS] },
          answer: [
            {
              address: ADDRESS,
              script: 'c4'.repeat(32),
              unconfirmed: { result: [], error: '' },
              confirmed: { result: [], error: '' },
            },
          ],
        },
      },
      ['post', '/addresses/history/all'],
      (request, response) =>
        void response.json(
          addressesOf(request.body).map((address) => {
            const { script, page: unconfirmed } = historyPage(address, 'unconfirmed', 0, MAX_HISTORY_ENTRIES);
            return {
              address,
              script,
              unconfirmed,
              confirmed: historyPage(address, 'confirmed', 0, MAX_HISTORY_ENTRIES).page,
            };
          }),
        ),
    ),
  ];

  const { routes, router } = serve(
    [
      route(
        {
          id: 'listCoins',
          summary: 'all coins of an address',
          answer: schemas.coins,
          example: { answer: NO_COINS },
        },
        ['get', '/address/{address}/unspent/all'],
        (request, response) => void response.json(unspent(ledger, request.params.address)),
      ),
      route(
        {
          id: 'listCoinsOfMany',
          summary: 'all coins of several addresses',
          body: schemas.addresses,
          answer: schemas.coinsOfMany,
          example: { body: { addresses: [ADDRESS] }, answer: [{ ...NO_COINS, unspent: [] }] },
        },
        ['post', '/addresses/unspent/all'],
        // Older API versions named the list `unspent`, so the response has both names.
        (request, response) =>
          void response.json(
            addressesOf(request.body).map((address) => {
              const one = unspent(ledger, address);
              return { ...one, unspent: one.result };
            }),
          ),
      ),
      ...lists,
      ...history,
      route(
        {
          id: 'isAddressUsed',
          summary: 'whether an address has ever been paid',
          answer: schemas.used,
          example: { answer: false },
        },
        ['get', '/address/{address}/used'],
        (request, response) => void response.json(ledger.isUsed(addressHash(request.params.address).hash)),
      ),
      route(
        { id: 'readRawTransaction', summary: 'the bytes of a transaction in hexadecimal', answer: 'text' },
        ['get', '/tx/{txid}/hex'],
        (request, response) => {
          const { bytes } = findTransaction(ledger, String(request.params.txid));
          response.type('text/plain').send(Buffer.from(bytes).toString('hex'));
        },
      ),
      route(
        {
          id: 'readMerkleProof',
          summary: 'the TSC merkle proof of a transaction, or null until it is in a block',
          answer: schemas.proofs,
          example: {
            answer: [{ index: 1, txOrId: '7c'.repeat(32), target: '0f'.repeat(32), nodes: ['a3'.repeat(32)] }],
          },
        },
        ['get', '/tx/{txid}/proof/tsc'],
        (request, response) => {
          const proof = tscProof(ledger, findTransaction(ledger, String(request.params.txid)));
          response.json(proof === null ? null : [proof]);
        },
      ),
      route(
        {
          id: 'readSpender',
          summary: 'the transaction that spends an output',
          answer: schemas.spender,
          example: { answer: { txid: '7c'.repeat(32), vin: 0, status: 'confirmed' } },
        },
        ['get', '/tx/{txid}/{vout}/spent'],
        (request, response) => {
          const [txid, vout] = [String(request.params.txid), String(request.params.vout)];
          const spend = /^\d{1,10}$/.test(vout) ? spenderIn(ledger, txid, Number(vout)) : undefined;
          if (!spend) throw new WocError(404, 'Not Found');
          response.json(spend);
        },
      ),
      route(
        {
          id: 'listTransactionStates',
          summary: 'the states of several transactions and the blocks that contain them',
          body: schemas.txids,
          answer: schemas.transactionStates,
          example: {
            body: { txids: ['7c'.repeat(32)] },
            answer: [
              {
                txid: '7c'.repeat(32),
                blockhash: HEADER.hash,
                blockheight: HEADER.height,
                blocktime: HEADER.time,
                confirmations: 1,
              },
            ],
          },
        },
        ['post', '/txs/status'],
        (request, response) =>
          void response.json(listedIn(request.body, 'txids').map((txid) => transactionState(ledger, String(txid)))),
      ),
      route(
        {
          id: 'listSpenders',
          summary: 'the transactions that spend several outputs',
          body: schemas.utxos,
          answer: schemas.spentOutputs,
          example: {
            body: { utxos: [{ txid: 'a3'.repeat(32), vout: 0 }] },
            answer: [
              {
                utxo: { txid: 'a3'.repeat(32), vout: 0 },
                spentIn: { txid: '7c'.repeat(32), vin: 0, status: 'confirmed' },
                error: '',
              },
            ],
          },
        },
        ['post', '/utxos/spent'],
        (request, response) =>
          void response.json(
            listedIn(request.body, 'utxos').map((utxo) => {
              const { txid, vout } = (utxo ?? {}) as { txid?: unknown; vout?: unknown };
              if (typeof txid !== 'string' || typeof vout !== 'number') throw new WocError(400, 'Bad Request');
              const spentIn = spenderIn(ledger, txid, vout);
              return { utxo: { txid, vout }, ...(spentIn && { spentIn }), error: '' };
            }),
          ),
      ),
      route(
        {
          id: 'broadcastRawTransaction',
          summary: 'broadcasts a transaction and returns its ID as text',
          body: schemas.txhex,
          answer: 'text',
          example: { body: { txhex: '0100000001' } },
        },
        ['post', '/tx/raw'],
        async (request, response) => {
          const body = request.body as { txhex?: unknown } | undefined;
          const transaction = await broadcast(node, hexBytes(body?.txhex));
          response.type('text/plain').send(transaction.txid);
        },
      ),
      route(
        { id: 'listHeaders', summary: 'the last ten headers', answer: schemas.headers, example: { answer: [HEADER] } },
        ['get', '/block/headers'],
        (_request, response) => {
          const last: Block[] = [];
          for (let height = ledger.height; height >= 0 && last.length < 10; height -= 1)
            last.push(findBlock(ledger, String(height)));
          response.json(last.map((block) => headerView(ledger, block)));
        },
      ),
      route(
        {
          id: 'readHeader',
          summary: 'the header of a block, by height or hash',
          answer: schemas.header,
          example: { answer: HEADER },
        },
        ['get', '/block/{id}/header'],
        (request, response) => void response.json(headerView(ledger, findBlock(ledger, String(request.params.id)))),
      ),
      route(
        {
          id: 'readChainInfo',
          summary: 'height and work of the chain',
          answer: schemas.chainInfo,
          example: {
            answer: {
              chain: 'test',
              blocks: 1,
              headers: 1,
              bestblockhash: HEADER.hash,
              difficulty: HEADER.difficulty,
              mediantime: HEADER.mediantime,
              verificationprogress: 1,
              chainwork: HEADER.chainwork,
              pruned: false,
            },
          },
        },
        ['get', '/chain/info'],
        (_request, response) => void response.json(chainView(ledger)),
      ),
      route(
        {
          id: 'readExchangeRate',
          summary: 'the price of one BSV in USD, which is constant on devnet',
          answer: schemas.exchangeRate,
          example: { answer: { ...RATE, time: HEADER.time } },
        },
        ['get', '/exchangerate'],
        (_request, response) => void response.json({ ...RATE, time: Math.floor(Date.now() / 1000) }),
      ),
    ],
    WOC,
  );
  bodies.use(router);

  bodies.use(() => {
    throw new WocError(404, 'Not Found');
  });

  bodies.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const { status, text } = plainAnswer(error);
    if (status >= 500) onError(error);
    return response.status(status).type('text/plain').send(text);
  }) satisfies ErrorRequestHandler);
  return { routes, router: bodies };
}

function plainAnswer(error: unknown): { status: number; text: string } {
  if (error instanceof WocError) return { status: error.status, text: error.message };
  // WhatsOnChain prefixes the node's rejection with its own message.
  if (error instanceof LedgerRejection)
    return { status: 400, text: `unexpected response code 500: ${error.status}: ${error.message}` };
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return { status, text: 'Payload Too Large' };
  if (typeof status === 'number' && status >= 400 && status < 500) return { status: 400, text: 'Bad Request' };
  return { status: 500, text: 'Internal Server Error' };
}
