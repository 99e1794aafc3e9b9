import { expect } from 'vitest';
import type { PaymentOptions, RequestedOutput } from '../../../protocol/payments/payment.ts';
import { Issuer } from '../../../testkit/wallet/assets.ts';
import { startHost, startNames } from '../../../testkit/network/hosts.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
  approveAll,
  ask,
  decide,
  openWallet,
  paymentView,
  paymentWhere,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

export const network = useNetwork();
export const handlersOf = (run: WorkerRun) => run.modules.handlers.walletHandlers(wallet);
export const asset = (currency: string, amount: string, to: string = someone()): RequestedOutput => ({
  to,
  amount,
  currency,
});
export const tokenOptions = (...outputs: RequestedOutput[]): PaymentOptions => ({ outputs });

/** Opens a wallet with money and one coin per token amount. */
export async function holder(amounts: readonly bigint[] = [1000n], dec = 1, account = false) {
  const run = await openWallet(network, [100_000, 100_000], { account });
  const issuer = new Issuer(network);
  const all = amounts.reduce((sum, amt) => sum + amt, 0n);
  const { id, coin } = await issuer.mint(all, { dec });
  const to = (await run.modules.overview.overview(wallet)).receiveAddress;
  await issuer.make(
    [coin],
    amounts.map((amt) => issuer.holds(id, amt, to)),
  );
  await handlersOf(run)['assets/refresh']({});
  return { run, id, issuer };
}

export const amountsOf = async (run: WorkerRun) => {
  await handlersOf(run)['assets/refresh']({});
  return (await handlersOf(run)['assets/list']({})).tokens.map(({ amount }) => amount);
};

/** Returns an address's tokens according to the ledger, each as its amount and status (1 if valid). */
export async function heldBy(address: string): Promise<string[]> {
  const answer = await fetch(`${network.url}/devnet/ordinals/api/txos/address/${address}/unspent?bsv20=true`);
  const list = (await answer.json()) as { data: { bsv20: { amt: string; status: number } } }[];
  return list.map(({ data: { bsv20 } }) => `${bsv20.amt} ${bsv20.status}`);
}

/** Requests the payment, reads its window, and approves it. */
export async function paid(run: WorkerRun, options: PaymentOptions, asking: Parameters<typeof ask>[3] = {}) {
  const answer = ask(run, crypto.randomUUID(), options, asking);
  const view = await paymentView(run, await approvalOf(run));
  await decide(run, await approvalOf(run));
  for (const { windowId } of approvals(run)) run.profile.browser.closeWindow(windowId);
  return { view, payment: await answer };
}

/** Opens a wallet with tokens, and starts a paymail host that accepts tokens. */
export async function withHost() {
  const opened = await holder([1000n], 0, true);
  await startNames(opened.run.profile);
  const host = await startHost(opened.run.profile);
  host.takeOrdinals();
  return { ...opened, host };
}

/** Pays while the worker crashes at the given point. Returns the number of crash points in the run. */
export async function payThroughDeath(dieAt: number | string): Promise<number> {
  network.reset();
  const { run, id, host } = await withHost();
  const options = tokenOptions(asset(id, '5', 'bob@pay.example'));
  run.dieAt(dieAt);
  let now = run;
  for (let isDone = false; !isDone;) {
    approveAll(now);
    const answer = await now.untilDeath(() => ask(now, 'the request', options));
    if (typeof answer === 'string') throw new Error(answer);
    const isWhole: Parameters<typeof paymentWhere>[2] = ({ state, report }) =>
      state === 'settled' && report.state === 'done';
    isDone = answer !== null && (await now.untilDeath(() => paymentWhere(now, answer.id, isWhole))) !== null;
    if (now.dead) now = await now.profile.start();
  }
  const points = run.crashPoints.length;
  const { payments, requests, coins } = await stored(now);
  expect([payments.length, requests]).toEqual([1, []]);
  expect(payments[0]?.deliveries).toMatchObject([{ state: 'done' }]);
  expect(new Set(host.ordinals.taken)).toEqual(new Set([payments[0]?.signed?.txid]));
  expect((await Promise.all(host.ordinals.addresses.map(heldBy))).flat()).toEqual(['5 1']);
  expect(network.reports.has(payments[0]?.id ?? '')).toBe(true);
  expect(await amountsOf(now)).toEqual(['995']);
  expect(coins.filter(({ status }) => status !== 'spent' && status !== 'available')).toEqual([]);
  endAllWorkerRuns();
  return points;
}

/**
 * Starts a service that resolves every name at the domain to this token. By default, the domain is the origin's host.
 */
export async function namingHost(run: WorkerRun, origin: string, id: string, domain = new URL(origin).host) {
  const host = await startHost(run.profile, origin);
  host.capabilities.asset = `${origin}/api/v2/assets/{alias}@{domain.tld}`;
  host.instead.set('api', ({ url = '' }, response) => {
    const name = decodeURIComponent(url.split('/').at(-1) ?? '');
    const [paymailAlias, paymailDomain = domain] = name.split('@');
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        url.endsWith('/network') ? { network: 'devnet' } : { id: name, tokenId: id, paymailAlias, paymailDomain },
      ),
    );
  });
  return host;
}

/**
 * Returns a function that chooses coins for an amount. The wallet has verified the coins in `own`. Only the index
 * vouches for those in `told`.
 */
export async function withWords(own: readonly bigint[], told: readonly bigint[]) {
  const { run, id } = await holder([...own, ...told], 0);
  const db = await run.modules.database.database(wallet);
  const { spendableTokens, tokenCoins } = await import('./token-coins.ts');
  for (const { amt, record } of await spendableTokens(wallet, id))
    if (told.includes(amt) && record?.verdict)
      await db.put('assets', { ...record, verdict: { ...record.verdict, word: 'index' } });
  const amounts = new Map((await spendableTokens(wallet, id)).map(({ coin, amt }) => [coin.outpoint, amt]));
  return async (units: bigint) =>
    (await tokenCoins(wallet, id, units)).coins.map(({ outpoint }) => amounts.get(outpoint));
}
