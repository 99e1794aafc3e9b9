/**
 * The embedded network at `/devnet`: a ledger on disk with the APIs of ARC, Arcade and its chaintracks, WhatsOnChain
 * and two 1Sat ordinals indexes, plus a faucet, mining and faults on demand.
 */
import express, { type ErrorRequestHandler } from 'express';
import { errorResponse } from '../../protocol/http/api.ts';
import { ERRORS, ServiceError, toWireError } from '../../protocol/errors/service-error.ts';
import { serve, type RouteFamily } from '../routing/route.ts';
import { alter } from './indexes/alter.ts';
import { arcadeApi } from './arc/arcade-api.ts';
import { arcApi } from './arc/arc-api.ts';
import { arcStatus } from './arc/arc-status.ts';
import { Callbacks } from './arc/callbacks.ts';
import { chaintracksApi } from './indexes/chaintracks-api.ts';
import { pay } from './faucet.ts';
import type { Fault } from './arc/faults.ts';
import { startMining } from './ledger/miner.ts';
import { type LedgerNode, openNode } from './ledger/node.ts';
import * as schemas from './ledger/schemas.ts';
import { oneSatStackApi } from './indexes/one-sat-stack-api.ts';
import { Ordinals } from './indexes/ordinals.ts';
import { ordinalsApi } from './indexes/ordinals-api.ts';
import { wocApi } from './indexes/woc-api.ts';

/** A running ledger at `/devnet`. `close` stops mining and callbacks, finishes pending work and closes the log. */
export interface Devnet extends RouteFamily {
  /**
   * Changes the first unlocking script of an unconfirmed transaction with a version above 1, as third parties can.
   * @returns the new txid
   * @throws LedgerRejection
   */
  alter(txid: string): Promise<string>;
  /** Replaces an unconfirmed transaction, as its sender can with a miner's help. @throws LedgerRejection */
  replace(txid: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Maximum number of blocks per call to POST /mine. */
const MAX_BLOCKS_PER_CALL = 1000;

/**
 * Opens the ledger in `directory`, which is created if missing. The caller must ensure that only one process opens it.
 * @param options `blockIntervalMs`: time between blocks (ms), 0 for none; `onError`: receives errors outside any
 * request
 * @throws ServiceError `internal` if the stored ledger is damaged
 */
export async function openDevnet(options: {
  directory: string;
  blockIntervalMs: number;
  onError?: (error: unknown) => void;
}): Promise<Devnet> {
  const onError = options.onError ?? (() => undefined);
  const node = await openNode(options.directory);
  const callbacks = new Callbacks();
  node.onTransaction((transaction) => {
    // Checked first, because building a status includes computing a merkle path.
    if (transaction.height !== null && callbacks.wants(transaction.txid))
      callbacks.tell(arcStatus(node.ledger, transaction));
  });
  const oneSats = new Ordinals(node.ledger);
  node.onTransaction((transaction) => oneSats.add(transaction));
  const stopMining = startMining(node, options.blockIntervalMs, onError);

  const router = express.Router();
  router.use(allowAll);
  const [arc, arcade, chaintracks, woc, ordinals, oneSatStack] = [
    arcApi(node, callbacks, onError),
    arcadeApi(node, onError),
    chaintracksApi(node.ledger, onError),
    wocApi(node, onError),
    ordinalsApi(node.ledger, oneSats, onError),
    oneSatStackApi(node.ledger, oneSats, onError),
  ];
  const setFaults: SetFaults = (at, faults) => {
    (at === 'arc' ? arc : arcade).instance.faults.set(faults);
    arcade.onFaults();
  };
  const own = ownApi(node, onError, setFaults);
  router.use('/arc', arc.router);
  router.use('/arcade', arcade.router);
  router.use('/chaintracks', chaintracks.router);
  router.use('/woc/v1/bsv/test', woc.router);
  router.use('/ordinals', ordinals.router);
  router.use('/1sat', oneSatStack.router);
  router.use(own.router);

  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    stopMining();
    await node.close();
    await Promise.all([callbacks.close(), arcade.close()]);
  };
  return {
    routes: [arc, arcade, chaintracks, woc, ordinals, oneSatStack, own].flatMap(({ routes }) => routes),
    router,
    alter: (txid) => alter(node, txid),
    replace: async (txid, bytes) => void (await node.replace(txid, bytes)),
    close: () => (closing ??= close()),
  };
}

/** Allows all origins, because no data is private. Omits X-CallbackUrl so that pages can't trigger callbacks. */
const allowAll: express.RequestHandler = (request, response, next) => {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
    'Access-Control-Allow-Headers':
      'Content-Type, Authorization, X-WaitFor, X-MaxTimeout, X-CallbackToken, Last-Event-ID',
    'Access-Control-Expose-Headers': 'Retry-After',
    'Access-Control-Max-Age': '86400',
    'Cache-Control': 'no-store',
  });
  if (request.method === 'OPTIONS') response.status(204).end();
  else next();
};

type SetFaults = (at: 'arc' | 'arcade', faults: readonly Fault[]) => void;

/** Serves POST /faucet, /mine and /faults. Errors have the service's format: `{"error": {"code", "message"}}`. */
function ownApi(node: LedgerNode, onError: (error: unknown) => void, setFaults: SetFaults): RouteFamily {
  const shared = { method: 'post', tag: 'Devnet', by: 'anybody' } as const;
  const body = express.json({ limit: '10kb' });
  const { routes, router } = serve(
    [
      {
        ...shared,
        id: 'payFromFaucet',
        path: '/devnet/faucet',
        summary: 'Sends satoshis, at most 1 BSV, to an address of a test network',
        body: schemas.faucetRequest,
        answers: { 200: schemas.faucetResponse, 400: errorResponse, 413: errorResponse, 503: errorResponse },
        example: {
          body: { address: 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8', satoshis: 100_000 },
          answer: { txid: '7c'.repeat(32) },
        },
        handlers: [
          body,
          async (request, response) => {
            const { address, satoshis } = (request.body ?? {}) as { address?: unknown; satoshis?: unknown };
            response.json({ txid: await pay(node, address, satoshis) });
          },
        ],
      },
      {
        ...shared,
        id: 'mineBlocks',
        path: '/devnet/mine',
        summary: `Mines blocks immediately, at most ${MAX_BLOCKS_PER_CALL}`,
        body: schemas.mineRequest,
        answers: { 200: schemas.mineResponse, 400: errorResponse, 413: errorResponse, 503: errorResponse },
        example: { body: { blocks: 1 }, answer: { height: 102, hash: '0f'.repeat(32) } },
        handlers: [
          body,
          async (request, response) => {
            const { blocks } = (request.body ?? {}) as { blocks?: unknown };
            if (typeof blocks !== 'number' || !Number.isInteger(blocks) || blocks < 1 || blocks > MAX_BLOCKS_PER_CALL) {
              throw new ServiceError('invalid-request', {
                message: `blocks must be a whole number from 1 to ${MAX_BLOCKS_PER_CALL}.`,
              });
            }
            const { height, hash } = await node.mine(blocks);
            response.json({ height, hash });
          },
        ],
      },
      {
        ...shared,
        id: 'setFaults',
        path: '/devnet/faults',
        summary: 'Replaces the faults of this devnet’s ARC or Arcade',
        body: schemas.faultsRequest,
        answers: { 200: schemas.faultsResponse, 400: errorResponse, 413: errorResponse },
        example: {
          body: { at: 'arcade', faults: [{ name: 'overloaded', seconds: 30, times: 1 }] },
          answer: { faults: 1 },
        },
        handlers: [
          body,
          (request, response) => {
            const read = schemas.faultsRequest.safeParse(request.body);
            if (!read.success) throw new ServiceError('invalid-request');
            setFaults(read.data.at, read.data.faults);
            response.json({ faults: read.data.faults.length });
          },
        ],
      },
    ],
    '/devnet',
  );

  router.use(() => {
    throw new ServiceError('not-found');
  });

  router.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const known = error instanceof ServiceError ? error : bodyError(error);
    const wire = toWireError(known);
    // Invalid requests get 400 here, even those for which the service itself returns 422.
    const { http = 500 } = ERRORS[wire.code];
    const status = http === 422 ? 400 : http;
    if (status >= 500) onError(error);
    return response.status(status).json({ error: wire });
  }) satisfies ErrorRequestHandler);
  return { routes, router };
}

/** Converts body-parser's errors, which have a 4xx status if the client's body is invalid. */
function bodyError(error: unknown): unknown {
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return new ServiceError('too-large');
  return typeof status === 'number' && status >= 400 && status < 500 ? new ServiceError('invalid-request') : error;
}
