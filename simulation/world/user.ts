/** Simulates the user, who operates the wallet's windows. */
import type { SiteView } from '../../protocol/messages/wallet-messages.ts';
import type { PromptView } from '../../wallet/prompts/kinds.ts';
import type { PaymentRecord } from '../../wallet/payments/record.ts';
import { isCancellable } from '../../wallet/payments/move.ts';
import type { Browser } from './browser.ts';
import type { Command } from './commands.ts';
import { allowanceOf, expireRejections, isPaidOrPending, type Allowances, type Deal } from './deals.ts';
import type { SignIns } from './sign-ins.ts';
import { spendable } from './spendable.ts';
import type { Random } from '../random.ts';

export const PASSWORD = 'correct horse battery';
/** Recovery words of all simulated wallets except the recipient of assets, from BIP 39's test vectors. */
export const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

/** Interval at which the user checks for a new window (milliseconds). */
const LOOK_MS = 200;
const LOOKS = 20;
type Saying = Extract<Command, { do: 'say' }>;

/** Maximum number of attempts after interruptions. */
const TRIES = 3;

/** The address of a third party. */
const NOBODY = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
/** Minimum amount of a probe (satoshis). */
const PROBED_SATOSHIS = 2_000n;

interface Surroundings {
  readonly browser: Browser;
  readonly random: Random;
  readonly deals: readonly Deal[];
  readonly allowances: Allowances;
  readonly signIns: SignIns;
  readonly scheduler: { readonly now: number };
  readonly clock: { readonly ahead: number };
  sleep(ms: number): Promise<void>;
}

export class User {
  readonly #world: Surroundings;
  readonly #busy = new Set<number>();

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** Milliseconds since 1970 by the browser's clock. */
  get #now(): number {
    return this.#world.scheduler.now + this.#world.clock.ahead;
  }

  /** Forgets the windows in which the user was about to decide, because all windows have closed. */
  forget(): void {
    this.#busy.clear();
  }

  /** Decides in a window that is still waiting for a decision, or in the next window that opens. */
  async say({ what, allowance }: Pick<Saying, 'what' | 'allowance'>, isAwaited = false): Promise<void> {
    const { browser } = this.#world;
    const find = () => [...browser.browser.windows.values()].find(({ id }) => !this.#busy.has(id));
    for (let looks = 0; looks < LOOKS && !find() && browser === this.#world.browser; looks += 1)
      await this.#world.sleep(LOOK_MS);
    const open = browser === this.#world.browser ? find() : undefined;
    if (!open) return;
    this.#busy.add(open.id);
    if (what === 'close') {
      this.#world.browser.closeWindow(open.id);
      return;
    }
    const id = new URL(open.url).searchParams.get('id') ?? '';
    const work =
      what === 'no' ? this.#refuse(open.id, id) : this.#approve(open.id, id, what === 'yes twice', allowance);
    const done = work.catch(() => undefined).finally(() => this.#busy.delete(open.id));
    if (isAwaited) await done;
  }

  /** Retries an operation that was interrupted because the worker was killed. */
  async persist<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if ((error as { code?: string }).code !== 'died' || tries === TRIES) throw error;
        await this.#world.sleep(1000);
      }
    }
  }

  /** Approves all prompts in up to this many windows. */
  async attend(windows: number, allowance?: number): Promise<void> {
    const given = allowance === undefined ? {} : { allowance };
    for (let i = 0; i < windows; i += 1) await this.say({ what: 'yes', ...given }, true);
  }

  async #read(windowId: number, approvalId: string): Promise<{ view: PromptView; deal: Deal | undefined }> {
    const at = { query: `?id=${approvalId}`, windowId };
    const view = await this.#world.browser.ask('approval', 'approval/read', { approvalId }, at);
    if (view.locked) await this.#world.browser.ask('approval', 'vault/unlock', { password: PASSWORD }, at);
    const { deals } = this.#world;
    const isShown = (one: Deal) =>
      view.kind === 'payment' && one.origin === view.origin && view.outputs.some(({ to }) => to === one.to);
    return { view, deal: deals.find(isShown) };
  }

  async #refuse(windowId: number, approvalId: string): Promise<void> {
    const at = { query: `?id=${approvalId}`, windowId };
    await this.persist(async () => {
      const { deal } = await this.#read(windowId, approvalId);
      await this.#world.browser.ask('approval', 'approval/decide', { approvalId, decision: 'refuse' }, at);
      if (deal?.yes === 'none') deal.refusedAt = this.#now;
    });
    this.#world.browser.closeWindow(windowId);
  }

  async #approve(windowId: number, approvalId: string, twice: boolean, allowance = 0): Promise<void> {
    const { browser, allowances } = this.#world;
    const at = { query: `?id=${approvalId}`, windowId };
    let isGiven = false;
    await this.persist(async () => {
      const { view, deal } = await this.#read(windowId, approvalId);
      if (view.kind !== 'payment') {
        await this.#permit(view, approvalId, at);
        return;
      }
      if (view.problem || view.feeSatoshis === null || !deal) return;
      // Users don't approve a retry after a different attempt was reported as paid or pending.
      const isTwin = (one: Deal) => deal.first !== null && one !== deal && (one.first ?? one) === deal.first;
      if (this.#world.deals.some((one) => isTwin(one) && isPaidOrPending(one))) return;
      await this.#world.sleep(this.#world.random.between(510, 900));
      const larger = (one: string, other = 0n) => (BigInt(one) > other ? BigInt(one) : other);
      deal.shown = {
        satoshis: BigInt(view.satoshis),
        fee: larger(view.feeSatoshis, deal.shown?.fee),
        total: larger(view.totalSatoshis ?? '0', deal.shown?.total),
      };
      deal.yes = deal.yes === 'taken' ? 'taken' : 'said';
      deal.isSwiped = false;
      expireRejections(this.#world.deals, this.#now);
      deal.isWarned ||= view.mayPayTwice === true;
      const grant = {
        amount: (allowance / 1e8).toFixed(8),
        currency: 'BSV',
        period: 'month' as const,
        perPayment: null,
        rate: null,
      };
      // A new allowance replaces the previous one and starts unspent.
      if (!isGiven && allowance > 0)
        allowances.set(allowanceOf(deal), (allowances.get(allowanceOf(deal)) ?? 0n) + BigInt(allowance));
      isGiven = true;
      const decide = async () => {
        const yes = { approvalId, decision: 'pay' as const, feeSatoshis: view.feeSatoshis as string };
        await browser.ask('approval', 'approval/decide', { ...yes, ...(allowance > 0 && { grant }) }, at);
        deal.yes = 'taken';
      };
      if (twice)
        await Promise.any([decide(), decide()]).catch((error: AggregateError) => Promise.reject(error.errors[0]));
      else await decide();
    });
    await this.#world.sleep(this.#world.random.between(0, 500));
    browser.closeWindow(windowId);
  }

  async #permit(view: PromptView, approvalId: string, at: { query: string; windowId: number }): Promise<void> {
    const decision = view.kind === 'unlock' ? 'unlock' : view.kind === 'sign-in' ? 'sign' : 'permit';
    await this.#world.sleep(this.#world.random.between(510, 900));
    if (view.kind === 'sign-in') this.#world.signIns.approve(view.text);
    const permitted = view.kind === 'permission-group' ? { permitted: view.wanted.map((_, place) => place) } : {};
    await this.#world.browser.ask('approval', 'approval/decide', { approvalId, decision, ...permitted }, at);
  }

  /** Blocks a site until further notice, unblocks it, or revokes its allowances. */
  async restrain({ what, origin }: { what: 'block' | 'unblock' | 'revoke'; origin: string }): Promise<void> {
    const { browser } = this.#world;
    if (what === 'block') await browser.ask('popup', 'sites/block', { origin, hours: null });
    else if (what === 'unblock') await browser.ask('popup', 'sites/unblock', { origin });
    else {
      const { sites } = await browser.ask('popup', 'sites/list', {});
      const { allowances = [] } = sites.find((one: SiteView) => one.origin === origin) ?? {};
      for (const { token } of allowances) await browser.ask('popup', 'sites/revoke', { token });
    }
  }

  /** Moves to an account at another service. If the move fails, the user has no account. */
  async move(serviceUrl: string): Promise<void> {
    const { browser } = this.#world;
    await browser.ask('popup', 'settings/change', { serviceUrl });
    const { locked } = await browser.ask('popup', 'vault/status', {});
    if (locked) await browser.ask('popup', 'vault/unlock', { password: PASSWORD });
    await browser.ask('popup', 'account/sign-in', {});
  }

  /** Enables one-swipe payments. @param limit the daily limit, which is twice the limit per swipe (satoshis) */
  async limitSwipes(limit: number): Promise<void> {
    const [amount, perPayment] = [limit, Math.ceil(limit / 2)].map((one) => (one / 1e8).toFixed(8)) as [string, string];
    await this.#world.browser.ask('popup', 'swipes/change', { amount, perPayment, currency: 'BSV', rate: null });
  }

  async endActions(): Promise<void> {
    const { browser } = this.#world;
    const isWaiting = ({ state, action }: PaymentRecord) => action && (state === 'signable' || state === 'signed');
    const waiting = browser.data.all<PaymentRecord>('payments').filter(isWaiting);
    for (const origin of new Set(waiting.map((one) => one.origin))) await browser.ask('popup', 'sites/end', { origin });
  }

  /**
   * Quotes a payment of almost all spendable coins.
   * @returns true if the wallet reports insufficient funds, null if unknown
   */
  async probe(): Promise<boolean | null> {
    const { browser } = this.#world;
    const before = spendable(browser);
    if (before < PROBED_SATOSHIS) return null;
    const amount = (Number(before) / 1e8).toFixed(8);
    const quote = await browser.ask('popup', 'send/quote', { recipients: [{ to: NOBODY, amount, currency: 'BSV' }] });
    const isThere = browser === this.#world.browser && spendable(browser) >= before;
    return isThere ? quote.problem?.code === 'insufficient-funds' : null;
  }

  /** Sends money from the popup, or from two windows concurrently with the same request ID. */
  async send(deal: Deal, { satoshis, all, windows }: Extract<Command, { do: 'send' }>): Promise<void> {
    const { browser } = this.#world;
    const amount = all ? null : (satoshis / 1e8).toFixed(8);
    const recipients = [{ to: deal.to, amount, currency: 'BSV' }];
    const { outputs, feeSatoshis, time, ...quote } = await browser.ask('popup', 'send/quote', { recipients });
    if (feeSatoshis === null || outputs.length === 0) return;
    const { locked } = await browser.ask('popup', 'vault/status', {});
    if (locked) await browser.ask('popup', 'vault/unlock', { password: PASSWORD });
    deal.asked = { satoshis: BigInt(quote.satoshis) };
    const total = BigInt(quote.totalSatoshis ?? '0');
    deal.shown = { satoshis: BigInt(quote.satoshis), fee: BigInt(feeSatoshis), total };
    deal.yes = 'said';
    const { mayPayTwice } = quote;
    const sendOutputs = outputs.map(({ type, to, amount, currency, satoshis }) => ({
      type,
      to,
      amount,
      currency,
      satoshis,
    }));
    const pay = async () => {
      const sent = await browser.ask('popup', 'send/pay', {
        requestId: deal.requestId,
        outputs: sendOutputs as never,
        feeSatoshis,
        time,
        ...(mayPayTwice && { mayPayTwice }),
      });
      deal.yes = 'taken';
      deal.answer = { txid: sent.txid };
      deal.txid = sent.txid;
    };
    await Promise.allSettled(Array.from({ length: windows }, () => this.persist(pay)));
  }

  async cancel(deal: Deal): Promise<void> {
    const { browser } = this.#world;
    const { items } = await browser.ask('popup', 'activity/list', { limit: 100 });
    const item = items.find((one) => JSON.stringify(one).includes(deal.to));
    if (!item) return;
    await browser.ask('popup', 'activity/cancel', { id: item.id, feeSatoshis: '1000' });
  }

  /** Cancels all rejected payments, repeatedly if necessary. */
  async cancelUnsent(): Promise<void> {
    const payments = this.#world.browser.data.all<PaymentRecord>('payments');
    const isLeft = ({ replacedBy }: PaymentRecord) =>
      payments.some(({ id, cancel, trouble }) => id === replacedBy && cancel && trouble === 'refused');
    for (const record of payments)
      if (isCancellable(record) || isLeft(record))
        await this.#world.browser
          .ask('popup', 'activity/cancel', { id: record.id, feeSatoshis: '1000' })
          .catch(() => undefined);
  }

  /** Ends transfers of assets whose money has disappeared, after their cancellations. */
  async endTransfers(): Promise<void> {
    const { browser } = this.#world;
    const payments = browser.data.all<PaymentRecord>('payments').filter(({ state }) => state === 'signed');
    const transfers = payments.filter(({ asset }) => asset);
    const cancellations = payments.filter(
      ({ cancel, replaces }) => cancel && transfers.some(({ id }) => id === replaces),
    );
    for (const { id } of [...cancellations, ...transfers]) {
      const { canEnd } = await browser.ask('popup', 'activity/read', { id });
      if (canEnd) await browser.ask('popup', 'activity/end', { id });
    }
  }
}
