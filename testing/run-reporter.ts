/**
 * Vitest reporter that writes failures and durations to the folder in `REPORT_FOLDER`. `npm test` prints both at the
 * end.
 */
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError } from 'vitest/node';
import { picturesOf } from './pictures.ts';

/** Environment variable with the path of the folder for {@link FAILURES} and {@link DURATIONS}. */
export const REPORT_FOLDER = 'REPORT_FOLDER';
export const FAILURES = 'failures';
/** Name of the durations file. Each line contains a test file's duration (milliseconds) and path. */
export const DURATIONS = 'durations';
/** Maximum length of an error (characters), because diffs can have thousands of lines. */
const LENGTH = 1500;

type Failure = Pick<SerializedError, 'message' | 'stacks'> & { diff?: unknown };

/** Formats an error: message, diff, and the first stack frame in the project's code. */
function describe({ message, diff, stacks = [] }: Failure): string {
  const text = [message, diff].filter(Boolean).join('\n').slice(0, LENGTH);
  const at = stacks.find(({ file }) => !file.includes('/node_modules/')) ?? stacks[0];
  return at ? `${text}\nat ${relative('.', at.file)}:${at.line}` : text;
}

/** Returns the shell command that runs a test file, or its tests whose names contain `title`. */
export const commandFor = (path: string, title?: string): string =>
  `npm test -- ${path}${title === undefined ? '' : ` -t ${quoted(title)}`}`;

/** Escapes a title as a regular expression for Vitest, and quotes it for the shell. */
const quoted = (title: string): string =>
  `'${title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("'", String.raw`'\''`)}'`;

/** Formats a failure without ANSI colors, which are unreadable in a log. */
export const entry = (
  what: string,
  errors: readonly Failure[],
  { command, pictures = [] }: { command?: string; pictures?: readonly string[] } = {},
): string =>
  `${[
    `FAILED ${what}`,
    ...errors.map((error) => stripVTControlCharacters(describe(error)).replaceAll(/^/gm, '  ')),
    ...pictures.map((path) => `  Screenshot: ${path}`),
    ...(command === undefined ? [] : [`  Run only this test: ${command}`]),
  ].join('\n')}\n`;

export const runReporter = {
  onTestRunEnd(modules, unhandled) {
    const folder = process.env[REPORT_FOLDER];
    if (!folder) return;
    const write = (text: string) => appendFileSync(join(folder, FAILURES), text);
    for (const module of modules) {
      const { relativeModuleId: path } = module;
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      appendFileSync(join(folder, DURATIONS), `${Math.round(setupDuration + collectDuration + duration)} ${path}\n`);
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0)
          write(entry(`${path} > ${suite.fullName}`, suite.errors(), { command: commandFor(path, suite.name) }));
      }
      if (module.errors().length > 0) write(entry(path, module.errors(), { command: commandFor(path) }));
      for (const test of module.children.allTests('failed')) {
        const more = { command: commandFor(path, test.name), pictures: picturesOf(`${path} ${test.name}`) };
        write(entry(`${path} > ${test.fullName}`, test.result().errors ?? [], more));
      }
    }
    if (unhandled.length > 0) write(entry('outside any test', unhandled));
  },
} satisfies Reporter;

/** Returns the slowest files, one line each, in seconds. @param durations content of the {@link DURATIONS} file */
export function slowestFiles(durations: string, most: number): string {
  const files = durations
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ ms: Number.parseInt(line, 10), path: line.slice(line.indexOf(' ') + 1) }));
  return files
    .sort((a, b) => b.ms - a.ms)
    .slice(0, most)
    .map(({ ms, path }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}`)
    .join('\n');
}
