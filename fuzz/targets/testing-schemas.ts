/** Parses bodies with schemas. A body must not be able to change `Object.prototype` or set its own prototype. */
import type * as z from 'zod/mini';
import { must, mustEqual, textOf } from '../target.ts';

export type Schemas = Readonly<Record<string, z.ZodMiniType>>;

/** Parses an input as JSON. Returns undefined if the input isn't valid JSON. */
export function jsonOf(input: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(input)) as unknown;
  } catch {
    return undefined;
  }
}

const NAMES = Object.getOwnPropertyNames(Object.prototype).join();

/** Returns the results of all schemas that accept a value, by name. Throws if a prototype was changed. */
export function readings(schemas: Schemas, value: unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const read = schema.safeParse(value);
    if (!read.success) continue;
    found[name] = read.data;
    mustEqual(Object.getOwnPropertyNames(Object.prototype).join(), NAMES, 'a body that changes all objects');
    must(!hasOwnPrototype(read.data), 'a body that chooses its own prototype');
  }
  return found;
}

function hasOwnPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return true;
  return Object.values(value).some(hasOwnPrototype);
}
