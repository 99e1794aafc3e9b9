/** What is shipped, gzipped: the button, what is injected into every page, the wallet's parts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Row } from './main.ts';

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB gz`;
const gzipped = (path: string) => gzipSync(readFileSync(path), { level: 9 }).length;

/** Sizes of the built parts against their budgets (1 kB is 1,000 bytes). */
export function sizes(): Row[] {
  const assets = 'dist/extension/assets';
  const background = readdirSync(assets).find((name) => name.startsWith('main.ts-')) ?? '';
  const parts: [string, string, number][] = [
    ['dist/button.js', 'dist/button.js', 12_000],
    ['injected into every page', 'dist/extension/extension/content/relay.iife.js', 4000],
    ['background', join(assets, background), 120_000],
  ];
  return parts.map(([what, path, budget]) => {
    const size = gzipped(path);
    return { what, measured: kilobytes(size), ratio: size / budget, goal: `≤ ${kilobytes(budget)}`, holds: size <= budget };
  });
}
