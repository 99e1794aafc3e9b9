/** Performs actions of users and pages in tests of the entire wallet. */
import { vi } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import type { ApprovalView } from '../../protocol/messages/wallet-messages.ts';
import type { Payment, PaymentOptions } from '../../protocol/payments/payment.ts';
import type { Allowance, AllowanceKey, AllowanceKind, Terms } from '../../wallet/allowances/allowance.ts';
import { ceilingAt, amountOf } from '../../wallet/allowances/decide.ts';
import type { PaymentRecord, PaymentRequest } from '../../wallet/payments/record.ts';
import type { PaymentResponse } from '../../wallet/payments/sources/page/request.ts';
import type { Approval } from '../../wallet/prompts/kinds.ts';
import type { TrustedSwipe } from '../../wallet/payments/sources/page/trusted-swipe.ts';
import type { Coin } from '../../wallet/coins/coin.ts';
import { type WorkerRun, Profile } from './worker-run.ts';
import { RATES, type TestNetwork } from '../network/network.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { wallet } from './current.ts';
import { nextWords } from './known-words.ts';
import { timeToRead } from './clock.ts';

export const PASSWORD = 'correct horse battery';

/** Sets auto-lock to 10 hours, because the default of 15 minutes passes in 45 seconds on the fast test clock. */
export async function keepUnlocked({ modules }: WorkerRun): Promise<void> {
  await modules.handlers.walletHandlers(wallet)['settings/change']({ lockAfterMinutes: 600 });
}

/**
 * Creates a wallet with these coins (satoshis).
 * @param account true to also register an account so that the wallet reports its payments
 */
export async function openWallet(
  network: Pick<TestNetwork, 'url' | 'faucet'>,
  satoshis: readonly number[],
  { account = false } = {},
): Promise<WorkerRun> {
  const workerRun = await new Profile(network.url).start();
  const { vault, overview, poll, words, client, database, addresses } = workerRun.modules;
  await keepUnlocked(workerRun);
  const known = nextWords(words.freshWords);
  await vault.createVault(wallet, known.words, PASSWORD, false);
  const db = await database.database(wallet);
  if (known.addresses) {
    const tx = db.transaction('addresses', 'readwrite');
    await Promise.all([...known.addresses.map((address) => tx.store.put(address)), tx.done]);
  } else {
    await addresses.extendAddresses(wallet, await vault.publicKeys(wallet), 'devnet');
    known.addresses = await db.getAll('addresses');
  }
  if (account) await client.registerAccount(wallet, 'alice', 'Alice');
  const { receiveAddress } = await overview.overview(wallet);
  for (const value of satoshis) await network.faucet(receiveAddress, value);
  if (satoshis.length > 0) await poll.refresh(wallet);
  return workerRun;
}

/** Returns a wallet's recovery words. */
export const wordsOf = ({ modules }: WorkerRun): Promise<string> => modules.vault.showWords(wallet, PASSWORD);

/** Starts another browser's wallet with the same recovery words, without refreshing it. */
export async function restoreWallet({ url }: Pick<TestNetwork, 'url'>, words: string): Promise<WorkerRun> {
  const workerRun = await new Profile(url).start();
  await keepUnlocked(workerRun);
  await workerRun.modules.vault.createVault(wallet, words, PASSWORD, true);
  return workerRun;
}

/** Returns a new address whose key is unknown. */
export const someone = () => writeAddress(crypto.getRandomValues(new Uint8Array(20)), 'devnet');

/** Creates a request for a payment in BSV to an address. */
export function pay(to: string, satoshis: number, more: Partial<PaymentOptions> = {}): PaymentOptions {
  return { outputs: [{ to, amount: (satoshis / 1e8).toFixed(8), currency: 'BSV' }], ...more };
}

/** Returns the open approval windows with the prompt IDs from their URLs. */
export function approvals(workerRun: WorkerRun): { id: string; windowId: number }[] {
  return [...workerRun.profile.browser.windows.values()].map(({ id, url }) => ({
    windowId: id,
    id: new URL(url).searchParams.get('id') ?? '',
  }));
}

/** Waits for an approval window. @returns the prompt's ID */
export async function approvalOf(workerRun: WorkerRun, count = 1): Promise<string> {
  return vi.waitFor(
    () => {
      const open = approvals(workerRun);
      if (open.length < count) throw new Error('no window yet');
      return (open.at(-1) as { id: string }).id;
    },
    { interval: 2 },
  );
}

/** Returns the content of a payment's approval window. */
export async function paymentView(workerRun: WorkerRun, approvalId: string): Promise<ApprovalView> {
  return (await workerRun.modules.decide.viewPrompt(wallet, approvalId)) as ApprovalView;
}

/** Approves immediately. `fee` is the displayed fee, and `terms` grant an allowance. */
export function approve(
  workerRun: WorkerRun,
  approvalId: string,
  {
    decision = 'pay',
    fee,
    terms,
    permitted,
  }: {
    decision?: Approval['decision'];
    fee?: bigint | undefined;
    terms?: Terms | undefined;
    permitted?: number[];
  } = {},
): Promise<void> {
  return workerRun.modules.decide.approvePrompt(wallet, approvalId, {
    decision,
    ...(permitted && { permitted }),
    ...(fee !== undefined && { feeSatoshis: `${fee}` }),
    ...(terms && {
      grant: {
        amount: amountOf(terms.limit),
        currency: terms.currency,
        period: terms.period,
        perPayment: terms.perPayment === null ? null : amountOf(terms.perPayment),
        rate: terms.ceiling ? { price: terms.ceiling.price, dollar: terms.ceiling.dollar } : null,
      },
    }),
  });
}

export function decline(workerRun: WorkerRun, approvalId: string): Promise<void> {
  return workerRun.modules.decide.rejectPrompt(wallet, approvalId);
}

/** Reads a window, waits until it accepts decisions, and decides. */
export async function decide(
  workerRun: WorkerRun,
  approvalId: string,
  decision: 'pay' | 'refuse' = 'pay',
): Promise<void> {
  const view = await paymentView(workerRun, approvalId);
  if (decision === 'refuse') return decline(workerRun, approvalId);
  if (view.problem) throw Object.assign(new Error(view.problem.message), { code: view.problem.code });
  await timeToRead();
  await approve(workerRun, approvalId);
}

/** Approves every prompt until the run ends. Closes windows whose prompt no longer exists. */
export function approveAll(workerRun: WorkerRun): void {
  const taken = new Set<string>();
  const look = (): void => {
    if (workerRun.dead) return;
    for (const { id, windowId } of approvals(workerRun)) {
      if (taken.has(id)) continue;
      taken.add(id);
      decide(workerRun, id).then(
        () => workerRun.profile.browser.closeWindow(windowId),
        (error: { code?: string }) => {
          if (error.code === 'approval-unknown' && !workerRun.dead) workerRun.profile.browser.closeWindow(windowId);
          else taken.delete(id);
        },
      );
    }
    setTimeout(look, 40);
  };
  look();
}

/** The caller of a request, by default with a new user gesture. */
export interface Asking {
  origin?: string;
  client?: object;
  automatic?: boolean;
  userActivation?: UserActivation;
  /** The origin of the button's service, as reported by the page. */
  service?: string;
  /** The plan that the user approved by a swipe in the wallet's own frame. */
  swiped?: TrustedSwipe;
}

/** Requests a payment as a page does. @returns the response, or the error code */
export function askFor(
  workerRun: WorkerRun,
  requestId: string,
  options: PaymentOptions,
  {
    origin = 'https://shop.example',
    client = {},
    automatic = false,
    userActivation = 'new',
    service,
    swiped,
  }: Asking = {},
): Promise<PaymentResponse | string> {
  return workerRun.modules.request
    .requestPayment(wallet, origin, requestId, options, client, {
      automatic,
      userActivation,
      ...(service !== undefined && { service }),
      ...(swiped && { swiped }),
    })
    .catch(codeOrThrow);
}

function codeOrThrow(error: { code?: string }): string {
  if (error.code === undefined || error.code === 'internal') throw error;
  return error.code;
}

/** Like {@link askFor}, but returns only the payment from the response. */
export async function ask(
  workerRun: WorkerRun,
  requestId: string,
  options: PaymentOptions,
  asking: Asking = {},
): Promise<Payment | string> {
  const answer = await askFor(workerRun, requestId, options, asking);
  return typeof answer === 'string' ? answer : answer.payment;
}

/** Swipes in the wallet's own frame, then sends the page's request, as its button does. */
export async function swipe(
  workerRun: WorkerRun,
  requestId: string,
  options: PaymentOptions,
  { origin = 'https://shop.example', service, ...asking }: Asking = {},
): Promise<Payment | string> {
  const swiped = await workerRun.modules.planSwipe.planSwipe(wallet, { options, origin, service: service ?? null });
  return ask(workerRun, requestId, options, { origin, ...(service !== undefined && { service }), swiped, ...asking });
}

/** Returns all stored coins, payments, and requests that are being quoted. */
export async function stored(
  workerRun: WorkerRun,
): Promise<{ coins: Coin[]; requests: PaymentRequest[]; payments: PaymentRecord[] }> {
  const db = await workerRun.modules.database.database(wallet);
  return {
    coins: await db.getAll('coins'),
    requests: await db.getAll('requests'),
    payments: await db.getAll('payments'),
  };
}

/** A replacer for JSON.stringify that formats an asset's bigint units as strings. */
const writable = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** Waits until a stored payment meets a condition. */
export async function paymentWhere(
  workerRun: WorkerRun,
  id: string,
  wanted: (record: PaymentRecord) => boolean,
): Promise<PaymentRecord> {
  return vi.waitFor(
    async () => {
      const record = await workerRun.modules.transition.readPayment(wallet, id);
      if (!record || !wanted(record))
        throw new Error(
          `payment is ${JSON.stringify({ ...record, signed: undefined, quote: undefined, options: undefined, allowance: undefined, approval: undefined, action: undefined }, writable)}`,
          {},
        );
      return record;
    },
    { interval: 10 },
  );
}

/**
 * Grants a site an allowance for automatic payments or swipes, as the user does.
 * @param spent the amount that is already used
 */
export async function give(
  workerRun: WorkerRun,
  {
    origin = 'https://shop.example',
    clientIdentifier = '',
    kind = 'automatic' as AllowanceKind,
    currency = 'USD',
    limit = 5_00000000n,
    perPayment = null,
    period = 'week',
    spent = 0n,
    id = 'token-0123456789',
    resetsAt,
    ceiling = currency === 'BSV'
      ? null
      : ceilingAt({ limit, perPayment }, { price: RATES[currency as keyof typeof RATES], dollar: RATES.USD }),
  }: Partial<Allowance> = {},
): Promise<AllowanceKey> {
  const key: AllowanceKey = [origin, clientIdentifier, kind];
  await workerRun.modules.database.inTransaction(wallet, async (tx) => {
    await workerRun.modules.spend.grant(wallet, tx, key, { currency, limit, perPayment, period, ceiling }, id);
    const stored = await tx.objectStore('allowances').get(key);
    if (stored)
      await tx
        .objectStore('allowances')
        .put({ ...stored, spent, ...(resetsAt !== undefined && { resetsAt, periodStart: 0 }) });
  });
  return key;
}
