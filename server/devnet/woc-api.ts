/**
 * WhatsOnChain's HTTP interface (docs.taal.com/core-products/whatsonchain): what a wallet needs of it, on the ledger.
 */
import express, { type ErrorRequestHandler, type Router } from 'express';
import { p2pkhScript, readAddress } from '../../protocol/address.ts';
import { handIn, hexBytes } from './hand-in.ts';
import type { Block, Ledger, LedgerTransaction } from './ledger.ts';
import type { LedgerNode } from './node.ts';
import { tscProof } from './proofs.ts';
import { LedgerRejection } from './rejection.ts';
import { chainView, coinViews, type CoinView, headerView, scriptHash } from './woc-views.ts';

/** WhatsOnChain's own limit for the lists of several addresses. */
const MOST_ADDRESSES = 20;

/** Devnet has no market: one BSV is 50 USD, so that examples stay the same. */
const RATE = { currency: 'USD', rate: 50 } as const;

/** An answer that is not 200: WhatsOnChain sends plain text. */
class Answer extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'Answer';
    this.status = status;
  }
}

/** The public key hash (hex) of a test network's address. */
function addressHash(text: unknown): { hash: string; script: string } {
  const address = typeof text === 'string' ? readAddress(text) : null;
  if (!address || address.mainnet) throw new Answer(400, 'Invalid address');
  return { hash: Buffer.from(address.hash).toString('hex'), script: scriptHash(p2pkhScript(address.hash)) };
}

/** The coins of an address. */
function unspent(
  ledger: Ledger,
  address: unknown,
): { address: string; script: string; result: CoinView[]; error: string } {
  const { hash, script } = addressHash(address);
  return { address: String(address), script, result: coinViews(ledger, hash), error: '' };
}

/** The addresses that a request for several lists names. */
function addressesOf(body: unknown): unknown[] {
  const addresses = (body as { addresses?: unknown } | undefined)?.addresses;
  if (!Array.isArray(addresses) || addresses.length === 0) throw new Answer(400, 'addresses is not a list');
  if (addresses.length > MOST_ADDRESSES) throw new Answer(400, `Max ${MOST_ADDRESSES} addresses per request`);
  return addresses;
}

function findTransaction(ledger: Ledger, txid: string): LedgerTransaction {
  const transaction = ledger.transaction(txid.toLowerCase());
  if (!transaction) throw new Answer(404, 'Not Found');
  return transaction;
}

function findBlock(ledger: Ledger, id: string): Block {
  const height = /^\d{1,9}$/.test(id) ? Number(id) : ledger.heightOf(id.toLowerCase());
  const block = height === undefined ? undefined : ledger.block(height);
  if (!block) throw new Answer(404, 'Not Found');
  return block;
}

/**
 * The routes below `/woc/v1/bsv/test`.
 * @param onError told of what is this side's fault
 */
export function wocApi(node: LedgerNode, onError: (error: unknown) => void): Router {
  const router = express.Router();
  const { ledger } = node;
  router.use(express.json({ limit: '25mb' }));

  router.get('/address/:address/unspent/all', (request, response) => {
    response.json(unspent(ledger, request.params.address));
  });

  // Older answers named the list `unspent`: clients of both kinds find theirs.
  router.post('/addresses/unspent/all', (request, response) => {
    response.json(
      addressesOf(request.body).map((address) => {
        const one = unspent(ledger, address);
        return { ...one, unspent: one.result };
      }),
    );
  });

  // The two lists apart, whose coins do not say in which of them they stand. Of several addresses each shows the first
  // coins only.
  for (const [status, most] of [
    ['confirmed', 20],
    ['unconfirmed', 100],
  ] as const) {
    const page = (address: unknown, from: number, limit: number) => {
      const { result, ...one } = unspent(ledger, address);
      const coins = result.filter((coin) => coin.status === status).map(({ status: _, ...coin }) => coin);
      const goesOn = status === 'confirmed' && coins.length > from + limit;
      return {
        ...one,
        result: coins.slice(from, from + limit),
        ...(goesOn && { nextPageToken: (from + limit).toString(16).padStart(8, '0') }),
      };
    };
    router.post(`/addresses/${status}/unspent`, (request, response) => {
      response.json(addressesOf(request.body).map((address) => page(address, 0, most)));
    });
    router.get(`/address/:address/${status}/unspent`, (request, response) => {
      const { token = '0', limit = '10000' } = request.query;
      if (!/^[0-9a-f]{1,8}$/.test(String(token)) || !/^[1-9]\d{0,4}$/.test(String(limit)) || Number(limit) > 10_000)
        throw new Answer(400, 'Bad Request');
      response.json(
        page(
          request.params.address,
          Number.parseInt(String(token), 16),
          status === 'confirmed' ? Number(limit) : 100_000,
        ),
      );
    });
  }

  router.get('/address/:address/used', (request, response) => {
    response.json(ledger.isUsed(addressHash(request.params.address).hash));
  });

  router.get('/tx/:txid/hex', (request, response) => {
    response.type('text/plain').send(Buffer.from(findTransaction(ledger, request.params.txid).bytes).toString('hex'));
  });

  router.get('/tx/:txid/proof/tsc', (request, response) => {
    const proof = tscProof(ledger, findTransaction(ledger, request.params.txid));
    response.json(proof === null ? null : [proof]);
  });

  router.get('/tx/:txid/:vout/spent', (request, response) => {
    const { txid, vout } = request.params;
    const spend = /^\d{1,10}$/.test(vout) ? ledger.spend(txid.toLowerCase(), Number(vout)) : undefined;
    if (!spend) throw new Answer(404, 'Not Found');
    response.json({ ...spend, status: ledger.transaction(spend.txid)?.height === null ? 'unconfirmed' : 'confirmed' });
  });

  router.post('/tx/raw', async (request, response) => {
    const body = request.body as { txhex?: unknown } | undefined;
    const transaction = await handIn(node, hexBytes(body?.txhex));
    response.type('text/plain').send(transaction.txid);
  });

  router.get('/block/headers', (_request, response) => {
    const last: Block[] = [];
    for (let height = ledger.height; height >= 0 && last.length < 10; height -= 1)
      last.push(findBlock(ledger, String(height)));
    response.json(last.map((block) => headerView(ledger, block)));
  });

  router.get('/block/:id/header', (request, response) => {
    response.json(headerView(ledger, findBlock(ledger, request.params.id)));
  });

  router.get('/chain/info', (_request, response) => {
    response.json(chainView(ledger));
  });

  router.get('/exchangerate', (_request, response) => {
    response.json({ ...RATE, time: Math.floor(Date.now() / 1000) });
  });

  router.use(() => {
    throw new Answer(404, 'Not Found');
  });

  router.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const { status, text } = plainAnswer(error);
    if (status >= 500) onError(error);
    return response.status(status).type('text/plain').send(text);
  }) satisfies ErrorRequestHandler);
  return router;
}

function plainAnswer(error: unknown): { status: number; text: string } {
  if (error instanceof Answer) return { status: error.status, text: error.message };
  // The node's refusal stands behind WhatsOnChain's words for it.
  if (error instanceof LedgerRejection)
    return { status: 400, text: `unexpected response code 500: ${error.status}: ${error.message}` };
  const status = (error as { status?: unknown } | null)?.status;
  if (typeof status === 'number' && status >= 400 && status < 500) return { status, text: 'Bad Request' };
  return { status: 500, text: 'Internal Server Error' };
}
