/** For tests of schemas: what a value must have to be taken. */
import type * as z from 'zod/mini';

/** A value with one of its members changed, at any depth, by the path of that: without it, and with what fits nowhere. */
function* changes(value: unknown): Generator<[path: string, changed: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    const change = (to: unknown) => (Array.isArray(value) ? value.with(Number(name), to) : { ...rest, [name]: to });
    if (!Array.isArray(value)) yield [name, rest];
    yield [`${name} of any kind`, change([{}])];
    for (const [path, changed] of changes(member)) yield [`${name}.${path}`, change(changed)];
  }
}

/**
 * What a schema reads in a value that also has a member which it does not know, and which members it takes the value
 * without, or with something else in their place.
 */
export function readAnswer(schema: z.ZodMiniType, value: object): { read: unknown; optional: string[] } {
  const optional = [...changes(value)].filter(([, changed]) => schema.safeParse(changed).success).map(([path]) => path);
  return { read: schema.safeParse({ ...value, ofNewerService: true }).data, optional };
}
