import type * as z from 'zod/mini';

/** Yields variants of a value with one member removed or invalid, at any depth, each with the member's path. */
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
 * Parses a value with an added unknown member. Returns the result, and the paths of members that can be missing or
 * invalid.
 */
export function readAnswer(schema: z.ZodMiniType, value: object): { read: unknown; optional: string[] } {
  const optional = [...changes(value)].filter(([, changed]) => schema.safeParse(changed).success).map(([path]) => path);
  return { read: schema.safeParse({ ...value, ofNewerService: true }).data, optional };
}
