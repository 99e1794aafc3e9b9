import { expect } from 'vitest';
import { p2pkhScript, readAddress } from '../../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { APP, called, output } from '../../../../testkit/wallet/applications.ts';
import { expectKnownInputs, useNetwork } from '../../../../testkit/network/network.ts';
import { give, openWallet, someone, stored } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import type { PaymentRecord } from '../../record.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

export const network = useNetwork();
expectKnownInputs(network);

export const AMOUNT = 20_000;

export const scriptOf = (address: string) => toHex(p2pkhScript(readAddress(address)!.hash));
export const handlers = ({ modules }: WorkerRun) => modules.handlers.walletHandlers(wallet);
export const paidTo = async (address: string) => (await network.unspent(address)).map(({ satoshis }) => satoshis);
export const newest = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.sort((a, b) => a.createdAt - b.createdAt).at(-1) as PaymentRecord;
export const byTxid = async (workerRun: WorkerRun, txid: string | undefined) =>
  (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === txid) as PaymentRecord;

/** Broadcasts a payment as its page could, because the page has its bytes. @returns the HTTP status */
export async function broadcastByPage({ signed }: Pick<PaymentRecord, 'signed'>): Promise<number> {
  const answer = await fetch(`${network.url}/devnet/arc/v1/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rawTx: signed?.rawtx }),
  });
  return answer.status;
}

/** Retries all `signed` payments, then mines a block. */
export async function settle({ modules }: WorkerRun): Promise<void> {
  const db = await modules.database.database(wallet);
  for (const id of await db.getAllKeysFromIndex('payments', 'state', 'signed')) {
    await modules.transition.transition(wallet, id, 'signed', ({ broadcast }) => ({
      broadcast: { ...broadcast, nextAt: 0 },
    }));
    await modules.drive.processPayment(wallet, id);
  }
  await network.mine();
}

/** Asserts that exactly one payment of {@link AMOUNT} is mined, even if every signed transaction is broadcast. */
export async function expectPaidOnce(workerRun: WorkerRun, shop: string): Promise<void> {
  await settle(workerRun);
  const { payments } = await stored(workerRun);
  for (const record of payments) if (record.signed) await broadcastByPage(record);
  await network.mine(2);
  expect(await paidTo(shop)).toEqual([AMOUNT]);
  const attempts = payments.filter(({ signed }) => signed?.rawtx.includes(scriptOf(shop)));
  const inBlock = await Promise.all(attempts.map(({ signed }) => isInBlock(signed?.txid)));
  expect(inBlock.filter(Boolean)).toHaveLength(1);
}

async function isInBlock(txid = ''): Promise<boolean> {
  const answer = await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${txid}/proof/tsc`);
  return answer.ok && (await answer.json()) !== null;
}

export async function walletOf(coins: readonly number[]): Promise<WorkerRun> {
  const workerRun = await openWallet(network, coins);
  await network.mine();
  await workerRun.modules.poll.refresh(wallet);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}

/** Returns the parameters of an action that its application withholds. */
export const kept = (to: string, noSendChange: readonly string[] = [], satoshis = AMOUNT) => ({
  description: 'kept for later',
  outputs: [output(satoshis, scriptOf(to))],
  options: { noSend: true, ...(noSendChange.length > 0 && { noSendChange }) },
});

/** Withholds an action, spends its change in a second one, and aborts the second. @returns both payments */
export async function abortedOnKept(workerRun: WorkerRun, to = someone()): Promise<[PaymentRecord, PaymentRecord]> {
  const first = await called(workerRun, 'createAction', kept(to));
  const second = await called(workerRun, 'createAction', kept(to, first.noSendChange, 500));
  await called(workerRun, 'abortAction', { reference: second.txid! });
  return [await byTxid(workerRun, first.txid), await byTxid(workerRun, second.txid)];
}
