import { expect } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, pay, someone } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';

export const network = useNetwork();
export const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));

export async function paid(workerRun: WorkerRun, requestId: string, satoshis = 20_000): Promise<void> {
  expect(await ask(workerRun, requestId, pay(someone(), satoshis))).toMatchObject({ status: 'RECEIVED' });
}
