import { useNetwork } from '../../testkit/network/network.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

export const network = useNetwork();

export const handlersOf = (run: WorkerRun) => run.modules.handlers.walletHandlers(wallet);
export const addressOf = async (run: WorkerRun) => (await run.modules.overview.overview(wallet)).receiveAddress;
export async function held(run: WorkerRun) {
  await handlersOf(run)['assets/refresh']({});
  return handlersOf(run)['assets/list']({});
}
