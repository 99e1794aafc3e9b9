/** Checks the invariants after every commit and broadcast, and at the end. */
import { toHex } from '../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../protocol/bitcoin/transaction.ts';
import type { PaymentRecord } from '../wallet/payments/record.ts';
import type { Site } from '../wallet/sites/site.ts';
import { allowanceOf, type Deal } from './world/deals.ts';
import { checkAssetSent, checkAssetsKept } from './asset-invariants.ts';
import { lockOf } from './world/ledger-index.ts';
import { HONEST } from './world/app-calls.ts';
import { costOf } from './world/costs.ts';
import { tooFarAhead } from './due-times.ts';
import type { IssuedScript } from './world/hosts.ts';
import { checkAllowance, checkSwipeLimits } from './limit-invariants.ts';
import { checkCounted, checkRest } from './rest-invariants.ts';
import { StoredInvariants } from './stored-invariants.ts';
import { Violation, violationOf } from './violation.ts';
import { hiddenFromWords, type OwnScripts } from './world/words-search.ts';
import type { World } from './world.ts';

/** Stores whose changes trigger a check of the stored data. */
const WATCHED_STORES = ['coins', 'payments', 'allowances', 'totals'];
const isWatched = (written: readonly string[]) => WATCHED_STORES.some((store) => written.includes(store));
/** The value of one US cent at the true rate (satoshis). */
const CENT = 20_000n;
/**
 * How long the wallet may take to detect that the clock was set back (milliseconds). An alarm wakes the wallet every 10
 * min.
 */
const NOTICES_WITHIN_MS = 15 * 60_000;

export class Invariants {
  readonly #world: World;
  readonly #own: OwnScripts;
  #stored: StoredInvariants;
  /** Payments whose stored times have passed the check since the clock was last set back. */
  #timely = { since: 0, records: new WeakSet<object>() };
  /** Transactions reported to the shop, by ID, with their deals. */
  readonly #reported = new Map<string, Deal>();
  /** The first violation. */
  violation: Violation | null = null;

  constructor(world: World, own: OwnScripts) {
    this.#world = world;
    this.#own = own;
    this.#stored = new StoredInvariants(world.network, own);
    world.network.onBroadcast = (transaction, txid, by) => {
      if (by === 'wallet') this.#judge(() => this.#ofSent(transaction, txid));
      this.#judge(() => this.#ofBroadcast(transaction, txid));
      this.#judge(() => checkAssetsKept(world, own, transaction, txid));
    };
    world.network.index.onChange = () => this.#judge(() => this.#ofLedger());
    world.onProbe = (isTooLittle) =>
      this.#judge(() => {
        if (isTooLittle) throw new Violation('what is free can be paid', 'there is not enough money');
      });
    world.signIns.onSigned = (judge) => this.#judge(judge);
    world.onRestore = () => {
      this.#stored = new StoredInvariants(world.network, own);
      for (const thing of world.applications.baskets.things) thing.isExpected &&= thing.isSaved;
    };
    world.network.hosts.onHanded = (transaction, txid, handed) =>
      this.#judge(() => this.#ofHanded(transaction, txid, handed));
    world.network.hosts.onAccountReport = (txid) =>
      this.#judge(() => {
        if (!world.hadAccountAtShop) throw new Violation('nobody else is handed a payment', txid);
      });
    world.onStored = (written) => this.#judge(() => this.#ofStored(written));
    const elsewhere = new StoredInvariants(world.network, own);
    world.onStoredElsewhere = (written) =>
      this.#judge(() => {
        if (world.other && isWatched(written)) elsewhere.check(world.other.data, world.periods);
      });
  }

  #judge(look: () => void): void {
    this.violation ??= violationOf(look);
  }

  #ofLedger(): void {
    const hidden = hiddenFromWords(this.#own, this.#world.network.index);
    if (hidden !== null) throw new Violation('the words find everything', hidden);
  }

  /**
   * Checks that the wallet doesn't submit transactions with unknown inputs, or from sites that are blocked or have
   * lost their allowance.
   */
  #ofSent({ inputs, outputs }: Transaction, txid: string): void {
    const { index, acknowledged, outside } = this.#world.network;
    if (outside.has(txid)) return;
    for (const { txid: from } of inputs)
      if (!index.ever.has(from) && !acknowledged.has(from))
        throw new Violation('nothing spends what is unknown', `${txid} spends ${from}`);
    const ended = outputs.map(({ lockingScript }) => this.#dealOf(lockingScript)).find((one) => one?.isEnded);
    if (ended) throw new Violation('what was ended is not sent', `${ended.requestId} of ${ended.origin}`);
  }

  /**
   * Checks that the user approved a transaction's amount and recipient, that its fee is at most the displayed fee, and
   * that each deal results in only one payment.
   */
  #ofBroadcast({ inputs, outputs }: Transaction, txid: string): void {
    const { network } = this.#world;
    if (network.outside.has(txid)) return;
    const coins = inputs.map((input) => network.ledger.known.get(input.txid)?.transaction.outputs[input.vout]);
    // The network may have dropped parent transactions, so the fee is unknown.
    const isWhole = coins.every((coin) => coin !== undefined);
    const fee =
      coins.reduce((sum, coin) => sum + (coin?.satoshis ?? 0n), 0n) -
      outputs.reduce((sum, one) => sum + one.satoshis, 0n);
    const paid = new Map<Deal, bigint>();
    for (const [at, { lockingScript, satoshis }] of outputs.entries()) {
      const deal = this.#dealOf(lockingScript);
      // Transactions that were already on the network aren't payments by this wallet.
      if (!deal && !this.#own.has(toHex(lockingScript)) && !network.index.ever.has(txid))
        throw new Violation('pays nobody else', `output ${at} of ${txid}`);
      if (deal) paid.set(deal, (paid.get(deal) ?? 0n) + satoshis);
    }
    for (const [deal, satoshis] of paid) {
      this.#ofPaid(deal, satoshis, isWhole ? fee : null, txid);
      checkAssetSent(this.#world, deal, outputs, txid);
      if (deal.script === null) this.#ofDestination(outputs, txid);
    }
    if (paid.size > 1) throw new Violation('one transaction for each yes', `${txid} pays ${paid.size}`);
  }

  #dealOf(lockingScript: Uint8Array): Deal | undefined {
    const { deals, network } = this.#world;
    const script = lockOf(toHex(lockingScript));
    const to = network.hosts.given.get(script)?.to;
    return deals.find((one) => one.script === script || one.to === to);
  }

  /** Checks that a transaction pays exactly the scripts of one issued destination. @returns the first script */
  #ofDestination(outputs: Transaction['outputs'], txid: string): IssuedScript | undefined {
    const { hosts } = this.#world.network;
    const parts = outputs.flatMap(({ lockingScript, satoshis }) => {
      const given = hosts.given.get(lockOf(toHex(lockingScript)));
      return given ? [{ ...given, paid: satoshis }] : [];
    });
    const [first] = parts;
    const isWhole = hosts
      .givenFor(first?.reference ?? '')
      .every(({ script }) => parts.some((one) => one.script === script));
    if (!isWhole || parts.some((one) => one.reference !== first?.reference || one.paid !== one.satoshis))
      throw new Violation('a host is paid as it said', txid);
    return first;
  }

  /**
   * Checks that a transaction delivered to a paymail host was approved, was submitted to the network, and pays scripts
   * that the host issued. Checks that the shop receives only its own payments, possibly before the network does.
   */
  #ofHanded(
    { outputs }: Transaction,
    txid: string,
    handed: Pick<IssuedScript, 'origin' | 'to' | 'reference'> | null,
  ): void {
    const deal = outputs.map(({ lockingScript }) => this.#dealOf(lockingScript)).find((one) => one !== undefined);
    const isTheirs = handed ? deal?.txids.has(txid) : deal?.isOfShop && deal.refusedAt === null;
    if (!deal || !isTheirs) throw new Violation('nobody else is handed a payment', txid);
    if (!handed) {
      this.#reported.set(txid, deal);
      return;
    }
    const given = this.#ofDestination(outputs, txid);
    if (given?.reference !== handed.reference || given.to !== handed.to || given.origin !== handed.origin)
      throw new Violation('a host is handed what it gave out for', `${txid} for ${handed.reference}`);
  }

  #ofPaid(deal: Deal, satoshis: bigint, fee: bigint | null, txid: string): void {
    const isNew = !deal.txids.has(txid);
    deal.txids.add(txid);
    const name = `${deal.requestId} of ${deal.origin || 'the wallet'}`;
    if (deal.txids.size > 1)
      throw new Violation('one transaction for each yes', `${name} has ${[...deal.txids].join(', ')}`);
    if (!isNew) return;
    if (deal.refusedAt !== null) throw new Violation('no means no', name);
    const asked = 'satoshis' in deal.asked ? deal.asked.satoshis : null;
    const most =
      (deal.isAction ? null : deal.shown?.satoshis) ?? asked ?? BigInt((deal.asked as { cents: number }).cents) * CENT;
    if (satoshis > most || (asked !== null && satoshis !== asked))
      throw new Violation('as much as was agreed', `${name}: ${satoshis} instead of ${asked ?? most}`);
    if (deal.yes === 'none') checkAllowance(this.#world, this.#own, deal, name);
    else if (deal.isAction) {
      const cost = costOf(this.#world.network, txid, this.#own);
      if (cost > (deal.shown?.total ?? 0n))
        throw new Violation('as much as was agreed', `${name}: ${cost} instead of ${deal.shown?.total}`);
    } else if (fee !== null && deal.shown && fee > deal.shown.fee && !this.#mayBeOfSite(deal))
      throw new Violation('no higher fee than was agreed', `${name}: ${fee} instead of ${deal.shown.fee}`);
    if (deal.isSwiped) checkSwipeLimits(this.#world, this.#own, name);
  }

  /** True if a swiped payment may be paid from its site's allowance. An allowance limits the total but not the fee. */
  #mayBeOfSite(deal: Deal): boolean {
    return deal.isSwiped && this.#world.allowances.has(allowanceOf(deal));
  }

  /** Checks the stored data after a commit. */
  #ofStored(written: readonly string[]): void {
    const { data } = this.#world.browser;
    this.#ofApplications(written);
    this.#ofTimes();
    if (!isWatched(written)) return;
    this.#ofTwins();
    this.#stored.check(data, this.#world.periods);
  }

  /**
   * Checks that a payment and its retries result in at most one mined transaction, unless the user was warned, or nodes
   * replaced a transaction that they had accepted.
   */
  #ofTwins(): void {
    const { deals, network } = this.#world;
    for (const again of deals) {
      if (again.first === null || again.isWarned) continue;
      const isMined = ({ txids }: Deal) =>
        [...txids].some((txid) => network.blockOf(txid) && !network.readmitted.has(txid));
      const isTwin = (one: Deal) => one !== again && one.number < again.number && (one.first ?? one) === again.first;
      const twin = isMined(again) && deals.find((one) => isTwin(one) && isMined(one));
      if (twin) throw new Violation('nothing is paid twice', `${twin.requestId} and ${again.requestId}`);
    }
  }

  /**
   * Records which application data the service has stored, and which actions ended because the user blocked the site or
   * revoked its permissions.
   */
  #ofApplications(written: readonly string[]): void {
    const { applications, browser, deals } = this.#world;
    if (!applications.areUsed) return;
    const { data } = browser;
    if (written.includes('appLog') && !data.all<{ unsent?: 1 }>('appLog').some(({ unsent }) => unsent))
      for (const thing of applications.baskets.things) thing.isSaved = true;
    if (!written.includes('sites') && !written.includes('allowances')) return;
    const payments = data.all<PaymentRecord>('payments');
    const sites = data.all<Site>('sites');
    for (const deal of deals) {
      if (!deal.isAction || deal.txids.size > 0) continue;
      const record = payments.find(({ requestId, origin }) => requestId === deal.requestId && origin === deal.origin);
      const isKept = record?.state === 'signed' && (record.trouble === 'held' || record.trouble === 'aborted');
      const isBlocked = sites.some(({ origin, blockedUntil }) => origin === deal.origin && blockedUntil !== null);
      if (record?.state === 'signable' && isBlocked) deal.isEnded = true;
      else if (isKept) deal.isEnded = isBlocked;
    }
  }

  #ofTimes(): void {
    const { clock, scheduler, browser } = this.#world;
    if (scheduler.now - clock.setBackAt < NOTICES_WITHIN_MS) return;
    if (this.#timely.since !== clock.setBackAt) this.#timely = { since: clock.setBackAt, records: new WeakSet() };
    const far = tooFarAhead(browser.data, scheduler.now + clock.ahead, this.#timely.records);
    if (far !== null) throw new Violation('no time is too far ahead', far);
  }

  /** True if all faults are over, nothing is pending, and the wallet and the network agree. */
  get isAtRest(): boolean {
    return violationOf(() => checkRest(this.#world, this.#own, this.#reported)) === null;
  }

  /** Records a violation if a balance contains outputs of two transactions that can't both be mined. */
  demandConsistentBalance(): void {
    const { browser, other, network } = this.#world;
    for (const one of [browser, other]) if (one) this.#judge(() => checkCounted(one, network));
  }

  /** Records a violation unless the world is at rest. */
  demandRest(): void {
    this.#judge(() => checkRest(this.#world, this.#own, this.#reported));
  }

  /**
   * Returns true if the honest application has all its data: its stored outputs are listed, and its received payments
   * have been swept to the wallet's addresses.
   * @param listed outpoints (`txid.vout`) that the wallet lists for it
   * @param isFinal true to record a violation if data is missing
   */
  hasAppData(listed: ReadonlySet<string>, isFinal: boolean): boolean {
    const { applications, network } = this.#world;
    const missing = applications.baskets.things.find((thing) => {
      const outpoint = applications.baskets.outpointOf(thing);
      if (!thing.isExpected || thing.origin !== HONEST || outpoint === null) return false;
      if (thing.kind === 'payment') return network.index.isUnspent(outpoint);
      return network.index.isUnspent(outpoint) && !listed.has(outpoint.replace(':', '.'));
    });
    if (!missing) return true;
    if (isFinal)
      this.#judge(() => {
        throw new Violation('an application keeps its data', `a ${missing.kind} is missing, ${missing.txid}`);
      });
    return false;
  }
}
