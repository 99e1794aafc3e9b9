/**
 * One simulated world: a user, a browser with the wallet, pages of several sites, and the network. Commands make things happen in it;
 * between them the scheduler runs what follows.
 */
import { writeAddress } from '../protocol/address.ts';
import { CHANNEL, PAGE_PORT } from '../protocol/wire.ts';
import type { PageReply } from '../protocol/page-messages.ts';
import type { PaymentOptions } from '../protocol/payment.ts';
import type { ApprovalView } from '../protocol/wallet-messages.ts';
import { isCancellable, isLive, type PaymentRecord } from '../extension/background/payment/record.ts';
import { Browser, Port, type Parts } from './browser.ts';
import type { Command } from './commands.ts';
import { allowanceOf, type Allowances, type Deal } from './deals.ts';
import { Network, SERVICE } from './network.ts';
import type { Program } from './program.ts';
import { Random } from './random.ts';
import { Scheduler } from './scheduler.ts';
import type { DatabaseEngine } from './stored.ts';

/** Of every wallet here. */
export const PASSWORD = 'correct horse battery';
export const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

/** In the middle of a month, so that no period ends (milliseconds since 1970). */
const BEGIN = Date.UTC(2026, 4, 5, 12);
/** How long a page's relay waits before it connects again (milliseconds). */
const RECONNECT_MS = 250;
/** How long a person looks out for a window, and how often (milliseconds). */
const LOOK_MS = 200;
const LOOKS = 20;
/** How often a person tries again what was cut off. */
const TRIES = 3;

/** What a world needs of the process. */
export interface Machine {
  engine: DatabaseEngine;
  background: Program;
}

/** See the file's comment. */
export class World {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly network: Network;
  browser: Browser;
  /** How many browsers there were. */
  browsers = 1;
  readonly deals: Deal[] = [];
  readonly allowances: Allowances = new Map();
  /** Payments to the wallet that came out of nowhere, oldest first. */
  readonly received: string[] = [];
  receiveAddress = '';
  readonly #machine: Machine;
  readonly #parts: Parts;
  readonly #windows = new Set<number>();
  readonly #leave = new Map<Deal, () => void>();

  constructor(machine: Machine, seed: number, from: World | null = null) {
    this.random = new Random(seed);
    this.scheduler = new Scheduler(this.random, from?.scheduler.now ?? BEGIN);
    this.network = new Network(this.random, this.scheduler, from?.network ?? null);
    this.#machine = machine;
    this.#parts = {
      random: this.random,
      scheduler: this.scheduler,
      engine: machine.engine,
      background: machine.background,
      serviceUrl: SERVICE,
      send: (request, answer, fail) => this.network.send(request, answer, fail),
    };
    this.browser = new Browser(this.#parts, machine.engine.open(from?.browser.data ?? null));
    if (!from) return;
    this.browser.take(from.browser);
    this.receiveAddress = from.receiveAddress;
  }

  /** Waits, as a person does. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.scheduler.add('sleep', () => resolve(), { after: ms }));
  }

  /** Does something to its end, for all the time that it takes. @throws what it throws */
  async finish<T>(work: Promise<T>, atMost = 600_000): Promise<T> {
    let outcome: { value: T } | { error: unknown } | null = null;
    work.then(
      (value) => (outcome = { value }),
      (error: unknown) => (outcome = { error }),
    );
    await this.scheduler.pass(0);
    await this.scheduler.pass(atMost, () => outcome !== null);
    const ended = outcome as { value: T } | { error: unknown } | null;
    if (ended === null) throw new Error('it never ends');
    if ('error' in ended) throw ended.error;
    return ended.value;
  }

  /** Makes a wallet, with an account and some coins: what each simulation begins with. */
  async prepare(satoshis: readonly number[]): Promise<void> {
    const { browser, network } = this;
    await this.finish(browser.ask('onboarding', 'vault/create', { words: WORDS, password: PASSWORD, restored: false }));
    await this.finish(browser.ask('onboarding', 'account/register', { handle: 'alice', name: 'Alice' }));
    await this.finish(browser.ask('popup', 'settings/change', { lockAfterMinutes: 24 * 60 }));
    this.receiveAddress = (await this.finish(browser.ask('popup', 'wallet/overview', {}))).receiveAddress;
    for (const value of satoshis) await network.pay(this.receiveAddress, value);
    network.mine();
    await this.finish(browser.ask('popup', 'wallet/refresh', { all: true }));
    await this.scheduler.pass(60_000);
    browser.kill();
  }

  /** Has something happen, and lets the world go on for a while. */
  async run({ steps, ms, ...command }: Command): Promise<void> {
    this.scheduler.note(JSON.stringify(command));
    await this.#begin(command);
    if (ms !== undefined) await this.scheduler.pass(ms);
    for (let i = 0; i < (steps ?? 0); i += 1) if (!(await this.scheduler.step(this.scheduler.now + 3000))) break;
  }

  async #begin(command: Command): Promise<void> {
    const { network, browser, random } = this;
    switch (command.do) {
      case 'ask':
        return this.#ask(command);
      case 'ask again':
      case 'leave':
      case 'cancel': {
        const deal = this.deals[command.deal % Math.max(1, this.deals.length)];
        if (!deal) return undefined;
        if (command.do === 'leave') this.#leave.get(deal)?.();
        else if (command.do === 'cancel') void this.#cancel(deal).catch(() => undefined);
        else if (deal.origin !== '' && deal.answer && deal.browser === this.browsers) this.#request(deal, true);
        return undefined;
      }
      case 'say':
        void this.#say(command);
        return undefined;
      case 'send': {
        const work = this.#send(command);
        work.catch((e) => globalThis.STAT?.('send '+e.code));
        return undefined;
      }
      case 'receive':
        this.received.push(await network.pay(this.receiveAddress, command.satoshis));
        return undefined;
      case 'mine':
        return network.mine(command.blocks, command.leaves);
      case 'reorganise':
        return network.reorganise(command.depth);
      case 'double-spend': {
        const txid = this.received.findLast((one) => network.ledger.known.has(one));
        if (txid !== undefined && !network.chain.blockOf(txid)) network.doubleSpend(txid);
        return undefined;
      }
      case 'refresh':
        void browser.ask('popup', 'wallet/refresh', { all: random.chance(0.5) }).catch(() => undefined);
        return undefined;
      case 'lock':
        void browser.ask('popup', 'vault/lock', {}).catch(() => undefined);
        return undefined;
      case 'kill':
        return browser.kill();
      case 'restart':
        browser.kill();
        browser.browser.restart();
        this.#windows.clear();
        browser.wake();
        browser.browser.hasStarted();
        return undefined;
      case 'restore':
        return this.#restore();
      case 'fault':
        for (let i = 0; i < command.times; i += 1)
          network.faults.push({ target: command.target, fault: command.fault });
        return undefined;
      case 'lie':
        network.lie = command.lie;
        return undefined;
      case 'nothing':
        return undefined;
    }
  }

  #newDeal(given: Pick<Deal, 'origin' | 'asked' | 'automatic'>): Deal {
    const deal: Deal = {
      ...given,
      requestId: `request-${this.deals.length}`.padEnd(20, '0'),
      address: writeAddress(this.random.bytes(20), 'devnet'),
      shown: null,
      yes: 'none',
      isRefused: false,
      answer: null,
      txid: null,
      isLeft: false,
      txids: new Set(),
      browser: this.browsers,
    };
    this.deals.push(deal);
    return deal;
  }

  #ask({ site, satoshis, automatic, hand, dollars }: Extract<Command, { do: 'ask' }>): void {
    const asked = dollars ? { cents: Math.max(1, Math.round(satoshis / 20_000)) } : { satoshis: BigInt(satoshis) };
    const deal = this.#newDeal({ origin: `https://site${site}.example`, asked, automatic });
    this.#request(deal, hand);
  }

  /** A page asks, and its relay asks again whenever the worker has died, until it has an answer or is left. */
  #request(deal: Deal, hand: boolean): void {
    const { scheduler, browser } = this;
    const { asked } = deal;
    const output =
      'cents' in asked
        ? { to: deal.address, amount: (asked.cents / 100).toFixed(2), currency: 'USD' }
        : { to: deal.address, amount: (Number(asked.satoshis) / 1e8).toFixed(8), currency: 'BSV' };
    const options: PaymentOptions = { outputs: [output] };
    const message = {
      channel: CHANNEL,
      to: 'wallet',
      id: deal.requestId,
      method: 'payment/request',
      params: { id: deal.requestId, options, ...(deal.automatic && { automatic: true }) },
      userActivation: hand ? 'new' : 'none',
    };
    deal.answer = null;
    deal.isLeft = false;
    let port: Port | null = null;
    const end = () => {
      browser.onKill.delete(onKill);
      this.#leave.delete(deal);
    };
    const hear = ({ result, error }: PageReply<'payment/request'>) => {
      if (deal.isLeft || deal.answer) return;
      end();
      deal.answer = error ? { error: error.code } : { txid: result?.payment?.txid ?? '' };
      if ('txid' in deal.answer) deal.txid = deal.answer.txid;
    };
    const connect = () => {
      const sender = { id: browser.browser.id, origin: deal.origin, url: `${deal.origin}/`, tab: { id: 5 }, frameId: 0 };
      const mine = new Port(
        PAGE_PORT,
        sender,
        (reply) => void scheduler.add('page hears', () => mine === port && hear(reply as never)),
        () => undefined,
      );
      port = mine;
      browser.connect(mine);
      mine.tell('message', message);
    };
    const onKill = () => {
      port = null;
      scheduler.add('relay', () => !deal.isLeft && !deal.answer && connect(), { after: RECONNECT_MS });
    };
    browser.onKill.add(onKill);
    this.#leave.set(deal, () => {
      end();
      deal.isLeft = true;
      port?.tell('disconnect', port);
    });
    connect();
  }

  /** The user turns to a window that nobody is at yet, or to the next that opens. */
  async #say(command: Extract<Command, { do: 'say' }>): Promise<void> {
    const { what, allowance } = command;
    const { browser } = this;
    const find = () => [...browser.browser.windows.values()].find(({ id }) => !this.#windows.has(id));
    for (let looks = 0; looks < LOOKS && !find() && browser === this.browser; looks += 1) await this.sleep(LOOK_MS);
    const open = browser === this.browser ? find() : undefined;
    if (!open) return;
    this.#windows.add(open.id);
    if (what === 'close') {
      this.browser.closeWindow(open.id);
      return;
    }
    const id = new URL(open.url).searchParams.get('id') ?? '';
    const work = what === 'no' ? this.#refuse(open.id, id) : this.#approve(open.id, id, what === 'yes twice', allowance);
    void work.catch((e) => globalThis.STAT?.('say '+e.code+e.message)).finally(() => this.#windows.delete(open.id));
  }

  /** Tries again what was cut off by the worker's death, as a person at a window does. */
  async #persist<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if ((error as { code?: string }).code !== 'died' || tries === TRIES) throw error;
        await this.sleep(1000);
      }
    }
  }

  async #read(windowId: number, approvalId: string): Promise<{ view: ApprovalView; deal: Deal | undefined }> {
    const at = { query: `?id=${approvalId}`, windowId };
    const view = await this.browser.ask('approval', 'approval/read', { approvalId }, at);
    if (view.kind !== 'payment') throw new Error(`a window that asks for ${view.kind}`);
    if (view.locked) await this.browser.ask('approval', 'vault/unlock', { password: PASSWORD }, at);
    return { view, deal: this.deals.find(({ address }) => view.outputs.some(({ to }) => to === address)) };
  }

  async #refuse(windowId: number, approvalId: string): Promise<void> {
    const at = { query: `?id=${approvalId}`, windowId };
    await this.#persist(async () => {
      const { deal } = await this.#read(windowId, approvalId);
      await this.browser.ask('approval', 'approval/decide', { approvalId, decision: 'refuse' }, at);
      if (deal?.yes === 'none') deal.isRefused = true;
    });
    this.browser.closeWindow(windowId);
  }

  async #approve(windowId: number, approvalId: string, twice: boolean, allowance = 0): Promise<void> {
    const { browser } = this;
    const at = { query: `?id=${approvalId}`, windowId };
    await this.#persist(async () => {
      const { view, deal } = await this.#read(windowId, approvalId);
      if (view.problem || view.feeSatoshis === null || !deal) return;
      await this.sleep(this.random.between(510, 900));
      deal.shown = {
        satoshis: BigInt(view.satoshis),
        fee: BigInt(view.feeSatoshis) > (deal.shown?.fee ?? 0n) ? BigInt(view.feeSatoshis) : (deal.shown?.fee ?? 0n),
      };
      deal.yes = deal.yes === 'taken' ? 'taken' : 'said';
      const grant = {
        amount: (allowance / 1e8).toFixed(8),
        currency: 'BSV',
        period: 'month' as const,
        perPayment: null,
        rate: null,
      };
      if (allowance > 0) {
        const name = allowanceOf(deal);
        if (BigInt(allowance) > (this.allowances.get(name) ?? 0n)) this.allowances.set(name, BigInt(allowance));
      }
      const decide = async () => {
        const yes = { approvalId, decision: 'pay' as const, feeSatoshis: view.feeSatoshis as string };
        await browser.ask('approval', 'approval/decide', { ...yes, ...(allowance > 0 && { grant }) }, at);
        deal.yes = 'taken';
      };
      if (twice) await Promise.any([decide(), decide()]).catch((error: AggregateError) => Promise.reject(error.errors[0]));
      else await decide();
    });
    await this.sleep(this.random.between(0, 500));
    browser.closeWindow(windowId);
  }

  /** The user sends from the popup; in two windows at once, with the same request. */
  async #send({ satoshis, all, windows }: Extract<Command, { do: 'send' }>): Promise<void> {
    const { browser } = this;
    const deal = this.#newDeal({ origin: '', asked: { satoshis: BigInt(satoshis) }, automatic: false });
    const amount = all ? null : (satoshis / 1e8).toFixed(8);
    const recipients = [{ to: deal.address, amount, currency: 'BSV' }];
    const { outputs, feeSatoshis, time, ...quote } = await browser.ask('popup', 'send/quote', { recipients });
    if (feeSatoshis === null || outputs.length === 0) return;
    const { locked } = await browser.ask('popup', 'vault/status', {});
    if (locked) await browser.ask('popup', 'vault/unlock', { password: PASSWORD });
    deal.asked = { satoshis: BigInt(quote.satoshis) };
    deal.shown = { satoshis: BigInt(quote.satoshis), fee: BigInt(feeSatoshis) };
    deal.yes = 'said';
    const sendOutputs = outputs.map(({ type, to, amount, currency, satoshis }) => ({ type, to, amount, currency, satoshis }));
    const pay = async () => {
      const sent = await browser.ask('popup', 'send/pay', { requestId: deal.requestId, outputs: sendOutputs as never, feeSatoshis, time });
      deal.yes = 'taken';
      deal.answer = { txid: sent.txid };
      deal.txid = sent.txid;
    };
    await Promise.allSettled(Array.from({ length: windows }, () => this.#persist(pay)));
  }

  /** The user gives a payment up that the network does not take. */
  async #cancel(deal: Deal): Promise<void> {
    const { browser } = this;
    const { items } = await browser.ask('popup', 'activity/list', { limit: 100 });
    const item = items.find((one) => JSON.stringify(one).includes(deal.address));
    if (!item) return;
    await browser.ask('popup', 'activity/cancel', { id: item.id, feeSatoshis: '1000' });
  }

  /** Does nothing wait in the wallet, and is all that it sent in a block? */
  get isAtRest(): boolean {
    const payments = this.browser.data.all<PaymentRecord>('payments');
    return payments.every(
      (one) => !['requested', 'approved', 'signable', 'signed'].includes(one.state) && !(isLive(one) && one.height === null),
    );
  }

  /** The user gives up what the network does not take. */
  async cancelUnsent(): Promise<void> {
    for (const record of this.browser.data.all<PaymentRecord>('payments'))
      if (isCancellable(record))
        await this.browser.ask('popup', 'activity/cancel', { id: record.id, feeSatoshis: '1000' }).catch(() => undefined);
  }

  /** The browser is lost; in another one the wallet is made from its words. */
  async #restore(): Promise<void> {
    this.browser.kill();
    for (const leave of [...this.#leave.values()]) leave();
    this.#windows.clear();
    this.browser.forget();
    this.browsers += 1;
    this.allowances.clear();
    this.browser = new Browser(this.#parts, this.#machine.engine.open());
    const make = () =>
      this.#persist(async () => {
        const { exists } = await this.browser.ask('onboarding', 'vault/status', {});
        if (!exists)
          await this.browser.ask('onboarding', 'vault/create', { words: WORDS, password: PASSWORD, restored: true });
      });
    for (let tries = 0; tries < 5; tries += 1) {
      const isMade = await this.finish(make()).then(
        () => true,
        () => false,
      );
      if (isMade) return;
      await this.scheduler.pass(20_000);
    }
    this.network.endFaults();
    await this.finish(make());
  }
}
