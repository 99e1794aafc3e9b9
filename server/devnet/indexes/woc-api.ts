/** The routes of WhatsOnChain's API that the wallet uses (docs.taal.com/core-products/whatsonchain). */
import express, { type ErrorRequestHandler } from 'express';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { broadcast, hexBytes } from '../arc/broadcast.ts';
import type { Block, Ledger, LedgerTransaction } from '../ledger/ledger.ts';
import type { LedgerNode } from '../ledger/node.ts';
import * as schemas from '../ledger/schemas.ts';
import { tscProof } from './proofs.ts';
import { addressRoutes } from './woc-address-routes.ts';
import { plainAnswer, route, WOC, WocError } from './woc-route.ts';
import { chainView, headerView } from './woc-views.ts';

/** WhatsOnChain's maximum number of transactions or outputs per bulk request. */
const MAX_LISTED = 20;
/** Devnet coins have no market price. A fixed price keeps examples stable. */
const RATE = { currency: 'USD', rate: 50 } as const;

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

function listedIn(body: unknown, name: 'txids' | 'utxos'): unknown[] {
  const list = (body as Record<string, unknown> | undefined)?.[name];
  if (!Array.isArray(list) || list.length === 0) throw new WocError(400, `${name} is not a list`);
  if (list.length > MAX_LISTED) throw new WocError(400, `Max ${MAX_LISTED} ${name} per request`);
  return list;
}

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

  const { routes, router } = serve(
    [
      ...addressRoutes(ledger),
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
