/**
 * `npm run check`: checks formatting, types, lint, unused code, the npm package and wordings. Also lists specification
 * lines without a test, and missing translations.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingTranslations } from '../tooling/translations.ts';
import { complaints, findOccurrences, longLines, readWordings } from './words.ts';

const CHECKS: [string, string[]][] = [
  ['formatting (npm run format fixes it)', ['node_modules/oxfmt/bin/oxfmt', '--check']],
  [
    'types',
    [
      'node_modules/typescript/bin/tsc',
      '--noEmit',
      // Makes repeated runs eight times as fast.
      '--incremental',
      '--tsBuildInfoFile',
      'node_modules/.cache/check.tsbuildinfo',
    ],
  ],
  ['lint and boundaries', ['node_modules/oxlint/bin/oxlint', '--deny-warnings']],
  ['unused code', ['node_modules/knip/bin/knip.js']],
  ['the npm package', ['--import', 'tsx', 'scripts/check-package.ts']],
];

let failed = false;
for (const [name, args] of CHECKS) {
  console.log(`Checking ${name} …`);
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) failed = true;
}
if (!checkWordings()) failed = true;
listUnnamedLines();
await listMissingTranslations();
if (failed) {
  console.error('Some checks failed: see above.');
  process.exit(1);
}
console.log('All checks passed.');

/** Returns true if no wording in words.json occurs more often than recorded. */
function checkWordings(): boolean {
  console.log('Checking wordings …');
  const wordings = readWordings();
  const found = complaints(wordings, [...findOccurrences(wordings), ...longLines()]);
  for (const complaint of found) console.error(complaint);
  return found.length === 0;
}

/** Lists specification numbers that no test title contains. Doesn't make the check fail. */
function listUnnamedLines(): void {
  const checklist = '../shared/spec/checklist.md';
  if (!existsSync(checklist)) return;
  const numbers = readFileSync(checklist, 'utf8').match(/\b[A-Z]-\d{2}\b/g) ?? [];
  const named = new Set<string>();
  for (const folder of [
    'protocol',
    'page-script',
    'extension',
    'wallet',
    'server',
    'e2e',
    'look',
    'scripts',
    'tooling',
  ]) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.test\.tsx?$/.test(file)) continue;
      for (const [, number = ''] of readFileSync(join(folder, file), 'utf8').matchAll(/\[([A-Z]-\d{2})\]/g))
        named.add(number);
    }
  }
  const all = [...new Set(numbers)];
  const missing = all.filter((number) => !named.has(number));
  console.log(
    `The specification has ${all.length} numbered lines; tests name ${all.length - missing.length}. Not named yet:`,
  );
  console.log(missing.join(' ') || 'none');
}

/** Lists untranslated UI strings. Doesn't make the check fail. */
async function listMissingTranslations(): Promise<void> {
  const missing = [...(await missingTranslations())].filter(([, places]) => places.length > 0);
  console.log(`Texts that are not translated yet${missing.length > 0 ? '' : ': none'}`);
  for (const [file, places] of missing) console.log(`  ${file}: ${places.join(', ')}`);
}
