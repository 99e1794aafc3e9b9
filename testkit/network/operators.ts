/** Test fixture: a wallet on devnet that uses ARC or Arcade, with faults set by a test. */
import { afterEach, expect } from 'vitest';
import type { TestNetwork } from './network.ts';
import { approveAll, ask, openWallet, pay, paymentWhere, someone, stored } from '../wallet/wallet.ts';
import type { WorkerRun } from '../wallet/worker-run.ts';
import { wallet } from '../wallet/current.ts';

/** The operators that devnet simulates. */
export type Operator = 'arc' | 'arcade';

export function useOperators(network: TestNetwork) {
  const setFaults = async (at: Operator, faults: object[]): Promise<void> => {
    const answer = await fetch(`${network.url}/devnet/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-of-test': '1' },
      body: JSON.stringify({ at, faults }),
    });
    expect(answer.status).toBe(200);
  };
  afterEach(async () => {
    await setFaults('arc', []);
    await setFaults('arcade', []);
  });

  /** Configures the wallet's operators in their order of preference, and confirms its coins. */
  const face = async (workerRun: WorkerRun, first: Operator, second: Operator = first): Promise<void> => {
    await network.mine();
    await workerRun.modules.poll.refresh(wallet);
    const { writeKey, readKey } = workerRun.modules.database;
    const kept = await readKey(wallet, 'network');
    await writeKey(wallet, 'settings', {
      ...(await readKey(wallet, 'settings')),
      arcUrl: `${network.url}/devnet/${first}`,
      wocUrl: `${network.url}/devnet/woc/v1/bsv/test`,
    });
    if (kept?.reported)
      await writeKey(wallet, 'network', {
        ...kept,
        reported: { ...kept.reported, arcUrl: `${network.url}/devnet/${second}` },
      });
  };

  /** Opens a wallet that has one confirmed coin and uses these operators in order. */
  const walletAt = async (first: Operator, second: Operator = first): Promise<WorkerRun> => {
    const workerRun = await openWallet(network, [1_000_000]);
    await face(workerRun, first, second);
    approveAll(workerRun);
    return workerRun;
  };

  /**
   * Pays even if the first operator doesn't accept the transaction, and asserts that the recipient gets the originally
   * signed transaction.
   */
  const expectPaid = async (workerRun: WorkerRun): Promise<void> => {
    const to = someone();
    await ask(workerRun, 'request-1', pay(to, 20_000));
    const [payment] = (await stored(workerRun)).payments;
    await paymentWhere(workerRun, payment?.id ?? '', ({ state }) => state !== 'signed');
    expect(await network.unspent(to)).toEqual([{ txid: payment?.signed?.txid, satoshis: 20_000 }]);
  };
  return { setFaults, face, walletAt, expectPaid };
}
