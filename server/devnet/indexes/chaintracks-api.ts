/** The block header routes of Arcade's chaintracks API (bsv-blockchain/go-chaintracks, v2), on top of the ledger. */
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { serve, type Route, type RouteFamily } from '../../routing/route.ts';
import { HEADER_SIZE, serializeHeader } from '../ledger/blocks.ts';
import type { Block, Ledger } from '../ledger/ledger.ts';
import * as schemas from '../ledger/schemas.ts';

const CHAINTRACKS = '/devnet/chaintracks';
const MAX_HEADERS = 10_000;

const HEADER = {
  hash: '0f'.repeat(32),
  height: 1,
  version: 536_870_912,
  previousHash: '06'.repeat(32),
  merkleRoot: '7c'.repeat(32),
  time: 1_772_366_400,
  bits: 0x207f_ffff,
  nonce: 2,
};

class NotFound extends Error {}

/** Creates the routes under `/chaintracks`. @param onError receives internal errors */
export function chaintracksApi(ledger: Ledger, onError: (error: unknown) => void): RouteFamily {
  const found = (block: Block | undefined): Block => {
    if (!block) throw new NotFound('header not found');
    return block;
  };
  const atHeight = (text: unknown) => found(/^\d{1,9}$/.test(String(text)) ? ledger.block(Number(text)) : undefined);
  const ofHash = (text: unknown) => found(ledger.block(ledger.heightOf(String(text).toLowerCase()) ?? -1));
  const tip = () => found(ledger.tip);
  const route = (id: string, path: string, summary: string, handler: RequestHandler): Route => ({
    id,
    method: 'get',
    path: `${CHAINTRACKS}${path}`,
    tag: 'Devnet',
    by: 'anybody',
    summary: `Chaintracks: ${summary}`,
    answers: { 200: schemas.chaintracksHeader, 404: schemas.arcadeRefused },
    example: { answer: HEADER },
    handlers: [handler],
  });
  /** Returns the headers that a path serves as bytes, or null for any other path. */
  const headersAt = (path: string, query: Record<string, unknown>): (Block | undefined)[] | null => {
    if (path === '/tip.bin') return [tip()];
    const height = /^\/header\/height\/(\d{1,9})\.bin$/.exec(path)?.[1];
    if (height !== undefined) return [atHeight(height)];
    if (path !== '/headers') return null;
    const first = atHeight(query.height).height;
    const count = /^\d{1,5}$/.test(String(query.count)) ? Math.min(Number(query.count), MAX_HEADERS) : 0;
    return Array.from({ length: count }, (_, i) => ledger.block(first + i));
  };
  const { routes, router } = serve(
    [
      route('readChaintracksTip', '/v2/tip', 'the header of the last block', (_, response) => json(response, tip())),
      route('readChaintracksHeight', '/v2/header/height/{height}', 'a header by height', (request, response) =>
        json(response, atHeight(request.params.height)),
      ),
      route('readChaintracksHash', '/v2/header/hash/{hash}', 'a header by hash', (request, response) =>
        json(response, ofHash(request.params.hash)),
      ),
    ],
    CHAINTRACKS,
  );
  const all = express.Router();
  // Not declared as routes, because the reference can't show binary bodies.
  all.use('/v2', ({ path, query }, response, next) => {
    const blocks = headersAt(path, query)?.filter((block) => block !== undefined);
    if (blocks) bytes(response, blocks);
    else if (path === '/network') response.json({ network: 'test' });
    else if (path === '/height') response.json({ height: tip().height });
    else next();
  });
  all.use(router);
  all.use(() => {
    throw new NotFound('there is no such path');
  });
  all.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    // A path with invalid percent-encoding also gets 404.
    if (error instanceof NotFound || error instanceof URIError)
      return response.status(404).json({ error: error.message });
    onError(error);
    return response.status(500).json({ error: 'internal error' });
  }) satisfies ErrorRequestHandler);
  return { routes, router: all };
}

function json(response: Response, { hash, height, header }: Block): void {
  const { version, previous, merkleRoot, time, bits, nonce } = header;
  response.json({ hash, height, version, previousHash: previous, merkleRoot, time, bits, nonce });
}

function bytes(response: Response, blocks: readonly Block[]): void {
  const all = Buffer.alloc(blocks.length * HEADER_SIZE);
  for (const [i, { header }] of blocks.entries()) all.set(serializeHeader(header), i * HEADER_SIZE);
  response.type('application/octet-stream').send(all);
}
