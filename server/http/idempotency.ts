/**
 * Writes that may be sent twice (draft-ietf-httpapi-idempotency-key-header-07): who sends `Idempotency-Key` gets the
 * first answer again: for a day, and until so many newer ones of the same caller take its place ({@link MOST_OF_ONE}).
 *
 * The key is inserted in the same database transaction as the write. Of two at once the later waits at the table's
 * primary key, and a killed process leaves neither a write without its answer nor a key that blocks.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Request, Response } from 'express';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../database/connect.ts';
import { idempotencyKeys } from '../database/schema.ts';

/** How long answers are stored, in milliseconds. */
const KEEP_MS = 24 * 3600_000;
/** Longer answers are not stored, in characters. */
const MOST_KEPT = 200_000;
/** The newest answers of one caller are stored up to this many bytes, which is hundreds of answers. */
const MOST_OF_ONE = 1_000_000;
/** Size of a row without its answer, in bytes. */
const ROW = 300;
/** How long a second one waits for the first. */
const WAIT = '5s';
/** PostgreSQL's lock_not_available. */
const LOCK_TIMEOUT = '55P03';

/** An answer to a write; `body` is JSON, undefined for none. */
export interface Answer {
  status: number;
  body?: unknown;
}

/** A write. Everything that it changes goes through the transaction's handle that it gets. */
export interface Write {
  db: Database;
  now: () => Date;
  request: Request;
  response: Response;
  /**
   * Who asks, as `user:<id>`, and behind it the application that asks for them, if one does: keys of different callers
   * have nothing to do with each other.
   */
  subject: string;
  /** What it changes it must by itself change once where its answer can be larger than {@link MOST_KEPT}. */
  write: (tx: Database) => Promise<Answer>;
  /** Sends an answer that has a body. Plain JSON where it is left out. */
  sendBody?: (response: Response, body: object) => void;
}

/**
 * Executes a write and answers it, once for each key. Without the header it is simply executed. A write that throws is
 * not recorded: it changed nothing and may be retried.
 * @throws ServiceError `invalid-request` (malformed key), `idempotency-conflict` (the key was used for another
 * request), `request-under-way` (the first one is still running), and what the write throws
 */
export async function answerOnce({
  db,
  now,
  request,
  response,
  subject,
  write,
  sendBody = (to, body) => to.json(body),
}: Write): Promise<void> {
  const send = ({ status, body }: Answer) => {
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
        const inserted = await tx
          .insert(idempotencyKeys)
          .values({ subject, key: hashOf(key), requestHash: hashOfRequest(request, response), createdAt: now() })
          .onConflictDoNothing()
          .returning({ key: idempotencyKeys.key });
        if (inserted.length === 0) {
          const first = await find(tx, subject, key, request, response);
          if (!first) throw new ServiceError('request-under-way');
          return first;
        }
        const answer = await write(tx);
        const ofKey = and(eq(idempotencyKeys.subject, subject), eq(idempotencyKeys.key, hashOf(key)));
        const text = JSON.stringify(answer.body ?? null);
        if (text.length > MOST_KEPT) await tx.delete(idempotencyKeys).where(ofKey);
        else
          await tx
            .update(idempotencyKeys)
            .set({ status: answer.status, body: seal(key, text) })
            .where(ofKey);
        await forgetBeyond(tx, subject, MOST_OF_ONE);
        return answer;
      }),
    );
  } catch (error) {
    if (key !== null && codeOf(error) === LOCK_TIMEOUT) throw new ServiceError('request-under-way', { cause: error });
    throw error;
  }
}

/**
 * The key: a string of structured fields (RFC 8941, section 3.3.3), or the same without its quotes. Null where there is
 * none.
 */
function readKey(request: Request): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key =
    typeof header === 'string' ? /^(?:"([!#-[\]-~]{16,200})"|([!#-+\--[\]-~]{16,200}))$/.exec(header.trim()) : null;
  if (!key)
    throw new ServiceError('invalid-request', {
      message: 'Idempotency-Key is one string of 16 to 200 characters; a UUID does well.',
    });
  return (key[1] ?? key[2]) as string;
}

async function find(
  db: Database,
  subject: string,
  key: string,
  request: Request,
  response: Response,
): Promise<Answer | null> {
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

/** Of the body as it came (http/body.ts): writing out again what was read would end at a deep one. */
function hashOfRequest({ method, originalUrl }: Request, { locals }: Response): string {
  return hashOf(`${method} ${originalUrl}\n${String(locals.bodyHash ?? '')}`);
}

/**
 * An answer may hold a secret that is shown this once. It is kept so that only who sends the key again can read it: the
 * key itself is in no table.
 */
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

/** Forgets the oldest answers of a caller. What another request deletes at the same moment is left to it. */
async function forgetBeyond(tx: Database, subject: string, bytes: number): Promise<void> {
  const { key, body, createdAt } = idempotencyKeys;
  const own = eq(idempotencyKeys.subject, subject);
  const older = sql`(select key from (
    select ${key} as key, sum(coalesce(octet_length(${body}), 0) + ${ROW}) over (order by ${createdAt} desc, ${key}) as kept from ${idempotencyKeys} where ${own}
  ) newest_first where kept > ${bytes})`;
  await tx
    .delete(idempotencyKeys)
    .where(
      and(
        own,
        sql`${key} in (select ${key} from ${idempotencyKeys} where ${own} and ${key} in ${older} for update skip locked)`,
      ),
    );
}

/** Forgets answers that nobody needs to get again. */
export async function deleteOldKeys(db: Database, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, new Date(now.getTime() - KEEP_MS)));
}
