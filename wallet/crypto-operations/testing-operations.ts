import { ECIES, PublicKey } from '@bsv/sdk';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import { type CryptoOperation, type PaymentOptions } from '../../protocol/payments/payment.ts';
import type { ApprovalView, OperationsPromptView } from '../../protocol/messages/wallet-messages.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { approvalOf, approvals } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { timeToRead } from '../../testkit/wallet/clock.ts';

export const network = useNetwork();

export type PaymentResult = PageResults['payment/request'];
export type View = ApprovalView | OperationsPromptView;
interface By {
  origin?: string;
  client?: object;
  automatic?: boolean;
}

export const SECRET = 'the treasure lies under the old oak';

/** Resolves to the page's result, or to the error code. */
export function ask(
  workerRun: WorkerRun,
  id: string,
  options: PaymentOptions,
  { origin = 'https://shop.example', client = {}, automatic = false }: By = {},
): Promise<PaymentResult | string> {
  const sender = { origin, client, message: crypto.randomUUID(), userActivation: 'new' as const, isTop: true };
  return workerRun.modules.pages
    .pageHandlers(wallet)
    ['payment/request']({ id, options, automatic }, sender)
    .catch((error: { code?: string }) => error.code ?? Promise.reject(error as Error));
}
export const only = (...cryptoOperations: CryptoOperation[]): PaymentOptions => ({ outputs: [], cryptoOperations });

/** Reads the only open prompt. Returns its ID and content. */
export async function read(workerRun: WorkerRun): Promise<{ approvalId: string; view: View }> {
  const approvalId = await approvalOf(workerRun);
  return {
    approvalId,
    view: (await workerRun.modules.handlers.walletHandlers(wallet)['approval/read']({ approvalId })) as View,
  };
}
export const decide = (workerRun: WorkerRun, approvalId: string, decision: 'sign' | 'pay' | 'refuse') =>
  workerRun.modules.handlers.walletHandlers(wallet)['approval/decide']({ approvalId, decision });
export const took = () => timeToRead();

/** Reads the window as a user would, then approves and closes it. */
export async function agree(workerRun: WorkerRun): Promise<View> {
  const { approvalId, view } = await read(workerRun);
  await took();
  await decide(workerRun, approvalId, view.kind === 'operations' ? 'sign' : 'pay');
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
  return view;
}

export const identityOf = async (workerRun: WorkerRun) => (await workerRun.modules.vault.publicKeys(wallet)).identity;
/** Returns text encrypted for the wallet's identity by another library. */
export const sealedFor = async (workerRun: WorkerRun, text = SECRET) =>
  toHex(
    Uint8Array.from(
      ECIES.electrumEncrypt([...new TextEncoder().encode(text)], PublicKey.fromString(await identityOf(workerRun))),
    ),
  );
