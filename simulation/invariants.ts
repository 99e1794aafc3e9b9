/** What must be so after every step, whenever a transaction reaches the network, and once everything is at rest. */
import { p2pkhScript } from '../protocol/address.ts';
import { toHex } from '../protocol/bytes.ts';
import type { Transaction } from '../protocol/transaction.ts';
import type { Allowance } from '../extension/background/allowances/allowance.ts';
import { counted, NOTHING, type BalanceTotals } from '../extension/background/coins/balance-totals.ts';
import type { RankedCoin } from '../extension/background/coins/coin.ts';
import { isLive, type PaymentRecord } from '../extension/background/payment/record.ts';
import { publicKeyHashes, type PublicKeys } from '../extension/background/vault/keys.ts';
import { allowanceOf, type Deal } from './deals.ts';
import type { Given } from './hosts.ts';
import type { World } from './world.ts';

/** Something is so that must not be. */
export class Violation extends Error {
  /** The rule, by which one is told from another. */
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** What one dollar's cent is worth at the true rate (satoshis). */
const CENT = 20_000n;
/** As many addresses of each kind as no simulation uses. */
const ADDRESSES = 120;

/** The scripts of the wallet's own addresses, hex. */
export function ownScripts(keys: PublicKeys): ReadonlySet<string> {
  const indexes = Array.from({ length: ADDRESSES }, (_, i) => i);
  return new Set(
    (['receive', 'change'] as const).flatMap((chain) =>
      publicKeyHashes(keys, chain, indexes).map((hash) => toHex(p2pkhScript(hash))),
    ),
  );
}

function violationOf(look: () => void): Violation | null {
  try {
    look();
    return null;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

/** Judges one world. */
export class Invariants {
  readonly #world: World;
  readonly #own: ReadonlySet<string>;
  /** The transactions (ids) that the shop was handed, and for what. */
  readonly #reported = new Map<string, Deal>();
  /** The first that did not hold. */
  violation: Violation | null = null;

  constructor(world: World, own: ReadonlySet<string>) {
    this.#world = world;
    this.#own = own;
    world.network.onBroadcast = (transaction, txid) => this.#judge(() => this.#ofBroadcast(transaction, txid));
    world.network.hosts.onHanded = (transaction, txid, handed) =>
      this.#judge(() => this.#ofHanded(transaction, txid, handed));
    world.onStored = () => this.#judge(() => this.#ofStored());
  }

  #judge(look: () => void): void {
    this.violation ??= violationOf(look);
  }

  /** Every transaction is one that was agreed to: exactly that much, to whom it was, with no more of a fee, once. */
  #ofBroadcast({ inputs, outputs }: Transaction, txid: string): void {
    const { network } = this.#world;
    const coins = inputs.map((input) => network.ledger.known.get(input.txid)?.transaction.outputs[input.vout]);
    // What it spends may have been forgotten by the network since.
    const isWhole = coins.every((coin) => coin !== undefined);
    const fee =
      coins.reduce((sum, coin) => sum + (coin?.satoshis ?? 0n), 0n) -
      outputs.reduce((sum, one) => sum + one.satoshis, 0n);
    const paid = new Map<Deal, bigint>();
    for (const [at, { lockingScript, satoshis }] of outputs.entries()) {
      const deal = this.#dealOf(lockingScript);
      if (!deal && !this.#own.has(toHex(lockingScript)))
        throw new Violation('pays nobody else', `output ${at} of ${txid}`);
      if (deal) paid.set(deal, (paid.get(deal) ?? 0n) + satoshis);
    }
    for (const [deal, satoshis] of paid) {
      this.#ofPaid(deal, satoshis, isWhole ? fee : null, txid);
      if (deal.script === null) this.#ofDestination(outputs, txid);
    }
    if (paid.size > 1) throw new Violation('one transaction for each yes', `${txid} pays ${paid.size}`);
  }

  #dealOf(lockingScript: Uint8Array): Deal | undefined {
    const { deals, network } = this.#world;
    const script = toHex(lockingScript);
    const to = network.hosts.given.get(script)?.to;
    return deals.find((one) => one.script === script || one.to === to);
  }

  /**
   * Of a paymail's host exactly what it gave out for one payment is paid, each script with its part.
   * @returns the first of those scripts
   */
  #ofDestination(outputs: Transaction['outputs'], txid: string): Given | undefined {
    const { hosts } = this.#world.network;
    const parts = outputs.flatMap(({ lockingScript, satoshis }) => {
      const given = hosts.given.get(toHex(lockingScript));
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
   * What a paymail host is handed was agreed to, given to the network, and is what that host gave out scripts for; the shop,
   * which may be told while the network is, is told of its own payments.
   */
  #ofHanded({ outputs }: Transaction, txid: string, handed: Pick<Given, 'origin' | 'to' | 'reference'> | null): void {
    const deal = outputs.map(({ lockingScript }) => this.#dealOf(lockingScript)).find((one) => one !== undefined);
    const isTheirs = handed ? deal?.txids.has(txid) : deal?.isOfShop && !deal.isRefused;
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
    if (deal.isRefused) throw new Violation('no means no', name);
    const asked = 'satoshis' in deal.asked ? deal.asked.satoshis : null;
    const most = deal.shown?.satoshis ?? asked ?? BigInt((deal.asked as { cents: number }).cents) * CENT;
    if (satoshis > most || (asked !== null && satoshis !== asked))
      throw new Violation('as much as was agreed', `${name}: ${satoshis} instead of ${asked ?? most}`);
    if (deal.yes === 'none') this.#ofAllowance(deal, name);
    else if (fee !== null && deal.shown && fee > deal.shown.fee)
      throw new Violation('no higher fee than was agreed', `${name}: ${fee} instead of ${deal.shown.fee}`);
  }

  /** What is paid without a yes is within what was allowed. */
  #ofAllowance(deal: Deal, name: string): void {
    const { deals, allowances, network } = this.#world;
    const limit = allowances.get(allowanceOf(deal));
    if (limit === undefined) throw new Violation('nothing without a yes', name);
    const txids = deals
      .filter((one) => one.yes === 'none' && allowanceOf(one) === allowanceOf(deal))
      .flatMap((one) => [...one.txids]);
    const spent = network.mostOf(txids, this.#own);
    if (spent > limit) throw new Violation('limits hold', `${name}: ${spent} of ${limit}`);
  }

  /** What is stored belongs together, whenever a transaction of the database is committed. */
  #ofStored(): void {
    const { data } = this.#world.browser;
    const coins = data.all<RankedCoin>('coins');
    const payments = data.all<PaymentRecord>('payments');
    const totals = data.get<BalanceTotals>('totals', 'coins') ?? NOTHING;
    const sum = coins.reduce((all, coin) => counted(all, undefined, coin), NOTHING);
    if (
      sum.satoshis !== totals.satoshis ||
      sum.unconfirmed !== totals.unconfirmed ||
      sum.available !== totals.available
    )
      throw new Violation('the balance is the sum of the coins', `${text(totals)} instead of ${text(sum)}`);
    const live = payments.filter(isLive);
    const spenders = new Map<string, PaymentRecord[]>();
    for (const payment of live)
      for (const input of payment.signed?.inputs ?? []) spenders.set(input, [...(spenders.get(input) ?? []), payment]);
    for (const [outpoint, of] of spenders) {
      const groups = new Set(of.map(({ group, id }) => group ?? id));
      const isChain = of.every(({ group, replaces, replacedBy }) => group === outpoint || replaces || replacedBy);
      if (of.length > 1 && groups.size > 1 && !isChain)
        throw new Violation('no coin spent twice', `${outpoint} by ${of.map(({ requestId }) => requestId).join(', ')}`);
    }
    for (const coin of coins) {
      const spender = spenders.get(coin.outpoint);
      if (coin.status === 'available' && spender)
        throw new Violation('what is spent is not free', `${coin.outpoint} by ${spender[0]?.requestId}`);
      if (
        coin.status === 'reserved' &&
        !spender &&
        !payments.some(({ state, id }) => state === 'signable' && id === coin.paymentId)
      )
        throw new Violation('no coin is lost', `${coin.outpoint} is reserved for nothing`);
    }
    for (const { limit, spent, origin } of data.all<Allowance>('allowances'))
      if (spent > limit && !payments.some((one) => one.origin === origin && one.wasConfirmed))
        throw new Violation('limits hold', `${origin} has spent ${spent} of ${limit}`);
  }

  /** Everything that went wrong is over: nothing waits, and wallet and network agree. */
  get isAtRest(): boolean {
    return violationOf(() => this.#atRest()) === null;
  }

  /** Now at the latest it must be. */
  demandRest(): void {
    this.#judge(() => this.#atRest());
  }

  #atRest(): void {
    const { browser, deals, network, browsers } = this.#world;
    const { data } = browser;
    const payments = data.all<PaymentRecord>('payments');
    for (const deal of deals) {
      const name = `${deal.requestId} of ${deal.origin || 'the wallet'}`;
      const isMined = [...deal.txids].some((txid) => network.chain.blockOf(txid));
      const isHere = deal.browser === browsers;
      const record = payments.find(({ requestId }) => requestId === deal.requestId);
      if (isHere && (deal.yes === 'taken' || deal.txid !== null)) {
        if (!record) throw new Violation('what was acknowledged is known', name);
        const isLost = record.state === 'failed' || record.state === 'refused';
        if (!isMined && !isLost)
          throw new Violation('one transaction for each yes', `${name} is ${record.state}, in no block`);
      }
      if (isHere && record?.height !== null && record?.height !== undefined && !isMined)
        throw new Violation('what is confirmed is in a block', name);
      if (isHere && deal.txid !== null && record?.signed && record.signed.txid !== deal.txid)
        throw new Violation('one transaction for each yes', `${name} was told ${deal.txid}`);
      if (isMined && isHere && record?.height === null)
        throw new Violation('what is in a block is confirmed', `${name} is ${record.state}`);
      if (isMined && isHere && record && isLive(record)) this.#atRestElsewhere(deal, record);
      if (isHere && deal.origin !== '' && !deal.isLeft && !deal.answer)
        throw new Violation('who asks is answered', name);
    }
    for (const [txid, deal] of this.#reported)
      if (deal.browser === browsers && !deal.txids.has(txid))
        throw new Violation('nobody else is handed a payment', `${txid} was never broadcast`);
    const waiting = payments.filter(({ state }) => ['requested', 'approved', 'signable', 'signed'].includes(state));
    if (waiting.length > 0)
      throw new Violation(
        'everything comes to rest',
        waiting.map((one) => `${one.requestId} is ${one.state} ${one.trouble ?? ''}`).join(', '),
      );
    if (data.all('requests').length > 0) throw new Violation('everything comes to rest', 'a request is left');
    if (data.all<{ outcome: unknown }>('prompts').some(({ outcome }) => outcome === null))
      throw new Violation('everything comes to rest', 'a prompt is left');
    this.#coinsAtRest();
  }

  /** Whoever is to be told of a payment that is in a block was told, or has refused that for good. */
  #atRestElsewhere(deal: Deal, { id, signed, deliveries, serviceReport }: PaymentRecord): void {
    const { hosts, seen } = this.#world.network;
    if (deal.script === null) {
      const { outputs = [] } = seen.get(signed?.txid ?? '') ?? {};
      const reference = outputs.flatMap((one) => hosts.given.get(toHex(one.lockingScript)) ?? [])[0]?.reference ?? '';
      const isDelivered =
        hosts.taken.get(reference) === signed?.txid && deliveries.every(({ state }) => state === 'done');
      if (!isDelivered && !hosts.declined.has(reference))
        throw new Violation('what is paid is delivered', `${deal.requestId} is not`);
    }
    if (deal.isOfShop && (serviceReport?.state !== 'done' || !hosts.reports.has(id)))
      throw new Violation('what is paid is reported', `${deal.requestId}: ${serviceReport?.state ?? 'to nobody'}`);
  }

  #coinsAtRest(): void {
    const { browser, network } = this.#world;
    const there = new Set<string>();
    for (const [txid, { transaction }] of network.ledger.known)
      for (const [vout, { lockingScript }] of transaction.outputs.entries())
        if (this.#own.has(toHex(lockingScript)) && !network.spenderOf(txid, vout)) there.add(`${txid}:${vout}`);
    const coins = browser.data.all<RankedCoin>('coins');
    const held = new Set(coins.filter(({ status }) => status === 'available').map(({ outpoint }) => outpoint));
    for (const one of there)
      if (!held.has(one))
        throw new Violation(
          'no coin is lost',
          `${one} is ${coins.find(({ outpoint }) => outpoint === one)?.status ?? 'unknown'}`,
        );
    for (const { outpoint, txid, status, height } of coins)
      if (status === 'available' && height !== (network.chain.blockOf(txid)?.height ?? null))
        throw new Violation('what is confirmed is in a block', `${outpoint} at ${height}`);
    for (const one of held) if (!there.has(one)) throw new Violation('no coin is made up', one);
  }
}

const text = (value: object) => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
