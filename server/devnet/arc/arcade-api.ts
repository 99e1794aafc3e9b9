/** Arcade's HTTP API (bsv-blockchain/arcade, openapi/arcade.openapi.yaml) on top of the ledger. */
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import * as z from 'zod/mini';
import { arcadeTransaction } from '../../../protocol/network/arc.ts';
import { readTransaction, serializeTransaction } from '../../../protocol/bitcoin/transaction.ts';
import { ByteReader } from '../../../protocol/bitcoin/wire-format.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { arcError, arcStatus } from './arc-status.ts';
import { arcadeRejection, arcadeStatus } from './arcade-status.ts';
import { callbackUrl, Callbacks } from './callbacks.ts';
import { EventStreams } from './event-streams.ts';
import { faultGate } from './faults.ts';
import { Instance } from '../instance.ts';
import type { LedgerNode } from '../ledger/node.ts';
import { LedgerRejection } from './rejection.ts';
import * as schemas from '../ledger/schemas.ts';
import { POLICY, readBody, submittedBytes, unreadableBody } from './submissions.ts';

const ARCADE = '/devnet/arcade';
const TXID = '7c'.repeat(32);
const TIME = '2026-03-01T12:00:00.000Z';
const SUBMITTED = { txid: TXID, status: 202, txStatus: 'RECEIVED' } as const;
const MAX_BATCH = 1_000;

const BEEF = /^(?:0[12]00beef|01010101)/;

/** Throws for BEEF, because Arcade accepts only raw transactions and Extended Format. @throws LedgerRejection 400 */
function assertNoBeef(bytes: Uint8Array): Uint8Array {
  if (BEEF.test(Buffer.from(bytes.subarray(0, 4)).toString('hex')))
    throw new LedgerRejection(400, 'failed to parse transaction');
  return bytes;
}

/** Creates the routes under `/arcade`. @param onError receives internal errors */
export function arcadeApi(
  node: LedgerNode,
  onError: (error: unknown) => void,
): RouteFamily & { instance: Instance; onFaults(): void; close(): Promise<void> } {
  const instance = new Instance(node);
  const { faults } = instance;
  const { ledger } = node;
  const callbacks = new Callbacks();
  const streams = new EventStreams(faults);
  const mined = new Set<string>();

  const statusOf = (txid: string) => {
    const reported = instance.status(txid);
    return reported && arcadeStatus(ledger, instance, reported);
  };
  const tell = (txid: string): void => {
    const status = streams.wants(txid) || callbacks.wants(txid) ? statusOf(txid) : null;
    if (!status) return;
    streams.tell(status);
    callbacks.tell(status);
  };
  const stopListening = node.onTransaction(({ txid, height }) => {
    if (height !== null && streams.wants(txid)) mined.add(txid);
    tell(txid);
  });

  const follow = (request: Request, txid: string): void => {
    const header = request.get('X-CallbackUrl');
    const token = request.get('X-CallbackToken');
    if (header !== undefined && header !== '') {
      const url = callbackUrl(header);
      if (url === null) throw new LedgerRejection(400, 'X-CallbackUrl is not an http or https URL');
      callbacks.add(txid, { url, token });
    }
    if (token !== undefined && token !== '') streams.track(txid, token);
  };

  const submit = async (request: Request, response: Response): Promise<void> => {
    const bytes = assertNoBeef(submittedBytes(request.body));
    const isTold = new Set<string>();
    const stop = node.onTransaction(({ txid }) => isTold.add(txid));
    const reported = await instance.submit(bytes).finally(stop);
    follow(request, reported.txid);
    // Repeats a new transaction's event, because the first one was sent before `follow` registered the callback.
    tell(reported.txid);
    if (faults.has('other-dialect')) {
      const status = reported.transaction ? arcStatus(ledger, reported.transaction) : { ...SUBMITTED, ...reported };
      response.json({ ...status, status: 200, title: 'OK' });
      return;
    }
    // Like Arcade, responds RECEIVED to a new transaction. The verdict follows as an event.
    const isNew = isTold.has(reported.txid) || reported.txStatus === 'REJECTED';
    const txStatus = isNew ? 'RECEIVED' : arcadeStatus(ledger, instance, reported).txStatus;
    response.status(202).json({ txid: reported.txid, status: 202, txStatus });
  };

  const submitAll = async (request: Request, response: Response): Promise<void> => {
    if (!Buffer.isBuffer(request.body)) throw new LedgerRejection(400, 'Content-Type must be application/octet-stream');
    const reader = new ByteReader(new Uint8Array(request.body));
    const batch: Uint8Array[] = [];
    while (reader.left > 0 && batch.length < MAX_BATCH) batch.push(serializeTransaction(readTransaction(reader)));
    let submitted = 0;
    for (const bytes of batch) {
      const before = node.ledger.mempool.size;
      const { txid } = await instance.submit(bytes);
      follow(request, txid);
      if (node.ledger.mempool.size > before) submitted += 1;
    }
    response.status(202).json({ submitted, duplicates: batch.length - submitted, total: batch.length });
  };

  const shared = { tag: 'Devnet', by: 'anybody' } as const;
  // Every route's response if the `key-required` fault is active and the key is missing.
  const keyed = { 401: schemas.arcadeRefused } as const;
  const failures = { 400: schemas.arcadeRefused, ...keyed, 503: schemas.arcadeRefused } as const;
  const policy = { timestamp: TIME, policy: POLICY };
  const readPolicy = (_request: Request, response: Response) =>
    void response.json({ timestamp: new Date().toISOString(), policy: POLICY });
  const { routes, router } = serve(
    [
      {
        ...shared,
        id: 'submitToArcade',
        method: 'post',
        path: `${ARCADE}/tx`,
        summary:
          'Arcade: submits a transaction, raw or in Extended Format. X-CallbackUrl and X-CallbackToken work as in Arcade',
        body: schemas.rawTx,
        otherBodies: { 'text/plain': z.string(), 'application/octet-stream': z.string() },
        answers: { 202: schemas.arcadeSubmitted, ...failures },
        example: { body: { rawTx: '0100000001' }, answer: SUBMITTED },
        handlers: [submit],
      },
      {
        ...shared,
        id: 'readArcadeTransaction',
        method: 'get',
        path: `${ARCADE}/tx/{txid}`,
        summary: 'Arcade: returns the status of a transaction, with its merkle path (BRC-74) once mined',
        answers: { 200: arcadeTransaction, 400: schemas.arcadeRefused, 404: schemas.arcadeRefused, ...keyed },
        example: { answer: { txid: TXID, txStatus: 'SEEN_ON_NETWORK', timestamp: TIME } },
        handlers: [
          (request, response) => {
            const status = statusOf(String(request.params.txid).toLowerCase());
            if (!status) throw new LedgerRejection(404, 'transaction not found');
            response.json(status);
          },
        ],
      },
      {
        ...shared,
        id: 'readArcadePolicy',
        method: 'get',
        path: `${ARCADE}/policy`,
        summary: 'Arcade: returns limits and the mining fee',
        answers: { 200: schemas.policy, ...keyed },
        example: { answer: policy },
        handlers: [readPolicy],
      },
      {
        ...shared,
        id: 'readArcadePolicyAsArc',
        method: 'get',
        path: `${ARCADE}/v1/policy`,
        summary: 'Arcade: returns the same at ARC’s path',
        answers: { 200: schemas.policy, ...keyed },
        example: { answer: policy },
        handlers: [readPolicy],
      },
      {
        ...shared,
        id: 'readArcadeHealth',
        method: 'get',
        path: `${ARCADE}/health`,
        summary: 'Arcade: returns its health',
        answers: { 200: schemas.arcadeHealth, ...keyed },
        example: { answer: { healthy: true, version: 'devnet', status: 'ok' } },
        handlers: [(_request, response) => void response.json({ healthy: true, version: 'devnet', status: 'ok' })],
      },
    ],
    ARCADE,
  );
  const bodies = express.Router();
  bodies.use(faultGate(faults, (response, status, error) => void response.status(status).json({ error })));
  bodies.use(readBody);
  bodies.use(router);
  // Not declared as routes, because the reference can't show binary bodies or endless streams.
  bodies.use('/txs', (request, response, next) => (request.method === 'POST' ? submitAll(request, response) : next()));
  bodies.use('/events', (request, response, next) =>
    request.method === 'GET' ? streams.open(request, response, statusOf) : next(),
  );
  bodies.use((request) => {
    throw new LedgerRejection(404, `there is no ${request.method} ${request.path.slice(0, 100)}`);
  });
  bodies.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = unreadableBody(error) ?? error;
    const { status, body } = arcadeRejection(refusal);
    if (status >= 500 && status !== 503) onError(error);
    if (faults.has('other-dialect')) {
      const other = arcError(refusal);
      return response.status(other.status).json(other);
    }
    return response.status(status).json(body);
  }) satisfies ErrorRequestHandler);

  return {
    routes,
    router: bodies,
    instance,
    onFaults() {
      if (faults.has('reorg-unmined') || faults.has('reorg-reanchor')) for (const txid of mined) tell(txid);
    },
    async close() {
      stopListening();
      streams.close();
      await callbacks.close();
    },
  };
}
