/**
 * Mutates the structure of JSON: changes types, names, nesting depth and numbers, and inserts duplicate names,
 * `__proto__` and unpaired surrogates. The result is valid JSON.
 */
import { MAX_INPUT_BYTES, mutateBytes, type Sources } from './mutate-bytes.ts';

/** A JSON value as written. Names can occur repeatedly, and numbers can have any size. */
type Written = string | Written[] | Member[];
class Member {
  readonly name: string;
  readonly value: Written;
  constructor(name: string, value: Written) {
    this.name = name;
    this.value = value;
  }
}

const isList = (value: Written): value is Written[] => Array.isArray(value) && !(value[0] instanceof Member);
/** An empty object is represented as text, because an empty array would be treated as a list. */
const EMPTY_OBJECT = '{}';

function take(value: unknown): Written {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : value.map(take);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => new Member(JSON.stringify(name), take(one)));
  return members.length === 0 ? EMPTY_OBJECT : members;
}

function write(value: Written): string {
  if (typeof value === 'string') return value;
  if (isList(value)) return `[${value.map(write).join()}]`;
  return `{${value.map((member) => `${member.name}:${write(member.value)}`).join()}}`;
}

/** Values of every type, and ambiguous ones. */
const VALUES = [
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '0.5', '1e-7', '1e400', '-1e400', '1e21', '9007199254740993'],
  ...['2147483648', '4294967296', '2100000000000001', '18446744073709551616', '123456789012345678901234567890'],
  ...['""', '"0"', '"-1"', '"1e3"', '" 1"', '"\\u0000"', '"\\ud800"', '"\\udc00x"', '"\\u202e"', '"\\ufeff"', '"İ"'],
  ...['"NaN"', '"constructor"', '"__proto__"', '"javascript:0"', '"\\n"', '[]', '{}', '[[]]', '[null]', '{"":null}'],
  ...['{"__proto__":{"x":1}}', '{"toString":null,"valueOf":null}', '{"length":1e9}', '{"then":1}', '{"toJSON":1}'],
];
const NAMES = ['__proto__', 'constructor', 'toString', 'length', 'then', '', '\\ud800', '0', 'hasOwnProperty'];

function value(sources: Sources): Written {
  const { random, words } = sources;
  const kind = random.below(8);
  if (kind === 0 && words.length > 0) return JSON.stringify(Buffer.from(random.pick(words)).toString());
  if (kind === 1) return JSON.stringify(random.pick(['a', '9', '\u{1f600}', '%', '0a']).repeat(1 << random.below(11)));
  if (kind === 2) {
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    const deep = 1 << random.below(10);
    return `${open.repeat(deep)}0${close.repeat(deep)}`;
  }
  if (kind === 3) return String(random.between(-1000, 1000));
  return random.pick(VALUES);
}

function name(sources: Sources): string {
  const { random, words } = sources;
  return random.chance(0.5) && words.length > 0
    ? JSON.stringify(Buffer.from(random.pick(words)).toString())
    : `"${random.pick(NAMES)}"`;
}

function changedText(text: string, sources: Sources): string {
  const inside = Buffer.from(JSON.parse(text) as string);
  return JSON.stringify(Buffer.from(mutateBytes(inside, { ...sources, other: () => inside })).toString());
}

function changedList<T extends Written | Member>(list: readonly T[], made: () => T, { random }: Sources): T[] {
  const [at, to] = [random.below(list.length), random.below(list.length)];
  const one = list[at] as T;
  switch (random.below(5)) {
    case 0:
      return list.filter((_, i) => i !== at);
    case 1:
      return [...list.slice(0, to), one, ...list.slice(to)];
    case 2:
      return [...list, made()];
    case 3:
      return [...list.slice(0, to), ...Array.from({ length: 1 << random.below(8) }, () => one), ...list.slice(to)];
    default:
      return list.map((item, i) => (i === at ? (list[to] as T) : i === to ? one : item));
  }
}

function change(written: Written, sources: Sources): Written {
  const { random } = sources;
  // Usually mutates a nested value, if there is one.
  if (typeof written !== 'string' && random.chance(0.75)) {
    const at = random.below(written.length);
    const into = <T>(list: readonly T[], changed: (one: T) => T) =>
      list.map((one, i) => (i === at ? changed(one) : one));
    if (isList(written)) return into(written, (one) => change(one, sources));
    return into(written, ({ name: old, value: inner }) =>
      random.chance(0.1) ? new Member(name(sources), inner) : new Member(old, change(inner, sources)),
    );
  }
  if (random.chance(0.3)) return value(sources);
  if (typeof written !== 'string') {
    const changed = isList(written)
      ? changedList<Written>(written, () => value(sources), sources)
      : changedList(written, () => new Member(name(sources), value(sources)), sources);
    return changed.length > 0 ? (changed as Written) : EMPTY_OBJECT;
  }
  if (written.startsWith('"')) return changedText(written, sources);
  return random.chance(0.5) ? [written] : value(sources);
}

export function mutateJson(bytes: Uint8Array, sources: Sources): Uint8Array {
  let written: Written;
  try {
    written = take(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return mutateBytes(bytes, sources);
  }
  if (sources.random.chance(0.02)) return mutateBytes(bytes, sources);
  for (let left = 1 << sources.random.below(3); left > 0; left -= 1) written = change(written, sources);
  const changed = new TextEncoder().encode(write(written));
  return changed.length > MAX_INPUT_BYTES ? bytes : changed;
}
