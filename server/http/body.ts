/** Request bodies: size limits, parsing of JSON and text, and validation against the endpoint's schema. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import type * as z from 'zod/mini';
import { JSON_API } from '../../protocol/compat/api-v1.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { intakeOf } from './body-budget.ts';
import { assertModest } from './json-limits.ts';
import { namesOf } from './problems.ts';
import { addressOf } from './rate-limit.ts';

const BYTES = { '20kb': 20_480, '100kb': 102_400, '1mb': 1_048_576, '5mb': 5_242_880, '25mb': 26_214_400 } as const;
type Limit = keyof typeof BYTES;

/** Returns the caller whose budget is charged for a request's bytes. Default: the request's IP address. */
type CallerOf = (response: Response) => string;

const INFLATERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Media types parsed as JSON, including API v1's. */
const JSON_TYPES = ['application/json', JSON_API];

/** True if a request has a body of one of these content types. The exact comparison handles most requests cheaply. */
function hasBody(request: Request, types: string[]): boolean {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  return (length !== undefined && types.includes(type)) || Boolean(request.is(types));
}

/**
 * Reads a JSON body of at most `limit` bytes. An empty body becomes `{}`; other content types are ignored. Large bodies
 * must not be compressed, because a few kilobytes could expand enough to block the process.
 */
export function jsonBody(limit: Limit, callerOf?: CallerOf): RequestHandler {
  return async (request, response, next) => {
    if (hasBody(request, JSON_TYPES)) request.body = parse(await receiveText(request, response, limit, callerOf));
    next();
  };
}

/** Reads a body of this content type as text, and ignores other content types. */
export function textBody(type: string, limit: Limit): RequestHandler {
  return async (request, response, next) => {
    if (hasBody(request, [type])) request.body = await receiveText(request, response, limit);
    next();
  };
}

export function bytesBody(type: string, limit: Limit): RequestHandler {
  return async (request, response, next) => {
    if (hasBody(request, [type])) {
      if (request.headers['content-encoding'] !== undefined)
        throw new ServiceError('invalid-request', { detail: 'the content encoding is not supported' });
      const caller = addressOf(request);
      request.body = await intakeOf(request).receive({ request, response, limit: BYTES[limit], caller });
    }
    next();
  };
}

/** Receives a body as text, and stores the SHA-256 (hex) of its bytes in `locals.bodyHash`. */
async function receiveText(request: Request, response: Response, limit: Limit, callerOf?: CallerOf): Promise<string> {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  const expand =
    encoding === 'identity'
      ? null
      : BYTES[limit] > BYTES['100kb'] || !Object.hasOwn(INFLATERS, encoding)
        ? undefined
        : INFLATERS[encoding as keyof typeof INFLATERS];
  if (!/^utf-?8$/i.test(charset) || expand === undefined)
    throw new ServiceError('invalid-request', { detail: 'a charset or the content encoding is not supported' });
  const received = await intakeOf(request).receive({
    request,
    response,
    limit: BYTES[limit],
    caller: callerOf?.(response) ?? addressOf(request),
  });
  const bytes = expand ? await expand(received, { maxOutputLength: BYTES[limit] }).catch(refuseInflated) : received;
  if (request.headers['idempotency-key'] !== undefined)
    response.locals.bodyHash = createHash('sha256').update(bytes).digest('hex');
  return new TextDecoder().decode(bytes);
}

function refuseInflated(cause: unknown): never {
  const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
  throw new ServiceError(isTooLarge ? 'too-large' : 'invalid-request', { cause });
}

/** Parses JSON. @throws ServiceError `invalid-request` */
function parse(text: string): unknown {
  if (text === '') return {};
  assertModest(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ServiceError('invalid-request', { cause });
  }
}

/** NUL, which PostgreSQL text can't contain, and unpaired surrogates, which have no UTF-8 encoding. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** True if the database can store and compare every string in a value. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}

/**
 * Validates a body against its schema. Rejects unknown properties, including `__proto__`.
 * @throws ServiceError `invalid-request`; `invalid-handle`
 */
export function readBody<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const read = schema.safeParse(body);
  if (!read.success) {
    const names = namesOf(read.error);
    if (read.error.issues.some(({ path }) => path.join('.') === 'register.handle'))
      throw new ServiceError('invalid-handle');
    const message = `These members are missing, unknown or invalid: ${names.join(', ')}.`;
    throw new ServiceError(
      'invalid-request',
      names.length > 0 ? { message, detail: `fields: ${names.join(', ')}` } : {},
    );
  }
  if (!isStorable(read.data)) throw new ServiceError('invalid-request', { detail: 'text that PostgreSQL can’t store' });
  return read.data;
}
