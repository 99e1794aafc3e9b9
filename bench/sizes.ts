/** Measures gzipped sizes of the button and its parts, the script injected into every page, and the wallet's parts. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { partFile, SCRIPT, type ButtonManifest } from '../server/web/button-build.ts';
import type { Row } from './row.ts';

const BUTTON = join('dist', SCRIPT);
const BUTTON_BUDGET = 14_500;

const content = (name: string) => `dist/extension/extension/content/${name}.js`;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB gz`;
const gzipped = (path: string) => gzipSync(readFileSync(path), { level: 9 }).length;

/** Compares the sizes of the built parts with their budgets (1 kB is 1,000 bytes). */
export function sizes(): Row[] {
  const background = imported(join('dist', 'extension', 'service-worker-loader.js'));
  const budgets: [string, string[], number][] = [
    [BUTTON, [BUTTON], BUTTON_BUDGET],
    ['injected into every page', [content('relay.iife'), content('cwi.iife')], 1700],
    ['loaded when a page calls the wallet', [content('requests')], 3000],
    [`background, in ${background.length} files`, background, 240_000],
  ];
  return [
    ...budgets.map(([what, paths, budget]) => {
      const size = paths.reduce((all, path) => all + gzipped(path), 0);
      return {
        what,
        measured: kilobytes(size),
        ratio: size / budget,
        goal: `≤ ${kilobytes(budget)}`,
        holds: size <= budget,
      };
    }),
    ...parts(),
  ];
}

function imported(path: string, found: string[] = []): string[] {
  if (found.includes(path)) return found;
  found.push(path);
  for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g))
    imported(join(dirname(path), from), found);
  return found;
}

/** Measures the parts that the button loads on demand, or that pages include, relative to the button itself. */
function parts(): Row[] {
  const { parts: built } = JSON.parse(readFileSync('dist/button.json', 'utf8')) as ButtonManifest;
  const button = gzipped(BUTTON);
  return Object.keys(built).map((name) => {
    const path = join('dist', partFile(name));
    const size = gzipped(path);
    return { what: path, measured: kilobytes(size), ratio: size / button, goal: 'of button.js; no goal', holds: true };
  });
}
