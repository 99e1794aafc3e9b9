/** Fuzzes one target: mutates known inputs, keeps inputs that reach new code, minimizes inputs that violate a rule. */
import { Random } from '../simulation/random.ts';
import { coverage } from './coverage.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateJson } from './mutate-json.ts';
import type { Target } from './target.ts';

export interface Finding {
  input: Uint8Array;
  message: string;
  found: number;
}

export interface Outcome {
  cases: number;
  seconds: number;
  reached: number;
  /** Inputs that reached new code, in order. */
  kept: Uint8Array[];
  findings: Finding[];
}

const MAX_STORED_INPUTS = 4000;

/** Limits of a run: number of cases, time, or number of findings. */
interface Limits {
  cases: number;
  seconds?: number;
  seed: number;
  /** Known inputs, in addition to the target's own examples. */
  corpus: readonly Uint8Array[];
  mostFindings: number;
}

/** Maximum running time of a parser (milliseconds), which is several times the expected time for the input's length. */
const longestMs = (bytes: number): number => 20 + bytes / 200;
/** Number of retries of a slow case, because the machine might have been busy. */
const TRIES = 4;

export async function faultOf(target: Target, input: Uint8Array): Promise<string | null> {
  try {
    const began = performance.now();
    const reading = target.read(input);
    const found = reading instanceof Promise ? await reading : reading;
    if (performance.now() - began > longestMs(input.length)) {
      const ms = await fastest(target, input);
      if (ms > longestMs(input.length)) return `slow: ${ms.toFixed()} ms for ${input.length} bytes`;
    }
    const checking = found === null ? undefined : target.check?.(found, input);
    if (checking instanceof Promise) await checking;
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}${frameOf(error)}` : String(error);
  }
}

async function fastest(target: Target, input: Uint8Array): Promise<number> {
  let least = Infinity;
  for (let left = TRIES; left > 0; left -= 1) {
    const began = process.cpuUsage();
    await target.read(input);
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Returns the location of an error: the first stack frame in our code or in the target's code. */
function frameOf({ stack = '' }: Error): string {
  const [, at] =
    /\n\s+at .*?((?:protocol|wallet|extension|server|page-script|fuzz\/targets)\/[^\n)]*)/.exec(stack) ?? [];
  return at === undefined ? '' : ` (${at})`;
}

/** Returns the type of a fault, without the parts that depend on the input. */
const kindOf = (fault: string): string => fault.replace(/[\d"'[{].*?(?= \(|$)/s, '');

function wordsOf(): Uint8Array[] {
  return [...coverage.words]
    .filter(({ length }) => length > 0 && length <= 64)
    .map((word) => new TextEncoder().encode(word));
}

/** Runs the known inputs unchanged, then cases that are known inputs with some mutations. */
export async function fuzz(
  target: Target,
  { cases, seconds: most = Infinity, seed, corpus, mostFindings }: Limits,
): Promise<Outcome> {
  const random = new Random(seed);
  const encoder = new TextEncoder();
  const seeds = target.seeds().map((one) => (typeof one === 'string' ? encoder.encode(one) : one));
  const words = wordsOf();
  const known = [...seeds, ...corpus];
  const kept: Uint8Array[] = [];
  const findings: Finding[] = [];
  const kinds = new Set<string>();
  const mutate = target.form === 'json' ? mutateJson : mutateBytes;
  const sources = { random, words, other: () => random.pick(known) };
  const first = [...known];
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  let done = 0;
  for (; done < cases && findings.length < mostFindings && elapsed() < most; done += 1) {
    const input = first.pop() ?? mutate(chosen(known, random), sources);
    coverage.reset();
    if ((await withoutStacks(() => faultOf(target, input))) !== null) {
      const fault = (await faultOf(target, input)) ?? 'failed once, but not when repeated';
      if (kinds.has(kindOf(fault))) continue;
      kinds.add(kindOf(fault));
      const shortest = await shortened(target, input, kindOf(fault));
      findings.push({ input: shortest, message: (await faultOf(target, shortest)) ?? fault, found: done + 1 });
    } else if (coverage.isNew() && kept.length < MAX_STORED_INPUTS) {
      kept.push(input);
      known.push(input);
    }
  }
  return { cases: done, seconds: elapsed(), reached: coverage.reached, kept, findings };
}

/** Runs `run` with stack traces disabled, because recording them would take longer than most parsers do. */
async function withoutStacks<T>(run: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Selects the shorter of two random known inputs. Half of the time, selects from recent inputs, which are more likely
 * to reach new code.
 */
function chosen(known: readonly Uint8Array[], random: Random): Uint8Array {
  const from = random.chance(0.5) ? Math.max(0, known.length - 50) : 0;
  const one = () => known[random.between(from, known.length - 1)] as Uint8Array;
  const [a, b] = [one(), one()];
  return a.length < b.length ? a : b;
}

async function shortened(target: Target, input: Uint8Array, kind: string): Promise<Uint8Array> {
  let shortest = input;
  for (let size = input.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < shortest.length;) {
      const tried = Uint8Array.from([...shortest.subarray(0, at), ...shortest.subarray(at + size)]);
      const fault = await faultOf(target, tried);
      if (fault !== null && kindOf(fault) === kind) shortest = tried;
      else at += size;
    }
  return shortest;
}

/** Maximum length of stored inputs (bytes). Longer inputs only run loops more often. */
const MAX_STORED_INPUT_BYTES = 2048;

/** Returns a small subset of the inputs with the same coverage, preferring short ones. */
export async function minimised(target: Target, inputs: readonly Uint8Array[]): Promise<Uint8Array[]> {
  coverage.forget();
  const few: Uint8Array[] = [];
  for (const input of [...inputs].sort((a, b) => a.length - b.length)) {
    if (input.length > MAX_STORED_INPUT_BYTES) break;
    coverage.reset();
    if ((await faultOf(target, input)) === null && coverage.isNew()) few.push(input);
  }
  return few;
}
