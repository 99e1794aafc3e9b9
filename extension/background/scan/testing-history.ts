/** Shared by history.test.ts and history.full.test.ts. */
import type { ActivityItem } from '../../../protocol/wallet-messages.ts';
import { useNetwork } from '../testing/network.ts';
import { PASSWORD, sealQuickly } from '../testing/wallet.ts';
import { Profile, type WorkerRun } from '../testing/worker-run.ts';

export const network = useNetwork();

type Modules = Pick<WorkerRun['modules'], 'handlers' | 'overview'>;
export const rowsOf = async ({ handlers }: Modules, filter: object = {}) =>
  ((await handlers.walletHandlers['activity/list']({ limit: 100, ...filter })) as { items: ActivityItem[] }).items.map(
    ({ direction, satoshis, feeSatoshis, txid, counterparty }) => ({
      direction,
      satoshis,
      feeSatoshis,
      txid,
      to: direction === 'sent' ? counterparty : null,
    }),
  );
export const leftOf = async ({ overview }: Modules) => (await overview.overview()).historyLeft;

/** The same words in another browser, until nothing is left to read. */
export async function restored(from: WorkerRun): Promise<WorkerRun> {
  const words = await from.modules.vault.showWords(PASSWORD);
  sealQuickly();
  const run = await new Profile(network.url).start();
  await run.modules.vault.createVault(words, PASSWORD, true);
  await run.modules.poll.refresh();
  return run;
}
