import { expect, vi } from 'vitest';
import type { PageMethod, PageParams } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { WalletParams } from '../../protocol/messages/wallet-messages.ts';
import type { PageSender } from '../page-handlers.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { openWallet, pay, stored } from '../../testkit/wallet/wallet.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';
import { timeToRead } from '../../testkit/wallet/clock.ts';

export const network = useNetwork();

export const ORIGIN = 'https://shop.example';
const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
type Decision = Omit<WalletParams<'approval/decide'>, 'approvalId'>;

export interface Kind {
  name: string;
  /** Returns the page's message. For the wallet's own prompts, makes the request. `n` distinguishes requests. */
  request: (
    n: number,
    workerRun: WorkerRun,
    sender: PageSender,
  ) => { [M in PageMethod]: [M, PageParams<M>] }[PageMethod] | Promise<object>;
  /**
   * True if prompts are named after their contents. Such prompts are queued, and can reopen after their page was
   * unloaded.
   */
  named?: true;
  yes: Decision;
  declined: string;
  closed: string;
  /** Tests every `stride`-th crash point. wallet/payments/runner/crash.full.test.ts tests those of payments. */
  stride: number;
  /** Returns how many times an approval has taken effect: 1 after one approval. */
  brought: (workerRun: WorkerRun, answer: unknown) => Promise<number>;
}

const requestOf = (options: PaymentOptions, n: number): PageParams<'payment/request'> => ({
  id: `request-${n}`,
  options,
});
/** When the sign-in challenge was issued, according to the wallet's clock. Repeated requests contain the same time. */
let issuedAt = 0;

export async function wallet(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [1_000_000]);
  issuedAt = Date.now();
  return workerRun;
}

export const kinds: Kind[] = [
  {
    name: 'payment',
    request: (n) => ['payment/request', requestOf(pay(TO, 1000), n)],
    yes: { decision: 'pay' },
    declined: 'refused',
    closed: 'approval-closed',
    stride: 16,
    brought: async (workerRun, answer) =>
      (await stored(workerRun)).payments.filter(({ id, signed }) => signed && id === (answer as Answered).payment.id)
        .length,
  },
  {
    name: 'allowance',
    request: () => ['allowance/ask', { clientIdentifier: 'app' }],
    yes: { decision: 'grant', grant: { amount: '1', currency: 'BSV', period: 'week', perPayment: null, rate: null } },
    declined: 'allowance-refused',
    closed: 'allowance-refused',
    stride: 10,
    brought: async (workerRun, answer) =>
      (await (await workerRun.modules.database.database(current)).getAll('allowances')).filter(
        ({ id }) => id === (answer as { token: string }).token,
      ).length,
  },
  {
    name: 'sign-in',
    request: () => [
      'identity/sign-in',
      {
        nonce: 'nonce-0123456789abcdef',
        issuedAt: new Date(issuedAt).toISOString(),
        expiresAt: new Date(issuedAt + 600_000).toISOString(),
        register: null,
      },
    ],
    yes: { decision: 'sign' },
    declined: 'sign-in-refused',
    closed: 'sign-in-refused',
    stride: 10,
    brought: answersKept,
  },
  {
    name: 'operations',
    request: (n) => [
      'payment/request',
      requestOf(
        {
          outputs: [],
          cryptoOperations: [
            { name: 'sealed', method: 'encrypt', data: 'x' },
            { name: 'mark', method: 'sign', data: 'y' },
          ],
        },
        n,
      ),
    ],
    yes: { decision: 'sign' },
    declined: 'operation-refused',
    closed: 'operation-refused',
    stride: 10,
    brought: answersKept,
  },
  {
    name: 'permission',
    request: async (n, workerRun, sender) => {
      await workerRun.modules.permissions.requirePermission(current, { kind: 'basket', basket: `basket ${n}` }, sender);
      return {};
    },
    named: true,
    yes: { decision: 'permit' },
    declined: 'permission-refused',
    closed: 'permission-refused',
    stride: 10,
    // A site's first permission also stores `connect`.
    brought: async (workerRun) =>
      (await (await workerRun.modules.database.database(current)).getAll('permissions')).filter(
        ({ permission }) => permission.kind !== 'connect',
      ).length,
  },
];

interface Answered {
  payment: { id: string };
}

/** Counts answered prompts, for kinds in which an approval has no other effect. */
async function answersKept(workerRun: WorkerRun): Promise<number> {
  const prompts = await (await workerRun.modules.database.database(current)).getAll('prompts');
  return prompts.filter(({ outcome }) => outcome !== null && 'answer' in outcome).length;
}

/** Sends the page's request as the router does, and returns the answer or the error's code. */
export function ask(
  workerRun: WorkerRun,
  kind: Kind,
  { n = 1, ...by }: Partial<PageSender> & { n?: number } = {},
): Promise<unknown> {
  const sender: PageSender = {
    origin: ORIGIN,
    message: `message-${n}`,
    client: {},
    userActivation: 'new',
    isTop: true,
    ...by,
  };
  const request = kind.request(n, workerRun, sender);
  const answer = request instanceof Promise ? request : handled(workerRun, request, sender);
  return answer.catch((error: { code?: string }) => error.code ?? 'internal');
}

const handled = (workerRun: WorkerRun, [method, params]: [PageMethod, unknown], sender: PageSender) =>
  (workerRun.modules.pages.pageHandlers(current)[method] as (p: unknown, s: PageSender) => Promise<unknown>)(
    params,
    sender,
  );

export const open = async (workerRun: WorkerRun) => (await workerRun.modules.promptStore.openPrompts(current))[0];
export const read = (workerRun: WorkerRun, approvalId: string) =>
  workerRun.modules.handlers.walletHandlers(current)['approval/read']({ approvalId });
export const decide = (workerRun: WorkerRun, approvalId: string, decision: Decision): Promise<string> =>
  workerRun.modules.handlers
    .walletHandlers(current)
    ['approval/decide']({ approvalId, ...decision })
    .then(
      () => 'taken',
      (error: { code: string }) => error.code,
    );
export const NO: Decision = { decision: 'refuse' };

export async function agree(workerRun: WorkerRun, approvalId: string, { yes }: Kind): Promise<string> {
  await read(workerRun, approvalId);
  await timeToRead();
  return decide(workerRun, approvalId, yes);
}

export const noted = (workerRun: WorkerRun) =>
  vi.waitFor(async () => expect((await open(workerRun))?.window.windowId).toEqual(expect.any(Number)));
