import type { RequestHandler } from 'express';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { bytesBody, jsonBody, textBody } from '../../http/body.ts';
import { hexBytes } from './broadcast.ts';
import { MAX_SCRIPT_SIZE, MAX_SIGOPS, MAX_TRANSACTION_SIZE, MINING_FEE } from './policy.ts';
import { LedgerRejection } from './rejection.ts';

/** The limits and fee rate that both operators enforce. */
export const POLICY = {
  maxscriptsizepolicy: MAX_SCRIPT_SIZE,
  maxtxsizepolicy: MAX_TRANSACTION_SIZE,
  maxtxsigopscountspolicy: MAX_SIGOPS,
  miningFee: MINING_FEE,
};

const LIMIT = '25mb';

/** Parses a body of any of the three content types, unless an outer router already parsed it. */
export const readBody: RequestHandler = async (request, response, next) => {
  for (const read of [jsonBody(LIMIT), textBody('text/plain', LIMIT), bytesBody('application/octet-stream', LIMIT)])
    if (request.body === undefined) await read(request, response, () => undefined);
  next();
};

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Decodes a transaction from a body of any of the three content types. @throws LedgerRejection 400 */
export function submittedBytes(body: unknown): Uint8Array {
  if (Buffer.isBuffer(body)) return new Uint8Array(body);
  return hexBytes(typeof body === 'string' ? body.trim() : isRecord(body) ? body['rawTx'] : undefined);
}

/** Returns ARC's rejection for an unreadable path or body, or null for any other error. */
export function unreadableBody(error: unknown): LedgerRejection | null {
  if (error instanceof LedgerRejection) return error;
  // Thrown by Express for a path whose percent-encoding isn't UTF-8.
  if (error instanceof URIError) return new LedgerRejection(400, 'the path cannot be read');
  if (!(error instanceof ServiceError)) return null;
  if (error.code === 'too-large') return new LedgerRejection(474, 'the body is too large');
  const isUnreadable = ['invalid-request', 'request-timeout', 'invalid-transaction'].includes(error.code);
  return isUnreadable ? new LedgerRejection(400, 'the body cannot be read') : null;
}
