/** Runs seeds in several processes. */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Command } from './commands.ts';

/** What became of a seed; of one that breaks a rule, with the shortest commands that do. */
export interface Report {
  seed: number;
  digest: string;
  steps: number;
  failure: { message: string; shortest: Command[] } | null;
}

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

/**
 * Runs them, a process for each processor.
 * @param hear is told in the order of the seeds; where it answers false, no more are begun
 * @throws where a process ends before all is done
 */
export async function runSeeds(from: number, seeds: number, hear: (report: Report) => boolean): Promise<void> {
  const reports = new Map<number, Report>();
  let [next, heard] = [from, from];
  let end = from + seeds;
  const give = (child: ChildProcess) => {
    if (next >= end) return child.disconnect();
    child.send(next);
    next += 1;
  };
  const take = (report: Report) => {
    reports.set(report.seed, report);
    for (let one = reports.get(heard); one && heard < end; one = reports.get(heard)) {
      reports.delete(heard);
      heard += 1;
      if (!hear(one)) end = heard;
    }
  };
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(WORKER, { execArgv: ['--import', 'tsx'] });
      child.on('message', (message: 'ready' | Report) => {
        if (message !== 'ready') take(message);
        give(child);
      });
      child.on('exit', (code, signal) =>
        code === 0 ? resolve() : reject(new Error(`a simulation's process ended with ${signal ?? code}`)),
      );
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds) }, work));
}
