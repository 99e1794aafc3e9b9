/**
 * Idempotent writes (draft-ietf-httpapi-idempotency-key-header-07). A repeated `Idempotency-Key` gets the first
 * response again for a day, or until the caller's newer responses exceed {@link MAX_BYTES_PER_CALLER}.
 * The key is inserted in the write's transaction. A concurrent request with the same key waits on the primary key.
 * After a crash, neither an unanswered write nor a stuck key remains.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { and, eq, lte, ne, sql } from 'drizzle-orm';
import type { Request, Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import { idempotencyKeys } from '../database/schema.ts';

const KEEP_MS = 24 * 3600_000;
/** Maximum length of a stored response, in characters. */
const MAX_RESPONSE_CHARS = 200_000;
/** Maximum total of a caller's stored responses in bytes, enough for hundreds. Older responses are deleted. */
const MAX_BYTES_PER_CALLER = 1_000_000;
/** Size of a row without its response, in bytes. */
const ROW = 300;
/** Maximum difference between the clocks of correctly configured instances (ms). */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
/** How long a repeated request waits for the first request. */
const WAIT = '5s';
const LOCK_TIMEOUT = '55P03';

/** A write's response. `body` is sent as JSON; undefined for no body. */
export interface StoredResponse {
  status: number;
  body?: unknown;
}

/** A write, which must make all its changes through the transaction handle that it receives. */
export interface Write {
  db: Database;
  now: () => Date;
  request: Request;
  response: Response;
  /** The caller: `user:<id>`, plus the calling application, if any. Each caller has separate keys. */
  subject: string;
  /** Must be idempotent by itself if its response can exceed {@link MAX_RESPONSE_CHARS}. */
  write: (tx: Database) => Promise<StoredResponse>;
  /** Sends a response with a body. Default: plain JSON. */
  sendBody?: (response: Response, body: object) => void;
}

/**
 * Executes a write and responds. With an Idempotency-Key, executes it only once. A write that throws isn't recorded.
 * @throws ServiceError `invalid-request` (malformed key), `idempotency-conflict` (key used for a different request),
 * `request-under-way` (the first request is in progress), and the write's errors
 */
export async function respondOnce({
  db,
  now,
  request,
  response,
  subject,
  write,
  sendBody = (to, body) => to.json(body),
}: Write): Promise<void> {
  const send = ({ status, body }: StoredResponse) => {
    response.status(status);
    if (body === undefined || body === null) response.end();
    else sendBody(response, body);
  };
  const key = readKey(request);
  const known = key === null ? null : await find(db, subject, key, request, response);
  if (known) {
    send(known);
    return;
  }
  try {
    send(
      await db.transaction(async (tx) => {
        if (key === null) return write(tx);
        await tx.execute(sql.raw(`set local lock_timeout = '${WAIT}'`));
        const current = { subject, key: hashOf(key), createdAt: now() };
        const inserted = await tx
          .insert(idempotencyKeys)
          .values({ ...current, requestHash: hashOfRequest(request, response) })
          .onConflictDoNothing()
          .returning({ key: idempotencyKeys.key });
        if (inserted.length === 0) {
          const first = await find(tx, subject, key, request, response);
          if (!first) throw new ServiceError('request-under-way');
          return first;
        }
        const answer = await write(tx);
        const ofKey = and(eq(idempotencyKeys.subject, subject), eq(idempotencyKeys.key, current.key));
        const text = JSON.stringify(answer.body ?? null);
        if (text.length > MAX_RESPONSE_CHARS) await tx.delete(idempotencyKeys).where(ofKey);
        else
          await tx
            .update(idempotencyKeys)
            .set({ status: answer.status, body: seal(key, text) })
            .where(ofKey);
        await forgetBeyond(tx, current, MAX_BYTES_PER_CALLER);
        return answer;
      }),
    );
  } catch (error) {
    if (key !== null && codeOf(error) === LOCK_TIMEOUT) throw new ServiceError('request-under-way', { cause: error });
    throw error;
  }
}

/** Returns the key, a structured-field string (RFC 8941, 3.3.3) or its unquoted value; null if it is missing. */
function readKey(request: Request): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key =
    typeof header === 'string' ? /^(?:"([!#-[\]-~]{16,200})"|([!#-+\--[\]-~]{16,200}))$/.exec(header.trim()) : null;
  if (!key)
    throw new ServiceError('invalid-request', {
      message: 'Idempotency-Key must be one string of 16 to 200 characters, such as a UUID.',
    });
  return (key[1] ?? key[2]) as string;
}

async function find(
  db: Database,
  subject: string,
  key: string,
  request: Request,
  response: Response,
): Promise<StoredResponse | null> {
  const [row] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.subject, subject), eq(idempotencyKeys.key, hashOf(key))));
  if (!row) return null;
  if (row.requestHash !== hashOfRequest(request, response)) throw new ServiceError('idempotency-conflict');
  if (row.status === null || row.body === null) return null;
  return { status: row.status, body: JSON.parse(open(key, row.body)) as unknown };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Hashes the body as received, because serializing deeply nested JSON would overflow the stack. */
function hashOfRequest({ method, originalUrl }: Request, { locals }: Response): string {
  return hashOf(`${method} ${originalUrl}\n${String(locals.bodyHash ?? '')}`);
}

/** Encrypts a response, which might contain a one-time secret, with the idempotency key, which isn't stored. */
function seal(key: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(key), iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

function open(key: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(key), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
}

const sealingKey = (key: string) => Buffer.from(hkdfSync('sha256', key, '', 'idempotent answer', 32));

function codeOf(error: unknown): unknown {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && at.code === LOCK_TIMEOUT) return at.code;
  }
  return null;
}

/**
 * Deletes a caller's oldest responses, except those that another request is already deleting. Never deletes the current
 * one. Responses stored while an instance's clock was ahead count as the oldest, so they don't displace current ones.
 */
async function forgetBeyond(
  tx: Database,
  { subject, key: current, createdAt: now }: Pick<typeof idempotencyKeys.$inferSelect, 'subject' | 'key' | 'createdAt'>,
  bytes: number,
): Promise<void> {
  const { key, body, createdAt } = idempotencyKeys;
  const own = eq(idempotencyKeys.subject, subject);
  const isAhead = sql`${createdAt} > ${new Date(now.getTime() + MAX_CLOCK_DIFFERENCE_MS).toISOString()}::timestamptz`;
  const older = sql`(select key from (
    select ${key} as key, sum(coalesce(octet_length(${body}), 0) + ${ROW}) over (order by ${isAhead}, ${createdAt} desc, ${key}) as kept from ${idempotencyKeys} where ${own}
  ) newest_first where kept > ${bytes})`;
  await tx
    .delete(idempotencyKeys)
    .where(
      and(
        own,
        ne(key, current),
        sql`${key} in (select ${key} from ${idempotencyKeys} where ${own} and ${key} in ${older} for update skip locked)`,
      ),
    );
}

export async function deleteOldKeys(db: Database, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, new Date(now.getTime() - KEEP_MS)));
}
