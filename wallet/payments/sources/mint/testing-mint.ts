import { expect } from 'vitest';
import { type Asset } from '../../../../protocol/assets/assets.ts';
import type { MintView } from '../../../../protocol/messages/wallet-messages.ts';
import type { PageSender } from '../../../page-handlers.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
  approve,
  openWallet,
  paymentWhere,
  restoreWallet,
  stored,
  wordsOf,
} from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { timeToRead } from '../../../../testkit/wallet/clock.ts';

export const network = useNetwork();

export const ID = '5b0f8f52-6c1e-4f7e-9d55-0a2f6f1c9a10';
export const ASSET: Asset = {
  id: ID,
  name: 'Garden hours',
  description: '',
  avatar: null,
  url: null,
  protocol: 'bsv-21',
  initialSupply: '100050',
  decimals: 2,
  userId: '75101',
  paymailAlias: 'garden',
  paymailDomain: 'localhost',
  state: 'pending',
  tokenId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

/** Opens a wallet with money and an account whose service describes an asset. */
export async function owner(asset: Partial<Asset> = {}, satoshis: readonly number[] = [100_000]): Promise<WorkerRun> {
  const run = await openWallet(network, satoshis, { account: true });
  network.assets.set(ID, { ...ASSET, ...asset });
  return run;
}

let messages = 0;
/** Requests the mint as the page would, with a new message per click. Returns the token ID or the error code. */
export function mint(run: WorkerRun, by: Partial<PageSender> = {}, assetId = ID): Promise<string> {
  messages += 1;
  return run.modules.pages
    .pageHandlers(wallet)
    ['asset/mint'](
      { assetId },
      { origin: network.url, message: `message-${messages}`, client: {}, userActivation: 'new', isTop: true, ...by },
    )
    .then(
      ({ tokenId }) => tokenId,
      (error: { code?: string }) => error.code ?? Promise.reject(error as Error),
    );
}

export const viewOf = async (run: WorkerRun, id: string) =>
  (await run.modules.decide.viewPrompt(wallet, id)) as MintView;

/** Reads the window and approves the mint. @returns the window's contents */
export async function agree(run: WorkerRun, id?: string): Promise<MintView> {
  const approvalId = id ?? (await approvalOf(run));
  const view = await viewOf(run, approvalId);
  await timeToRead();
  await approve(run, approvalId, { decision: 'mint', fee: BigInt(view.feeSatoshis ?? -1) });
  for (const { windowId } of approvals(run)) run.profile.browser.closeWindow(windowId);
  return view;
}

/** Returns the IDs of the tokens at the wallet's addresses according to the ledger. */
export async function onLedger(run: WorkerRun): Promise<string[]> {
  const { coins } = await stored(run);
  const db = await run.modules.database.database(wallet);
  const found: string[] = [];
  for (const { address } of await db.getAll('addresses')) {
    const answer = await fetch(`${network.url}/devnet/ordinals/api/txos/address/${address}/unspent?bsv20=true`);
    const list = (await answer.json()) as { txid: string; vout: number }[];
    found.push(...list.map(({ txid, vout }) => `${txid}_${vout}`));
  }
  expect(coins.filter(({ satoshis, status }) => satoshis === 1n && status === 'available')).toHaveLength(found.length);
  return found;
}

export const assetsOf = (run: WorkerRun) => run.modules.handlers.walletHandlers(wallet)['assets/list']({});
export const rowsOf = async (run: WorkerRun) =>
  (await run.modules.handlers.walletHandlers(wallet)['activity/list']({ limit: 10 })).items;

/** Approves all prompts until the worker stops. */
function agreeToAll(run: WorkerRun): void {
  const look = async () => {
    // Approvals fail in the windows of a stopped worker.
    for (const { id } of approvals(run)) await agree(run, id).catch(() => undefined);
  };
  const again = (): void => {
    if (!run.dead) void look().then(() => setTimeout(again, 40));
  };
  again();
}

/** Waits until the only payment is settled and reported. */
export async function isSettled(run: WorkerRun): Promise<boolean> {
  const { payments } = await stored(run);
  await paymentWhere(run, payments[0]?.id ?? '', ({ state, report }) => state === 'settled' && report.state === 'done');
  return true;
}

/**
 * Mints while the worker crashes at the given point. Returns the number of crash points in the run.
 * @param prepare runs before the mint
 */
export async function mintThroughDeath(
  dieAt: number | string,
  prepare: (run: WorkerRun) => Promise<void> = async () => undefined,
): Promise<number> {
  network.reset();
  const first = await owner();
  await prepare(first);
  first.dieAt(dieAt);
  let run = first;
  let tokenId: string | null = null;
  // The relay repeats the request with the same message ID, and the new worker continues the mint.
  for (let isDone = false; !isDone;) {
    agreeToAll(run);
    tokenId = await run.untilDeath(() => mint(run, { message: 'the click' }));
    isDone = tokenId !== null && (await run.untilDeath(() => isSettled(run))) === true;
    if (run.dead) run = await run.profile.start();
  }
  if (typeof dieAt === 'string') expect(first.crashPoints.at(-1)).toBe(dieAt);
  const points = first.crashPoints.length;
  expect(tokenId).toMatch(/^[0-9a-f]{64}_0$/);
  expect((await stored(run)).payments).toHaveLength(1);
  expect(new Set(network.mints.map((one) => `${one.assetId} ${one.tokenId}`))).toEqual(new Set([`${ID} ${tokenId}`]));
  expect(await onLedger(run)).toEqual([tokenId]);
  expect((await assetsOf(run)).tokens).toMatchObject([{ id: tokenId, amount: '1000.5', word: 'chain' }]);
  return points;
}

/** Mints while the service rejects reports, then restores the wallet. The service then has no record of the token. */
export async function restored(): Promise<{ run: WorkerRun; tokenId: string }> {
  const first = await owner();
  network.refuseReports = 'not-accepted';
  const answer = mint(first);
  await agree(first);
  const tokenId = await answer;
  await network.mine();
  const words = await wordsOf(first);
  first.end();
  const run = await restoreWallet(network, words);
  await run.modules.client.registerAccount(wallet, 'alice', 'Alice');
  await run.modules.poll.refresh(wallet, { all: true });
  // Reset only now, because the first wallet may have been sending a last report.
  network.refuseReports = null;
  network.assets.set(ID, ASSET);
  network.mints.length = 0;
  network.broadcasts.length = 0;
  return { run, tokenId };
}
