/**
 * A simulated world: a user, a browser with the wallet, web pages and the network. Commands trigger events
 * (run-command.ts), and the scheduler runs their consequences between commands.
 */
import { p2pkhScript, writeAddress } from '../protocol/bitcoin/address.ts';
import { toHex } from '../protocol/bitcoin/bytes.ts';
import type { PaymentRecord } from '../wallet/payments/record.ts';
import { isLive } from '../wallet/payments/move.ts';
import { Browser, turnsOf } from './world/browser.ts';
import { unprovable } from './unprovable.ts';
import { expireRejections, type Allowances, type Deal } from './world/deals.ts';
import { Assets } from './world/assets.ts';
import { Applications } from './world/applications.ts';
import { keyHash } from './world/app-keys.ts';
import { PAYMAIL_HOSTS } from './world/hosts.ts';
import { Pages } from './world/pages.ts';
import { SignIns } from './world/sign-ins.ts';
import { Swipes } from './world/swipes.ts';
import { PASSWORD, User, WORDS } from './world/user.ts';
import { Network, SERVICE } from './world/network.ts';
import type { Surroundings } from './world/platform.ts';
import { Disk } from './world/disk.ts';
import { useCryptoIn } from './globals.ts';
import { Random } from './random.ts';
import { Scheduler } from './scheduler.ts';

/**
 * The start of every simulation (milliseconds since 1970). The date is early in a month so that no allowance period
 * ends.
 */
const BEGIN = Date.UTC(2026, 4, 5, 12);
const DAY_MS = 24 * 3600_000;
/** Maximum length of an allowance's period (milliseconds). */
const MONTH_MS = 31 * DAY_MS;
export class World {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly network: Network;
  browser: Browser;
  browsers = 1;
  /** The user's second browser, with the same recovery words. Null until the user opens it. */
  other: Browser | null = null;
  readonly deals: Deal[] = [];
  readonly allowances: Allowances = new Map();
  /** IDs of transactions from third parties to the wallet, oldest first. */
  readonly received: string[] = [];
  receiveAddress = '';
  /** Called after each commit with the names of the changed stores. */
  onStored: (written: readonly string[]) => void = () => undefined;
  /** Like `onStored`, for the second browser. */
  onStoredElsewhere: (written: readonly string[]) => void = () => undefined;
  /** Called before the browser is replaced by one with a restored wallet. */
  onRestore: () => void = () => undefined;
  /** Called with the result of a probe (`User.probe`). */
  onProbe: (isTooLittle: boolean) => void = () => undefined;
  /** An error in the simulation itself, not in the wallet. */
  trouble: unknown = null;
  /** How far the browser's clock is ahead (milliseconds), and the true time when it was last set back. */
  readonly clock = { ahead: 0, setBackAt: 0 };
  /** Number of allowance periods so far, by the browser's clock. */
  periods = 1;
  clockChanges = 0;
  readonly pages: Pages;
  readonly #parts: Surroundings;
  readonly user = new User(this);
  readonly applications = new Applications(this);
  readonly assets = new Assets(this);
  readonly swipes = new Swipes(this);
  /** True if the user ever moved to an account at the shop. */
  hadAccountAtShop = false;
  readonly signIns = new SignIns(this);
  /** The highest daily limit of one-swipe payments that the user has set so far (satoshis). */
  swipeLimit = 0n;

  constructor(seed: number, from: World | null = null) {
    this.random = new Random(seed);
    this.scheduler = new Scheduler(this.random, from?.scheduler.now ?? BEGIN);
    this.network = new Network(this.random, this.scheduler, from?.network ?? null);
    useCryptoIn(this);
    this.pages = new Pages(this.scheduler);
    this.#parts = {
      random: this.random,
      scheduler: this.scheduler,
      serviceUrl: SERVICE,
      clock: this.clock,
      send: (request, answer, fail) => this.network.send(request, answer, fail),
    };
    this.browser = new Browser(this.#parts, this.#disk(from?.browser.data));
    if (!from) return;
    this.browser.take(from.browser);
    this.receiveAddress = from.receiveAddress;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.scheduler.add('sleep', () => resolve(), { after: ms }));
  }

  /** Runs the world until `work` settles, for at most `atMost` milliseconds. @throws the error of `work` */
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

  /** Creates the wallet with which every simulation starts. The wallet has an account and some coins. */
  async prepare(satoshis: readonly number[]): Promise<void> {
    const { browser, network } = this;
    await this.finish(browser.ask('onboarding', 'vault/create', { words: WORDS, password: PASSWORD, restored: false }));
    await this.finish(browser.ask('onboarding', 'account/register', { handle: 'alice', name: 'Alice' }));
    await this.finish(browser.ask('popup', 'settings/change', { lockAfterMinutes: 24 * 60 }));
    this.receiveAddress = (await this.finish(browser.ask('popup', 'wallet/overview', {}))).receiveAddress;
    for (const value of satoshis) await network.ledger.faucet(this.receiveAddress, value);
    network.mine();
    await this.finish(browser.ask('popup', 'wallet/refresh', { all: true }));
    await this.scheduler.pass(60_000);
    browser.kill();
  }

  /** Sets how far ahead the browser's clock is (milliseconds). */
  setClock(ahead: number): void {
    const { clock, scheduler } = this;
    if (ahead === clock.ahead) return;
    if (ahead < clock.ahead) clock.setBackAt = scheduler.now;
    if (Math.abs(ahead - clock.ahead) > MONTH_MS) this.periods += 1;
    clock.ahead = ahead;
    this.clockChanges += 1;
    expireRejections(this.deals, scheduler.now + ahead);
  }

  /** Returns the maximum number of calendar days that can have begun so far, by the browser's clock. */
  get days(): number {
    return Math.floor((this.scheduler.now - BEGIN) / DAY_MS) + 2 + 2 * this.clockChanges;
  }

  /** Records a deal for an application's transaction, whose output is locked to one of the application's keys. */
  newAction({ origin, satoshis }: { origin: string; satoshis: bigint }): Deal {
    const hash = keyHash(this.deals.length + 1);
    const deal = this.newDeal({ origin, asked: { satoshis }, automatic: true }, {}, hash);
    deal.isAction = true;
    deal.requestId = `action ${deal.requestId}`;
    return deal;
  }

  /** Records a deal. @param hash the public key hash of the recipient's address */
  newDeal(
    given: Pick<Deal, 'origin' | 'asked' | 'automatic'>,
    { paymail, shop = false }: { paymail?: number; shop?: boolean },
    hash = this.random.bytes(20) as Uint8Array,
  ): Deal {
    const { domain } = PAYMAIL_HOSTS[paymail ?? -1] ?? {};
    const deal: Deal = {
      ...given,
      number: this.deals.length + 1,
      requestId: `simulated-request-${this.deals.length}`,
      to: domain === undefined ? writeAddress(hash, 'devnet') : `payment-${this.deals.length}@${domain}`,
      script: domain === undefined ? toHex(p2pkhScript(hash)) : null,
      isOfShop: shop,
      shown: null,
      yes: 'none',
      refusedAt: null,
      answer: null,
      txid: null,
      isLeft: false,
      txids: new Set(),
      browser: this.browsers,
      isAction: false,
      isOfAsset: false,
      asset: null,
      first: null,
      isWarned: false,
      isSwiped: false,
      isEnded: false,
    };
    this.deals.push(deal);
    return deal;
  }

  newBrowser(): Browser {
    return new Browser(this.#parts, new Disk(turnsOf(this.scheduler, this.random, null)));
  }

  /** Returns payments that are pending or unconfirmed in the wallet, and that the wallet can still settle or end. */
  get waiting(): PaymentRecord[] {
    const isWaiting = (one: PaymentRecord) =>
      ['requested', 'approved', 'signable', 'signed'].includes(one.state) || (isLive(one) && one.height === null);
    const { data } = this.browser;
    const lost = unprovable(data, this.network);
    return data.all<PaymentRecord>('payments').filter((one) => isWaiting(one) && !lost.has(one.id));
  }

  /** True if the wallet has no pending or unconfirmed payments. */
  get isQuiet(): boolean {
    return this.waiting.length === 0;
  }

  #disk(from: Disk | null = null): Disk {
    const disk = new Disk(turnsOf(this.scheduler, this.random, null), from);
    disk.onCommit = (written) => this.onStored(written);
    return disk;
  }

  /** Returns the user as the operator of the given browser. */
  userAt(browser: Browser): User {
    const { random, scheduler, deals, allowances, signIns, clock } = this;
    return new User({ browser, random, scheduler, deals, allowances, signIns, clock, sleep: (ms) => this.sleep(ms) });
  }

  /** Restores the wallet in a second browser, in addition to the current one. */
  openOther(): void {
    if (this.other) return;
    const disk = new Disk(turnsOf(this.scheduler, this.random, null));
    disk.onCommit = (written) => this.onStoredElsewhere(written);
    const other = new Browser(this.#parts, disk);
    this.other = other;
    const make = () =>
      this.userAt(other).persist(() =>
        other.ask('onboarding', 'vault/create', { words: WORDS, password: PASSWORD, restored: true }),
      );
    void make().catch(() => make().catch(() => undefined));
  }

  /** Abandons the browser, and restores the wallet from its recovery words in a new browser. */
  async restore(): Promise<void> {
    this.onRestore();
    this.network.firstOperator = 0;
    this.browser.kill();
    this.pages.leaveAll();
    this.user.forget();
    this.browser.forget();
    this.browsers += 1;
    this.browser = new Browser(this.#parts, this.#disk());
    const make = () =>
      this.user.persist(async () => {
        const { exists } = await this.browser.ask('onboarding', 'vault/status', {});
        if (!exists)
          await this.browser.ask('onboarding', 'vault/create', { words: WORDS, password: PASSWORD, restored: true });
        if (this.applications.areUsed) await this.browser.ask('onboarding', 'account/sign-in', {});
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
