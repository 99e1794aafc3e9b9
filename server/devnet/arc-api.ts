/** ARC's HTTP interface (bitcoin-sv/arc, pkg/api/arc.yaml) on the ledger. */
import express, { type ErrorRequestHandler, type Request, type Router } from 'express';
import type { ArcTransaction } from '../../protocol/arc.ts';
import { arcError, arcStatus } from './arc-status.ts';
import { callbackUrl, type Callbacks } from './callbacks.ts';
import { hexBytes, handIn } from './hand-in.ts';
import type { LedgerNode } from './node.ts';
import { MAX_SCRIPT_SIZE, MAX_SIGOPS, MAX_TRANSACTION_SIZE, MINING_FEE } from './policy.ts';
import { LedgerRejection } from './rejection.ts';

const LIMIT = '25mb';
/** ARC's own: seconds that X-WaitFor waits unless X-MaxTimeout says otherwise, and the most. */
const WAIT_SECONDS = 5;
const MOST_SECONDS = 30;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The transaction's bytes from any of ARC's three content types. */
function bodyBytes(body: unknown): Uint8Array {
  if (Buffer.isBuffer(body)) return new Uint8Array(body);
  return hexBytes(typeof body === 'string' ? body.trim() : isRecord(body) ? body['rawTx'] : undefined);
}

/** Notes the callback of a request's headers, before the transaction is taken: no status may be missed. */
function wantedCallback(request: Request): { url: string; token: string | undefined } | null {
  const header = request.get('X-CallbackUrl');
  if (header === undefined || header === '') return null;
  const url = callbackUrl(header);
  if (url === null) throw new LedgerRejection(400, 'X-CallbackUrl is not an http or https URL');
  return { url, token: request.get('X-CallbackToken') };
}

/** Waits until a transaction is mined, where the request asks for that, but never longer than it says. */
async function waitFor(request: Request, node: LedgerNode, txid: string): Promise<void> {
  if (request.get('X-WaitFor') !== 'MINED' || node.ledger.transaction(txid)?.height !== null) return;
  const asked = Number(request.get('X-MaxTimeout') ?? WAIT_SECONDS);
  const seconds = asked > 0 ? Math.min(asked, MOST_SECONDS) : WAIT_SECONDS;
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

/**
 * The routes below `/arc`.
 * @param onError told of what is this side's fault
 */
export function arcApi(node: LedgerNode, callbacks: Callbacks, onError: (error: unknown) => void): Router {
  const router = express.Router();
  const { ledger } = node;
  router.use(express.json({ limit: LIMIT }), express.text({ limit: LIMIT }), express.raw({ limit: LIMIT }));

  const submit = async (
    request: Request,
    bytes: Uint8Array,
  ): Promise<ArcTransaction & { status: number; title: string }> => {
    const callback = wantedCallback(request);
    const transaction = await handIn(node, bytes);
    const status = arcStatus(ledger, transaction);
    if (callback) {
      callbacks.add(transaction.txid, callback);
      callbacks.tell(status);
    }
    await waitFor(request, node, transaction.txid);
    return { ...arcStatus(ledger, transaction), status: 200, title: 'OK' };
  };

  router.post('/v1/tx', async (request, response) => {
    response.json(await submit(request, bodyBytes(request.body)));
  });

  router.post('/v1/txs', async (request, response) => {
    if (!Array.isArray(request.body)) throw new LedgerRejection(400, 'the body is not a list');
    const answers: unknown[] = [];
    // One after the other: a child may follow its parent in the list.
    for (const item of request.body as unknown[]) {
      answers.push(
        await Promise.resolve()
          .then(() => submit(request, bodyBytes(item)))
          .catch((error: unknown) => {
            if (!(error instanceof LedgerRejection)) onError(error);
            return arcError(error);
          }),
      );
    }
    response.json(answers);
  });

  router.get('/v1/tx/:txid', (request, response) => {
    const transaction = ledger.transaction(request.params.txid.toLowerCase());
    if (!transaction)
      throw new LedgerRejection(404, 'transaction not found', { txid: request.params.txid.slice(0, 64) });
    response.json(arcStatus(ledger, transaction));
  });

  router.get('/v1/policy', (_request, response) => {
    response.json({
      timestamp: new Date().toISOString(),
      policy: {
        maxscriptsizepolicy: MAX_SCRIPT_SIZE,
        maxtxsizepolicy: MAX_TRANSACTION_SIZE,
        maxtxsigopscountspolicy: MAX_SIGOPS,
        miningFee: MINING_FEE,
      },
    });
  });

  router.get('/v1/health', (_request, response) => {
    response.json({ healthy: true, reason: '' });
  });

  router.use((request) => {
    throw new LedgerRejection(404, `there is no ${request.method} ${request.path.slice(0, 100)}`);
  });

  router.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = bodyError(error) ?? error;
    if (!(refusal instanceof LedgerRejection)) onError(error);
    const body = arcError(refusal);
    return response.status(body.status).json(body);
  }) satisfies ErrorRequestHandler);
  return router;
}

/** A body that could not be read is the client's doing: body-parser marks those with a 4xx status. */
function bodyError(error: unknown): LedgerRejection | null {
  if (error instanceof LedgerRejection || !isRecord(error)) return null;
  const status = error['status'];
  if (status === 413) return new LedgerRejection(474, 'the body is too large');
  return typeof status === 'number' && status >= 400 && status < 500
    ? new LedgerRejection(400, 'the body cannot be read')
    : null;
}
