/** Runs seeds in several processes. */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { withProgram, type Sabotage } from './bundle.ts';
import type { Command } from './world/commands.ts';

export interface Work {
  seed: number;
  /** The seed's own if they are missing. */
  commands?: readonly Command[];
  /** Whether the commands of a failing seed are shortened, which takes as long as a hundred seeds. */
  isShortened: boolean;
}

/** The outcome of a seed. If it breaks a rule, with the commands that do. */
export interface Report {
  seed: number;
  digest: string;
  steps: number;
  failure: { message: string; shortest: Command[] } | null;
}

/** Options of a run. */
export interface Options {
  /** Breaks the wallet on purpose. */
  sabotage?: Sabotage | null;
  /** The commands of each seed, instead of its own. */
  commands?: readonly Command[];
  isShortened?: boolean;
  processes?: number;
}

/** A seed hangs if it takes longer than this (milliseconds). Even shortening takes a tenth of it. */
const HANGS_MS = 600_000;

/**
 * Runs seeds, one process per processor. A seed that ends its process, or hangs, has failed; another process continues
 * with the rest.
 * @param hear is called in the order of the seeds; if it returns false, no more are started
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
  /** Runs seeds in one process. @returns whether some may be left */
  const work = (program: string) =>
    new Promise<boolean>((resolve, reject) => {
      const child: ChildProcess = fork(program, { execArgv: [] });
      let seed: number | null = null;
      let isReady = false;
      let timer: NodeJS.Timeout | undefined;
      // A process that runs a seed doesn't notice the end of its parent.
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
