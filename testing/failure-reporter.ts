/**
 * For vitest: appends what failed to the file that `FAILURES_FILE` names, so that `npm test` can repeat it after its last
 * run. The output is long, and often only its end is kept.
 */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError } from 'vitest/node';

/** Environment variable: path of the file, to which lines are added. */
export const FAILURES_FILE = 'FAILURES_FILE';
/** Of an error's own text, characters: a difference between two large values may have thousands of lines. */
const LENGTH = 1500;

type Failure = Pick<SerializedError, 'message' | 'stacks'> & { diff?: unknown };

/** Its message, what was different, and the first line of ours that it went through. */
function describe({ message, diff, stacks = [] }: Failure): string {
  const text = [message, diff].filter(Boolean).join('\n').slice(0, LENGTH);
  const at = stacks.find(({ file }) => !file.includes('/node_modules/')) ?? stacks[0];
  return at ? `${text}\nat ${relative('.', at.file)}:${at.line}` : text;
}

const entry = (what: string, errors: readonly Failure[]): string =>
  `${[`FAILED ${what}`, ...errors.map((error) => describe(error).replaceAll(/^/gm, '  '))].join('\n')}\n`;

export const failureReporter = {
  onTestRunEnd(modules, unhandled) {
    const file = process.env[FAILURES_FILE];
    if (!file) return;
    for (const module of modules) {
      const { relativeModuleId: path } = module;
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) appendFileSync(file, entry(`${path} > ${suite.fullName}`, suite.errors()));
      }
      if (module.errors().length > 0) appendFileSync(file, entry(path, module.errors()));
      for (const test of module.children.allTests('failed')) {
        appendFileSync(file, entry(`${path} > ${test.fullName}`, test.result().errors ?? []));
      }
    }
    if (unhandled.length > 0) appendFileSync(file, entry('outside any test', unhandled));
  },
} satisfies Reporter;
