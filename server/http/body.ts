/** Request bodies: JSON of a limited size, checked against the schema of their endpoint. */
import express, { type RequestHandler } from 'express';
import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors.ts';

/**
 * Reads a JSON body of at most `limit` bytes. Any other content type leaves no body, which no schema accepts. A large one must come as it
 * is: compressed, a few kilobytes a request would keep a process busy and fill its disk.
 */
export function jsonBody(limit: '100kb' | '5mb' | '25mb'): RequestHandler {
  return express.json({ limit, strict: true, inflate: limit === '100kb' });
}

/** NUL, which PostgreSQL cannot store in text, and halves of surrogate pairs, which UTF-8 cannot hold. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** Can the database keep, or be asked about, every text in it? */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}

/**
 * The body as its schema reads it. Schemas are strict objects: unknown members, `__proto__` too, are refused.
 * @throws ServiceError `invalid-request`, or `invalid-handle` where the handle is what is wrong
 */
export function readBody<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const read = schema.safeParse(body);
  if (!read.success) {
    const paths = read.error.issues.map((issue) => issue.path.join('.'));
    if (paths.includes('register.handle')) throw new ServiceError('invalid-handle');
    throw new ServiceError('invalid-request', { detail: `fields: ${paths.join(', ')}` });
  }
  if (!isStorable(read.data)) throw new ServiceError('invalid-request', { detail: 'text that cannot be stored' });
  return read.data;
}
