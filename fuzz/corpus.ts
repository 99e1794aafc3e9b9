/**
 * Reads and writes each target's stored inputs. A target's file contains one input per line, as a JSON string if the
 * input is printable text, otherwise in hexadecimal. The prefix `found` marks inputs that once violated a rule.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { textOf, type Target } from './target.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const fileOf = (name: string) => `${HERE}corpus/${name}.txt`;
const FOUND = 'found ';

export const TARGETS: readonly string[] = readdirSync(`${HERE}targets`)
  .filter((file) => !file.startsWith('testing'))
  .map((file) => file.replace(/\.ts$/, ''));

/** Loads a target and the code that it tests. */
export async function loadTarget(name: string): Promise<Target> {
  return ((await import(`./targets/${name}.ts`)) as { default: Target }).default;
}

function lineOf(input: Uint8Array): string {
  const text = textOf(input);
  const isPrintable = Buffer.from(text).equals(input) && !/\p{C}/u.test(text);
  return isPrintable ? JSON.stringify(text) : Buffer.from(input).toString('hex');
}

function inputOf(line: string): Uint8Array {
  const written = line.replace(FOUND, '');
  const isText = written.startsWith('"');
  return Uint8Array.from(isText ? Buffer.from(JSON.parse(written) as string) : Buffer.from(written, 'hex'));
}

const linesOf = (name: string): string[] =>
  existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8').split(/\r?\n/).filter(Boolean) : [];
const write = (name: string, lines: readonly string[]) =>
  writeFileSync(fileOf(name), [...new Set(lines)].map((line) => `${line}\n`).join(''));

/** Returns a target's inputs, keyed by line. */
export const readCorpus = (name: string): Map<string, Uint8Array> =>
  new Map(linesOf(name).map((line) => [line, inputOf(line)]));

/** Stores an input that violates a rule. @returns the file and line */
export function keepFinding(name: string, input: Uint8Array): string {
  const line = FOUND + lineOf(input);
  write(name, [...linesOf(name), line]);
  return `fuzz/corpus/${name}.txt: ${line}`;
}

/** Replaces a target's inputs with these, but keeps inputs that once violated a rule. */
export const replaceCorpus = (name: string, inputs: readonly Uint8Array[]): void =>
  write(name, [...linesOf(name).filter((line) => line.startsWith(FOUND)), ...inputs.map(lineOf)]);
