/** The stored inputs of each target: one file each, named by its hash. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Target } from './target.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const folderOf = (name: string) => `${HERE}corpus/${name}`;
/** Prefix of files with inputs that once broke a rule, which stay. */
const FOUND = 'found-';

export const TARGETS: readonly string[] = readdirSync(`${HERE}targets`)
  .filter((file) => !file.startsWith('testing'))
  .map((file) => file.replace(/\.ts$/, ''));

/** Loads a target, and the code that it tests. */
export async function loadTarget(name: string): Promise<Target> {
  return ((await import(`./targets/${name}.ts`)) as { default: Target }).default;
}

/** The inputs of a target, by file name. */
export function readCorpus(name: string): Map<string, Uint8Array> {
  const files = existsSync(folderOf(name)) ? readdirSync(folderOf(name)) : [];
  return new Map(files.map((file) => [file, Uint8Array.from(readFileSync(`${folderOf(name)}/${file}`))]));
}

function put(name: string, prefix: string, input: Uint8Array): string {
  const file = prefix + createHash('sha256').update(input).digest('hex').slice(0, 12);
  mkdirSync(folderOf(name), { recursive: true });
  writeFileSync(`${folderOf(name)}/${file}`, input);
  return `fuzz/corpus/${name}/${file}`;
}

export const keepFinding = (name: string, input: Uint8Array): string => put(name, FOUND, input);

/** Stores these, keeps those that once broke a rule, and deletes all others. */
export function replaceCorpus(name: string, inputs: readonly Uint8Array[]): void {
  for (const file of readCorpus(name).keys()) if (!file.startsWith(FOUND)) rmSync(`${folderOf(name)}/${file}`);
  for (const input of inputs) put(name, '', input);
}
