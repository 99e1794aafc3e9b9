import { useNetwork } from '../testing/network.ts';
import { type WorkerRun } from '../testing/worker-run.ts';
import { wallet } from '../testing/current.ts';

export const network = useNetwork();

export const handlersOf = (run: WorkerRun) => run.modules.handlers.walletHandlers(wallet);
export const addressOf = async (run: WorkerRun) => (await run.modules.overview.overview(wallet)).receiveAddress;
export async function held(run: WorkerRun) {
  await handlersOf(run)['assets/refresh']({});
  return handlersOf(run)['assets/list']({});
}
