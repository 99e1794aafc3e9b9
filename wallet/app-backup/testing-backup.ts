import type { LogEntry } from '../app-log/entry.ts';
import { Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { keepUnlocked, PASSWORD } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';

export const network = useNetwork();
const WORDS = 'abandon '.repeat(11) + 'about';

/** Starts a wallet with these recovery words in a separate browser. */
export async function walletWith({ words = WORDS, account = true, restored = false } = {}): Promise<WorkerRun> {
  const workerRun = await new Profile(network.url).start();
  const { vault, client } = workerRun.modules;
  await keepUnlocked(workerRun);
  await vault.createVault(wallet, words, PASSWORD, restored);
  if (account) await client.registerAccount(wallet, 'alice', 'Alice');
  return workerRun;
}

export const txidOf = (n: number) => n.toString(16).padStart(64, '0');
export const output = (n: number, more: Partial<LogEntry & { kind: 'output' }> = {}): LogEntry => ({
  kind: 'output',
  outpoint: `${txidOf(n)}.0`,
  satoshis: '1000',
  basket: 'tokens',
  tags: ['blue'],
  customInstructions: null,
  origin: 'https://app.example',
  description: 'A token',
  ...more,
});
export const gone = (n: number): LogEntry => ({
  kind: 'output-gone',
  outpoint: `${txidOf(n)}.0`,
  origin: 'https://app.example',
});

export async function record(workerRun: WorkerRun, ...entries: LogEntry[]): Promise<void> {
  const { database, appRecord } = workerRun.modules;
  await database.inTransaction(wallet, async (tx) => {
    for (const entry of entries) await appRecord.recordEntry(wallet, tx, entry);
  });
}
export const sync = (workerRun: WorkerRun) => workerRun.modules.appSync.syncAppLog(wallet);
export const stateOf = (workerRun: WorkerRun) => workerRun.modules.appState.readState(wallet);
/** Makes the next run read the log again. */
export const forgetReading = (workerRun: WorkerRun) =>
  workerRun.modules.appState.changeState(wallet, (state) => ({
    ...state,
    readAt: 0,
    retry: { attempts: 0, nextAt: 0, problem: null },
  }));
export async function logged(workerRun: WorkerRun): Promise<LogEntry[]> {
  const all = await (await workerRun.modules.database.database(wallet)).getAll('appLog');
  return all.map(({ entry }) => entry);
}
