/** Test helpers for schemas: values at a field's exact limits that it must accept or reject. */
import type * as z from 'zod/mini';

/** The values that a field must accept, and those that it must reject. */
export type Kind = [taken: unknown[], refused: unknown[]];

/** A field for strings of `least` to `most` characters. `x` is a valid character. */
export const text = (least: number, most: number): Kind => [
  ['x'.repeat(least), 'x'.repeat(most)],
  [...(least > 0 ? ['x'.repeat(least - 1)] : []), 'x'.repeat(most + 1), 5, ['x'], {}],
];
export const integer = (least: number, most = Number.MAX_SAFE_INTEGER): Kind => [
  [least, most],
  [least - 1, most + 1, least + 0.5, String(least), NaN, Infinity],
];
/** A field that accepts only these values. */
export const oneOf = (...taken: unknown[]): Kind => [taken, ['', 'x', 'SENT', 0, 2, 25, true]];
export const BOOLEAN: Kind = [
  [true, false],
  [0, 1, 'true', ''],
];
export const also = ([taken, refused]: Kind, more: unknown[], not: unknown[] = []): Kind => [
  [...taken, ...more],
  [...refused, ...not],
];
export const orNull = (kind: Kind): Kind => also(kind, [null], [undefined]);
export const orMissing = (kind: Kind): Kind => also(kind, [undefined], [null]);

type Path = readonly (string | number)[];
type Fields = Record<string | number, unknown>;
/** Replaces the value at a path, or removes it if no new value is passed. */
function put(value: unknown, [step, ...rest]: Path, ...other: [unknown?]): unknown {
  if (step === undefined) return other[0];
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? put(item, rest, ...other) : item));
  const { [step]: before, ...others } = value as Fields;
  return rest.length === 0 && other.length === 0 ? others : { ...others, [step]: put(before, rest, ...other) };
}
const at = (value: unknown, path: Path) => path.reduce<unknown>((inner, step) => (inner as Fields)[step], value);

function objectsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => objectsIn(item, [...path, index]));
  return [path, ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, [...path, name]))];
}

/** Returns the paths of members that can be omitted and of objects that accept an unknown member, at any depth. */
export function looseParts(schema: z.ZodMiniType, least: object): string[] {
  return objectsIn(least).flatMap((path) =>
    [
      { name: '(other)', changed: put(least, [...path, 'other'], 1) },
      ...Object.keys(at(least, path) as Fields).map((name) => ({ name, changed: put(least, [...path, name]) })),
    ]
      .filter(({ changed }) => schema.safeParse(changed).success)
      .map(({ name }) => [...path, name].join('.')),
  );
}

/**
 * Returns the values whose acceptance or rejection by the schema contradicts `Kind`.
 * @param least the rest of the object
 * @param path names and indexes, separated by dots
 */
export function unexpected(schema: z.ZodMiniType, least: object, path: string, [taken, refused]: Kind): string[] {
  const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const said = (value: unknown) => JSON.stringify(value)?.slice(0, 80);
  const read = (value: unknown) => schema.safeParse(put(least, steps, value));
  return [
    ...taken.filter((value) => !read(value).success).map((value) => `refused: ${said(value)}`),
    ...taken
      .filter((value) => !isSame(value, at(read(value).data ?? put(least, steps, value), steps)))
      .map((value) => `changed: ${said(value)}`),
    ...refused.filter((value) => read(value).success).map((value) => `taken: ${said(value)}`),
  ];
}
const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other);
