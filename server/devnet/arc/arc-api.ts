/** ARC's HTTP API (bitcoin-sv/arc, pkg/api/arc.yaml) on top of the ledger. */
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import * as z from 'zod/mini';
import { arcTransaction, type ArcTransaction } from '../../../protocol/network/arc.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { arcError, arcReport } from './arc-status.ts';
import { arcadeRejection } from './arcade-status.ts';
import { callbackUrl, type Callbacks } from './callbacks.ts';
import { faultGate } from './faults.ts';
import { Instance } from '../instance.ts';
import type { LedgerNode } from '../ledger/node.ts';
import { LedgerRejection, REFUSALS } from './rejection.ts';
import * as schemas from '../ledger/schemas.ts';
import { POLICY, readBody, submittedBytes, unreadableBody } from './submissions.ts';

const ARC = '/devnet/arc';
const TIME = '2026-03-01T12:00:00.000Z';
const STATUS_EXAMPLE = { txid: '7c'.repeat(32), txStatus: 'SEEN_ON_NETWORK', timestamp: TIME } as const;
/** Every route's response if the `key-required` fault is active and the key is missing. */
const KEYED = { 401: schemas.gated } as const;
const SUBMITTED = {
  ...Object.fromEntries(Object.keys(REFUSALS).map((status) => [status, schemas.refused])),
  ...KEYED,
  503: z.union([schemas.refused, schemas.gated]),
};
/** ARC's default wait time for X-WaitFor. */
const WAIT_SECONDS = 5;
/** ARC's maximum for X-MaxTimeout. */
const MAX_WAIT_SECONDS = 30;

/** Reads the callback named in a request's headers, or null if there is none. @throws LedgerRejection 400 */
function wantedCallback(request: Request): { url: string; token: string | undefined } | null {
  const header = request.get('X-CallbackUrl');
  if (header === undefined || header === '') return null;
  const url = callbackUrl(header);
  if (url === null) throw new LedgerRejection(400, 'X-CallbackUrl is not an http or https URL');
  return { url, token: request.get('X-CallbackToken') };
}

/** If the request has X-WaitFor: MINED, waits until the transaction is mined or the request's timeout expires. */
async function waitFor(request: Request, node: LedgerNode, txid: string): Promise<void> {
  if (request.get('X-WaitFor') !== 'MINED' || node.ledger.transaction(txid)?.height !== null) return;
  const asked = Number(request.get('X-MaxTimeout') ?? WAIT_SECONDS);
  const seconds = asked > 0 ? Math.min(asked, MAX_WAIT_SECONDS) : WAIT_SECONDS;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      done();
    }, seconds * 1000);
    const stop = node.onTransaction((transaction) => {
      if (transaction.txid === txid) done();
    });
    const done = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    timer.unref();
    request.res?.once('close', done);
  });
}

/** Creates the routes under `/arc`. @param onError receives internal errors */
export function arcApi(
  node: LedgerNode,
  callbacks: Callbacks,
  onError: (error: unknown) => void,
): RouteFamily & { instance: Instance } {
  const bodies = express.Router();
  const { ledger } = node;
  const instance = new Instance(node);
  const { faults } = instance;
  bodies.use(faultGate(faults, (response, status, title) => void response.status(status).json({ status, title })));
  bodies.use(readBody);

  const submit = async (
    request: Request,
    bytes: Uint8Array,
  ): Promise<ArcTransaction & { status: number; title: string }> => {
    const callback = wantedCallback(request);
    const reported = await instance.submit(bytes);
    const { txid } = reported;
    if (callback) {
      callbacks.add(txid, callback);
      callbacks.tell(arcReport(ledger, reported));
    }
    await waitFor(request, node, txid);
    return { ...arcReport(ledger, instance.status(txid) ?? reported), status: 200, title: 'OK' };
  };
  const submitOne = async (request: Request, response: Response): Promise<void> => {
    const submitted = await submit(request, submittedBytes(request.body));
    const { txid, txStatus } = submitted;
    if (faults.has('other-dialect')) response.status(202).json({ txid, status: 202, txStatus });
    else response.json(submitted);
  };

  const shared = { tag: 'Devnet', by: 'anybody' } as const;
  const { routes, router } = serve(
    [
      {
        ...shared,
        id: 'submitTransaction',
        method: 'post',
        path: `${ARC}/v1/tx`,
        summary:
          'ARC: submits a transaction. X-CallbackUrl, X-CallbackToken, X-WaitFor and X-MaxTimeout work as in ARC',
        body: schemas.rawTx,
        otherBodies: { 'text/plain': z.string(), 'application/octet-stream': z.string() },
        answers: { 200: schemas.submitted, ...SUBMITTED },
        example: { body: { rawTx: '0100000001' }, answer: { ...STATUS_EXAMPLE, status: 200, title: 'OK' } },
        handlers: [submitOne],
      },
      {
        ...shared,
        id: 'submitTransactions',
        method: 'post',
        path: `${ARC}/v1/txs`,
        summary: 'ARC: submits several transactions, parents first. Each gets its own result',
        body: schemas.rawTxs,
        answers: { 200: schemas.submittedList, ...SUBMITTED },
        example: { body: [{ rawTx: '0100000001' }], answer: [{ ...STATUS_EXAMPLE, status: 200, title: 'OK' }] },
        handlers: [
          async (request, response) => {
            if (!Array.isArray(request.body)) throw new LedgerRejection(400, 'the body is not a list');
            const answers: unknown[] = [];
            // Submitted sequentially, because the list can contain a child after its parent.
            for (const item of request.body as unknown[]) {
              answers.push(
                await Promise.resolve()
                  .then(() => submit(request, submittedBytes(item)))
                  .catch((error: unknown) => {
                    if (!(error instanceof LedgerRejection)) onError(error);
                    return arcError(error);
                  }),
              );
            }
            response.json(answers);
          },
        ],
      },
      {
        ...shared,
        id: 'readTransactionStatus',
        method: 'get',
        path: `${ARC}/v1/tx/{txid}`,
        summary: 'ARC: returns the status of a transaction, with its merkle path (BRC-74) once mined',
        answers: { 200: arcTransaction, 400: schemas.refused, 404: schemas.refused, ...KEYED },
        example: { answer: STATUS_EXAMPLE },
        handlers: [
          (request, response) => {
            const txid = String(request.params.txid);
            const reported = instance.status(txid.toLowerCase());
            if (!reported) throw new LedgerRejection(404, 'transaction not found', { txid: txid.slice(0, 64) });
            response.json(arcReport(ledger, reported));
          },
        ],
      },
      {
        ...shared,
        id: 'readPolicy',
        method: 'get',
        path: `${ARC}/v1/policy`,
        summary: 'ARC: returns limits and the mining fee',
        answers: { 200: schemas.policy, ...KEYED },
        example: { answer: { timestamp: TIME, policy: POLICY } },
        handlers: [(_request, response) => void response.json({ timestamp: new Date().toISOString(), policy: POLICY })],
      },
      {
        ...shared,
        id: 'readHealth',
        method: 'get',
        path: `${ARC}/v1/health`,
        summary: 'ARC: returns its health',
        answers: { 200: schemas.health, ...KEYED },
        example: { answer: { healthy: true, reason: '' } },
        handlers: [(_request, response) => void response.json({ healthy: true, reason: '' })],
      },
    ],
    ARC,
  );
  bodies.use(router);

  bodies.use((request) => {
    throw new LedgerRejection(404, `there is no ${request.method} ${request.path.slice(0, 100)}`);
  });

  bodies.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = unreadableBody(error) ?? error;
    const body = arcError(refusal);
    if (body.status === 500) onError(error);
    if (faults.has('other-dialect')) {
      const other = arcadeRejection(refusal);
      return response.status(other.status).json(other.body);
    }
    return response.status(body.status).json(body);
  }) satisfies ErrorRequestHandler);
  return { routes, router: bodies, instance };
}
