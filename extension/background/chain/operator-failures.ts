/** Recent failures of operators, by address. They are stored, because a worker often stops before a wait is over. */
import type { Failure, FailureMemory } from '../../../protocol/broadcaster/operators.ts';
import { changeKey, readKey } from '../database.ts';

const failures = new Map<string, Failure>();
let recalled: Promise<void> | null = null;

const memory: FailureMemory = {
  get: (url) => failures.get(url),
  set(url, failure) {
    failures.set(url, failure);
    store(url, failure);
  },
  delete(url) {
    if (failures.delete(url)) store(url);
  },
};

/** Returns the memory of failures, with those of earlier workers. */
export async function operatorFailures(): Promise<FailureMemory> {
  recalled ??= recall();
  await recalled;
  return memory;
}

async function recall(): Promise<void> {
  for (const [url, failure] of Object.entries((await readKey('network'))?.failures ?? {})) failures.set(url, failure);
}

/** Stores an operator's failure, or that it has none any more. A lost write only means that it is tried sooner. */
function store(url: string, failure?: Failure): void {
  changeKey('network', (stored) => {
    const { [url]: _, ...others } = stored?.failures ?? {};
    return { ...stored, failures: failure ? { ...others, [url]: failure } : others };
  }).catch(() => undefined);
}
