/** For tests: what pay-token.test.ts and pay-token.full.test.ts share. */
import type { PaymentOptions, RequestedOutput } from '../../../protocol/payment.ts';
import { Issuer } from '../testing/assets.ts';
import { useNetwork } from '../testing/network.ts';
import { approvalOf, approvals, ask, decide, openWallet, paymentView, someone } from '../testing/wallet.ts';
import { type WorkerRun } from '../testing/worker-run.ts';

export const network = useNetwork();
export const handlersOf = (run: WorkerRun) => run.modules.handlers.walletHandlers;
export const asset = (currency: string, amount: string, to: string = someone()): RequestedOutput => ({
  to,
  amount,
  currency,
});
export const wants = (...outputs: RequestedOutput[]): PaymentOptions => ({ outputs });

/** A wallet with money and so much of a token, in as many coins. */
export async function holder(amounts: readonly bigint[] = [1000n], dec = 1, account = false) {
  const run = await openWallet(network, [100_000, 100_000], { account });
  const issuer = new Issuer(network);
  const all = amounts.reduce((sum, amt) => sum + amt, 0n);
  const { id, coin } = await issuer.mint(all, { dec });
  const to = (await run.modules.overview.overview()).receiveAddress;
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

/** What an address holds of tokens, by the ledger, and whether that is valid. */
export async function heldBy(address: string): Promise<string[]> {
  const answer = await fetch(`${network.url}/devnet/ordinals/api/txos/address/${address}/unspent?bsv20=true`);
  const list = (await answer.json()) as { data: { bsv20: { amt: string; status: number } } }[];
  return list.map(({ data: { bsv20 } }) => `${bsv20.amt} ${bsv20.status}`);
}

/** Asks, reads the window, and approves. */
export async function paid(run: WorkerRun, options: PaymentOptions, asking: Parameters<typeof ask>[3] = {}) {
  const answer = ask(run, crypto.randomUUID(), options, asking);
  const view = await paymentView(run, await approvalOf(run));
  await decide(run, await approvalOf(run));
  for (const { windowId } of approvals(run)) run.profile.browser.closeWindow(windowId);
  return { view, payment: await answer };
}
