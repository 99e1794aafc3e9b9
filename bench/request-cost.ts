/** Compares the CPU time of a page's most expensive calls with the time that the wallet charges the page for them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startVitest } from 'vitest/node';
import type { Row } from './row.ts';

/** CPU time and charge of a call, each as a multiple of the value for a small call. */
export interface CostFigures {
  what: string;
  charged: number;
  took: number;
}

export async function requestCost(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'request-cost-'));
  const file = join(folder, 'figures');
  try {
    const vitest = await startVitest('test', [], {
      config: join(import.meta.dirname, 'vitest.config.ts'),
      watch: false,
      env: { BENCH_FIGURES: file },
    });
    await vitest.close();
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    return lines.map((line) => {
      const { what, charged, took } = JSON.parse(line) as CostFigures;
      return {
        what: `charge for ${what}`,
        measured: `${took.toFixed(1)} times a small call, charged as ${charged.toFixed(1)}`,
        ratio: took / charged,
        goal: '≤ 2 times the charge',
        holds: took / charged <= 2,
      };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
