/** A process of `npm run simulate`: is told seeds, and says what became of each. */
import { shortened } from './shrink.ts';
import { openSimulator, scenarioOf } from './simulate.ts';
import type { Report } from './processes.ts';

const simulator = await openSimulator();

async function run(seed: number): Promise<Report> {
  const commands = scenarioOf(seed);
  const { digest, steps, violation } = await simulator.run(seed, commands);
  const failure = violation && {
    message: violation.message,
    shortest: await shortened(simulator, seed, commands, violation.rule),
  };
  return { seed, digest, steps, failure };
}

// One after the other: worlds share the process.
process.on('message', (seed: number) => void run(seed).then((report) => process.send?.(report)));
process.send?.('ready');
