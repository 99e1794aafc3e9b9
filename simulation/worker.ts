/** Worker process of the simulation, which receives seeds and reports their results. */
import type { Report, Work } from './processes.ts';
import { shortened } from './shrink.ts';
import { scenarioOf } from './scenario.ts';
import { openSimulator } from './simulate.ts';

const simulator = await openSimulator();

async function run({ seed, commands = scenarioOf(seed), isShortened }: Work): Promise<Report> {
  const { digest, steps, violation } = await simulator.run(seed, commands);
  const failure = violation && {
    message: violation.message,
    shortest: isShortened ? await shortened(simulator, seed, commands, violation.rule) : [...commands],
  };
  return { seed, digest, steps, failure };
}

// Seeds arrive one at a time, because worlds share the globals of the process.
process.on('message', (work: Work) => void run(work).then((report) => process.send?.(report)));
process.send?.('ready');
