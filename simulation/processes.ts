/** Runs seeds in parallel processes. */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { withProgram, type Sabotage } from './bundle.ts';
import type { Command } from './world/commands.ts';

export interface Work {
  seed: number;
  /** Default: the commands generated from the seed. */
  commands?: readonly Command[];
  /** True to shorten the commands of a failing seed, which takes as long as a hundred seeds. */
  isShortened: boolean;
}

/** The result of a seed and, if an invariant was violated, the shortest commands that reproduce the violation. */
export interface Report {
  seed: number;
  digest: string;
  steps: number;
  failure: { message: string; shortest: Command[] } | null;
}

export interface Options {
  sabotage?: Sabotage | null;
  /** The commands to run instead of those generated from each seed. */
  commands?: readonly Command[];
  isShortened?: boolean;
  processes?: number;
}

/** Time limit of one seed (milliseconds). Even shortening a seed's commands takes only a tenth of this limit. */
const HANGS_MS = 600_000;

/**
 * Runs seeds, one process per processor. If a seed's process exits or times out, the seed is reported as failed, and a
 * new process continues with the remaining seeds.
 * @param hear called with the reports, in seed order; returns false to start no more seeds
 * @throws if a process can't be started
 */
export function runSeeds(
  from: number,
  seeds: number,
  hear: (report: Report) => boolean,
  { sabotage = null, commands, isShortened = true, processes = availableParallelism() }: Options = {},
): Promise<void> {
  const reports = new Map<number, Report>();
  let [next, heard] = [from, from];
  let end = from + seeds;
  const take = (report: Report) => {
    reports.set(report.seed, report);
    for (let one = reports.get(heard); one && heard < end; one = reports.get(heard)) {
      reports.delete(heard);
      heard += 1;
      if (!hear(one)) end = heard;
    }
  };
  /** Runs seeds in one process. @returns true if the process died and seeds may remain */
  const work = (program: string) =>
    new Promise<boolean>((resolve, reject) => {
      const child: ChildProcess = fork(program, { execArgv: [] });
      let seed: number | null = null;
      let isReady = false;
      let timer: NodeJS.Timeout | undefined;
      // A busy child process can't detect that its parent has exited.
      const kill = () => child.kill('SIGKILL');
      process.once('exit', kill);
      child.on('message', (message: 'ready' | Report) => {
        isReady = true;
        clearTimeout(timer);
        seed = null;
        if (message !== 'ready') take(message);
        if (next >= end) return child.disconnect();
        seed = next;
        next += 1;
        timer = setTimeout(kill, HANGS_MS);
        child.send({ seed, ...(commands && { commands }), isShortened } satisfies Work);
      });
      child.on('exit', (code, signal) => {
        process.off('exit', kill);
        clearTimeout(timer);
        const how = `its process ended with ${signal ?? code}`;
        if (!isReady) return reject(new Error(`a simulation does not begin: ${how}`));
        if (seed !== null) take({ seed, digest: '', steps: 0, failure: { message: how, shortest: [] } });
        resolve(seed !== null && next < end);
      });
    });
  return withProgram(sabotage, async (program) => {
    const workInTurn = async () => {
      while (await work(program));
    };
    await Promise.all(Array.from({ length: Math.min(processes, seeds) }, workInTurn));
  });
}
