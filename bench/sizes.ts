/** What is shipped, gzipped: the button and its parts, what is injected into every page, the wallet's parts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { partFile, SCRIPT, type ButtonManifest } from '../server/web/button-build.ts';
import type { Row } from './main.ts';

const BUTTON = join('dist', SCRIPT);
const BUTTON_BUDGET = 12_000;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB gz`;
const gzipped = (path: string) => gzipSync(readFileSync(path), { level: 9 }).length;

/** Sizes of the built parts against their budgets (1 kB is 1,000 bytes). */
export function sizes(): Row[] {
  const assets = 'dist/extension/assets';
  const background = readdirSync(assets).find((name) => name.startsWith('main.ts-')) ?? '';
  const budgets: [string, string, number][] = [
    [BUTTON, BUTTON, BUTTON_BUDGET],
    ['injected into every page', 'dist/extension/extension/content/relay.iife.js', 4000],
    ['background', join(assets, background), 120_000],
  ];
  return [
    ...budgets.map(([what, path, budget]) => {
      const size = gzipped(path);
      return { what, measured: kilobytes(size), ratio: size / budget, goal: `≤ ${kilobytes(budget)}`, holds: size <= budget };
    }),
    ...parts(),
  ];
}

/** What the button loads on need, and what pages include beside it: each part against the button itself. */
function parts(): Row[] {
  const { parts: built } = JSON.parse(readFileSync('dist/button.json', 'utf8')) as ButtonManifest;
  const button = gzipped(BUTTON);
  return Object.keys(built).map((name) => {
    const path = join('dist', partFile(name));
    const size = gzipped(path);
    return { what: path, measured: kilobytes(size), ratio: size / button, goal: 'of button.js; no goal', holds: true };
  });
}
