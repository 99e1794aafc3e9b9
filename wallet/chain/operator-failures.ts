/** Recent failures of operators by URL. Stored, because a worker often stops before the retry delay is over. */
import type { Failure, FailureMemory } from '../../protocol/network/broadcaster/operators.ts';
import { changeKey, readKey } from '../store/database.ts';
import { part, type Wallet } from '../platform.ts';

const failures = part(() => new Map<string, Failure>());
const rememberedOf = part(() => ({
  recalled: null as Promise<void> | null,
}));

const memory = part((wallet): FailureMemory => ({
  get: (url) => failures(wallet).get(url),
  set(url, failure) {
    failures(wallet).set(url, failure);
    store(wallet, url, failure);
  },
  delete(url) {
    if (failures(wallet).delete(url)) store(wallet, url);
  },
}));

/** Returns the recorded failures, including those stored by earlier workers. */
export async function operatorFailures(wallet: Wallet): Promise<FailureMemory> {
  const remembered = rememberedOf(wallet);
  remembered.recalled ??= recall(wallet);
  await remembered.recalled;
  return memory(wallet);
}

async function recall(wallet: Wallet): Promise<void> {
  for (const [url, failure] of Object.entries((await readKey(wallet, 'network'))?.failures ?? {}))
    failures(wallet).set(url, failure);
}

/** Stores an operator's failure or success. If the write is lost, the operator is only retried sooner. */
function store(wallet: Wallet, url: string, failure?: Failure): void {
  changeKey(wallet, 'network', (stored) => {
    const { [url]: _, ...others } = stored?.failures ?? {};
    return { ...stored, failures: failure ? { ...others, [url]: failure } : others };
  }).catch(() => undefined);
}
