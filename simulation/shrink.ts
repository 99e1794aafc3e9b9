import type { Command } from './world/commands.ts';
import type { Simulator } from './simulate.ts';

/** Maximum number of runs to shorten one failure. */
const MAX_RUNS = 150;

/** Removes ever smaller groups of commands, then their pauses, as long as the same `rule` is still violated. */
export async function shortened(
  { run }: Simulator,
  seed: number,
  commands: readonly Command[],
  rule: string,
): Promise<Command[]> {
  let shortest = [...commands];
  let runs = 0;
  const take = async (shorter: Command[]): Promise<boolean> => {
    if (runs >= MAX_RUNS) return false;
    runs += 1;
    if ((await run(seed, shorter)).violation?.rule !== rule) return false;
    shortest = shorter;
    return true;
  };
  for (let size = Math.ceil(shortest.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < shortest.length;)
      if (!(await take([...shortest.slice(0, at), ...shortest.slice(at + size)]))) at += size;
  for (const at of shortest.keys()) {
    const { steps, ms, ...rest } = shortest[at] as Command;
    if (steps !== undefined || ms !== undefined) await take(shortest.with(at, rest as Command));
  }
  return shortest;
}
