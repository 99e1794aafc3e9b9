import { expect } from 'vitest';
import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { useOperators, type Operator } from '../../../testkit/network/operators.ts';
import {
  approveAll,
  ask,
  openWallet,
  pay,
  PASSWORD,
  paymentWhere,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { Profile, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

export const network = useNetwork();
export const { setFaults, face } = useOperators(network);

type Modules = Pick<WorkerRun['modules'], 'handlers' | 'overview'>;
export const rowsOf = async ({ handlers }: Modules, filter: object = {}) =>
  (
    (await handlers.walletHandlers(wallet)['activity/list']({ limit: 100, ...filter })) as { items: ActivityItem[] }
  ).items.map(({ direction, satoshis, feeSatoshis, txid, counterparty }) => ({
    direction,
    satoshis,
    feeSatoshis,
    txid,
    to: direction === 'sent' ? counterparty : null,
  }));
export const leftOf = async ({ overview }: Modules) => (await overview.overview(wallet)).historyLeft;

/** Restores the same recovery words in another browser, with the same operators, and refreshes once. */
export async function restored(from: WorkerRun): Promise<WorkerRun> {
  const words = await from.modules.vault.showWords(wallet, PASSWORD);
  const { readKey } = from.modules.database;
  const [settings, known] = await Promise.all([readKey(wallet, 'settings'), readKey(wallet, 'network')]);
  const run = await new Profile(network.url).start();
  await run.modules.database.writeKey(wallet, 'settings', { ...settings });
  if (known?.reported) await run.modules.database.writeKey(wallet, 'network', { reported: known.reported });
  await run.modules.vault.createVault(wallet, words, PASSWORD, true);
  await run.modules.poll.refresh(wallet);
  return run;
}

/** Returns the rows in an order independent of when they were read. */
export const sortedRows = async (modules: Modules) =>
  (await rowsOf(modules)).toSorted((a, b) => String(a.txid).localeCompare(String(b.txid)));

/**
 * Checks that the recovery words restore the history and the coins through these operators, that the restored wallet
 * can pay, and that a block confirms its payment and a payment that was pending before the restore.
 * @param fault the first operator's fault, already present before the restore
 */
export async function expectRestored(first: Operator, second: Operator, fault?: object): Promise<void> {
  const before = await openWallet(network, [1_000_000, 70_000]);
  await face(before, first, second);
  approveAll(before);
  await ask(before, 'request-1', pay(someone(), 20_000));
  await network.mine();
  await ask(before, 'request-2', pay(someone(), 30_000)); // unconfirmed
  await before.modules.poll.refresh(wallet);
  const expected = await sortedRows(before.modules);
  expect(expected.map(({ direction }) => direction).sort()).toEqual(['received', 'received', 'sent', 'sent']);
  const { satoshis } = await before.modules.store.balance(wallet);

  if (fault) await setFaults(first, [fault]);
  const after = await restored(before);
  expect(await sortedRows(after.modules)).toEqual(expected);
  expect(await leftOf(after.modules)).toBeNull();
  expect((await after.modules.store.balance(wallet)).satoshis).toBe(satoshis);

  approveAll(after);
  const to = someone();
  await ask(after, 'request-3', pay(to, 40_000));
  const [payment] = (await stored(after)).payments;
  const paid = await paymentWhere(after, payment?.id ?? '', ({ state }) => state !== 'signed');
  await network.mine();
  await paymentWhere(after, paid.id, ({ height }) => height !== null);
  expect(await network.unspent(to)).toEqual([{ txid: paid.signed?.txid, satoshis: 40_000 }]);
  await after.modules.poll.refresh(wallet);
  expect(await rowsOf(after.modules, { status: 'COMPLETED' })).toHaveLength(5);
}
