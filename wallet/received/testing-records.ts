import { afterEach, beforeEach } from 'vitest';
import type { ActivityItem } from '../../protocol/messages/wallet-messages.ts';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { txidOf } from '../../protocol/bitcoin/transaction.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { approveAll, ask, openWallet, PASSWORD, pay, someone } from '../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { publicKeyHashes } from '../keys/keys.ts';
import type { SentRecord } from '../../protocol/http/records.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';

export const network = useNetwork();
afterEach(endAllWorkerRuns);

let before: WorkerRun;
export let words: string;
/** The service's record of an earlier payment. `arrived` is its record of a payment received by paymail. */
export let said: SentRecord;
export let to: string;
export let arrived: { txid: string; script: string };

beforeEach(async () => {
  before = await openWallet(network, [1_000_000], { account: true });
  approveAll(before);
  to = someone();
  await ask(before, 'request-1', pay(to, 20_000, { label: 'A book', buttonId: 'order-7' }));
  await before.modules.poll.refresh(wallet);
  const report = [...network.reports.values()].at(-1) as PaymentReport;
  const { origin, clientIdentifier } = report;
  const outputs = report.outputs.map(({ type, to: name, scripts }) => ({ type, to: name, scripts }));
  const txid = txidOf(fromHex(report.rawtx));
  said = { txid, origin, clientIdentifier, ...metadataOf(report), outputs };
  const { publicKeys } = await import('../vault/vault.ts');
  const [hash] = publicKeyHashes(await publicKeys(wallet), 'service', [0]) as [Uint8Array];
  arrived = { txid: await network.faucet(writeAddress(hash, 'devnet'), 7_000), script: toHex(p2pkhScript(hash)) };
  await network.mine();
  words = await before.modules.vault.showWords(wallet, PASSWORD);
});

/** Restores the recovery words in another browser and signs in to the account. */
export async function restored(profile = new Profile(network.url)): Promise<WorkerRun> {
  const run = await profile.start();
  await run.modules.vault.createVault(wallet, words, PASSWORD, true);
  await run.modules.client.signInToAccount(wallet);
  await run.modules.poll.refresh(wallet);
  return run;
}

export const rows = async (run: WorkerRun) =>
  ((await run.modules.handlers.walletHandlers(wallet)['activity/list']({ limit: 100 })) as { items: ActivityItem[] })
    .items;
export const rowOf = async (run: WorkerRun, txid: string) => (await rows(run)).find((row) => row.txid === txid);
export const askService = async () => (await import('./records.ts')).readRecords(wallet);
export const received = () => ({
  txid: arrived.txid,
  scripts: [{ script: arrived.script, satoshis: '7000' }],
  sender: 'bob@two.example',
  senderVerified: true,
  note: 'For the concert',
});
