/** For tests of schemas: what a value must have to be taken. */
import type * as z from 'zod/mini';

/** A value without one of its members, at any depth, by the path of what is gone. */
function* withoutOne(value: unknown): Generator<[path: string, rest: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) {
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      yield [name, rest];
    }
    for (const [path, rest] of withoutOne(member))
      yield [`${name}.${path}`, Array.isArray(value) ? value.with(Number(name), rest) : { ...value, [name]: rest }];
  }
}

/**
 * What a schema reads in a value that also has a member which it does not know, and which members of the value can be
 * left out.
 */
export function readAnswer(schema: z.ZodMiniType, value: object): { read: unknown; optional: string[] } {
  const optional = [...withoutOne(value)].filter(([, rest]) => schema.safeParse(rest).success).map(([path]) => path);
  return { read: schema.safeParse({ ...value, ofNewerService: true }).data, optional };
}
