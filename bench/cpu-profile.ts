/** Summarizes a process's CPU time by package and function, from a V8 profile. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

const OUTPUT = fileURLToPath(new URL('../bench-output/', import.meta.url));
const LINES = 25;

/** Writes a profile for the browser's DevTools, and prints the packages and functions that take the most time. */
export function showProfile(name: string, profile: Profiler.Profile): void {
  mkdirSync(OUTPUT, { recursive: true });
  const path = `${OUTPUT}${name}.cpuprofile`;
  writeFileSync(path, JSON.stringify(profile));
  console.log(`\n${name}: ${path}`);
  for (const label of [packageOf, functionOf]) {
    console.log();
    for (const [what, share] of selfTimes(profile, label).slice(0, LINES))
      console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${what}`);
  }
}

/** Returns each label's share of the busy time, largest first, without the profiler's own time. */
function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, label: (frame: Frame) => string) {
  const byId = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, i) => {
    const frame = byId.get(id);
    if (!frame || frame.functionName === '(idle)' || frame.url === 'node:inspector') return;
    const microseconds = timeDeltas[i] ?? 0;
    busy += microseconds;
    times.set(label(frame), (times.get(label(frame)) ?? 0) + microseconds);
  });
  return [...times].map(([what, time]): [string, number] => [what, time / busy]).sort(([, a], [, b]) => b - a);
}

type Frame = Profiler.ProfileNode['callFrame'];

/** Returns a frame's package (`node:http`, `express`, `server/http`), or its function name if it has no file. */
function packageOf({ url, functionName }: Frame): string {
  if (url === '') return functionName || '(native)';
  if (url.startsWith('node:')) return url.replace(/^(node:(?:internal\/)?[^/]+).*/, '$1');
  return (
    /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
    /\/((?:server|protocol)(?:\/[^/]+)?)\//.exec(url)?.[1] ??
    url
  );
}

function functionOf({ url, functionName, lineNumber }: Frame): string {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/(?=(?:server|protocol)\/)/, '');
  return `${functionName || '(anonymous)'}  ${file}${file && `:${lineNumber + 1}`}`;
}
