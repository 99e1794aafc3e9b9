/** Checks the invariants of stored coins, payments and debits, and compares them with the ledger. */
import { fromHex, toHex } from '../protocol/bitcoin/bytes.ts';
import { parseTransaction, type Transaction } from '../protocol/bitcoin/transaction.ts';
import type { Allowance } from '../wallet/allowances/allowance.ts';
import { counted, NOTHING, type BalanceTotals, type RankedCoin } from '../wallet/coins/coin.ts';
import type { PaymentRecord } from '../wallet/payments/record.ts';
import { isLive } from '../wallet/payments/move.ts';
import type { Disk } from './world/disk.ts';
import type { Network } from './world/network.ts';
import { Violation } from './violation.ts';
import type { OwnScripts } from './world/words-search.ts';

interface Stored {
  coins: readonly RankedCoin[];
  payments: readonly PaymentRecord[];
  allowances: readonly Allowance[];
  totals: BalanceTotals;
}

/** Checks the stored data of one browser. */
export class StoredInvariants {
  readonly #network: Network;
  readonly #own: OwnScripts;
  /** Hashes of the blocks in which the wallet has found transactions, by transaction ID. */
  readonly #learned = new Map<string, string>();
  readonly #made = new Map<string, Transaction>();
  /**
   * IDs of sweeps, which move payments from derived keys. Their inputs' scripts aren't those of the wallet's
   * addresses.
   */
  readonly #swept = new Set<string>();

  constructor(network: Network, own: OwnScripts) {
    this.#network = network;
    this.#own = own;
  }

  /** @param periods number of allowance periods that have begun so far */
  check(data: Disk, periods: number): void {
    const coins = data.all<RankedCoin>('coins');
    const payments = data.all<PaymentRecord>('payments');
    const allowances = data.all<Allowance>('allowances');
    const totals = data.get<BalanceTotals>('totals', 'coins') ?? NOTHING;
    const sum = coins.reduce((all, coin) => counted(all, undefined, coin), NOTHING);
    if (
      sum.satoshis !== totals.satoshis ||
      sum.unconfirmed !== totals.unconfirmed ||
      sum.available !== totals.available
    )
      throw new Violation('the balance is the sum of the coins', `${text(totals)} instead of ${text(sum)}`);
    this.#compare({ coins, payments, allowances, totals });
    const live = payments.filter(isLive);
    const spenders = new Map<string, PaymentRecord[]>();
    for (const payment of live)
      for (const input of payment.signed?.inputs ?? []) spenders.set(input, [...(spenders.get(input) ?? []), payment]);
    for (const [outpoint, of] of spenders) {
      const groups = new Set(of.map(({ group, id }) => group ?? id));
      const isChain = of.every(({ group, replaces, replacedBy }) => group === outpoint || replaces || replacedBy);
      // A reorganization can reinstate a payment whose coin a later payment has spent since. It isn't broadcast if it is
      // replaced, possibly by a payment that spends another of its coins.
      const offered = of.filter(({ replacedBy }) => !live.some(({ id }) => id === replacedBy));
      if (offered.length > 1 && groups.size > 1 && !isChain)
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
    // Swipe limits are excluded, because the user may lower them below the amount already spent. After a clock that was
    // ahead has been corrected, the current period also includes debits with later dates.
    for (const { limit, spent, origin, kind } of allowances)
      if (
        kind !== 'any-site' &&
        spent > limit * BigInt(periods) &&
        !payments.some((one) => one.origin === origin && one.wasConfirmed)
      )
        throw new Violation('limits hold', `${origin} has spent ${spent} of ${limit}`);
  }

  #compare({ coins, payments, allowances, totals }: Stored): void {
    // Void coins of a reinstated payment become valid only when the wallet checks that payment in a later commit.
    const voided = new Set(coins.filter(({ status }) => status === 'void').map(({ txid }) => txid));
    for (const { txid, height } of coins) if (height !== null && !voided.has(txid)) this.#learn(txid, height);
    for (const { signed, height } of payments) if (signed && height !== null) this.#learn(signed.txid, height);
    this.#recordsAreOne(payments);
    this.#nothingIsLost(coins, payments);
    this.#debitsStay(payments, allowances);
    this.#nothingIsMadeUp(coins, payments, totals);
  }

  #learn(txid: string, height: number): void {
    const block = this.#network.blockOf(txid);
    if (block?.height === height) this.#learned.set(txid, block.hash);
  }

  /** True if a transaction is in a block and the wallet has found it there. */
  #isKnown(txid: string): boolean {
    const hash = this.#network.blockOf(txid)?.hash;
    return hash !== undefined && this.#learned.get(txid) === hash;
  }

  #recordsAreOne(payments: readonly PaymentRecord[]): void {
    const live = new Map<string, string>();
    for (const record of payments) {
      if (!record.signed || !isLive(record)) continue;
      const { txid } = record.signed;
      const other = live.get(txid);
      if (other !== undefined)
        throw new Violation('a transaction has one live record', `${txid} is ${other} and ${record.requestId}`);
      live.set(txid, record.requestId);
    }
  }

  #nothingIsLost(coins: readonly RankedCoin[], payments: readonly PaymentRecord[]): void {
    const live = new Set(payments.filter(isLive).map(({ id }) => id));
    for (const { outpoint, txid, status, paymentId } of coins) {
      const isLost = status === 'void' || (status === 'spent' && paymentId !== null && !live.has(paymentId));
      if (isLost && this.#isKnown(txid) && this.#network.index.isUnspent(outpoint))
        throw new Violation('no coin that is there is void', `${outpoint} is ${status}`);
    }
  }

  #debitsStay(payments: readonly PaymentRecord[], allowances: readonly Allowance[]): void {
    const network = this.#network;
    for (const { signed, ended, state, requestId } of payments)
      if (state === 'failed' && signed && ended && network.blockOf(signed.txid) && network.blockOf(ended.txid))
        throw new Violation('what is in a block has not failed', `${requestId}, ${signed.txid}`);
    for (const { id, origin, periodStart, spentSatoshis } of allowances) {
      const mined = new Map<string, bigint>();
      for (const { allowance, signed } of payments)
        if (signed && allowance?.id === id && allowance.periodStart === periodStart && this.#isKnown(signed.txid))
          mined.set(signed.txid, allowance.debitSatoshis);
      const least = [...mined.values()].reduce((sum, one) => sum + one, 0n);
      if (spentSatoshis < least)
        throw new Violation('no debit is given back', `${origin} has spent ${spentSatoshis}, in blocks are ${least}`);
    }
  }

  /**
   * Checks that a transaction that the network hasn't accepted adds to the balance at most the value of the coins that
   * it spends.
   */
  #nothingIsMadeUp(
    coins: readonly RankedCoin[],
    payments: readonly PaymentRecord[],
    { satoshis: stated }: BalanceTotals,
  ): void {
    const isHeld = ({ status, satoshis }: RankedCoin) =>
      (status === 'pending' || status === 'available') && satoshis > 1n;
    const waiting = new Map<string, bigint>();
    let most = 0n;
    for (const { txid, satoshis } of coins.filter(isHeld))
      if (this.#isThere(txid)) most += satoshis;
      else waiting.set(txid, (waiting.get(txid) ?? 0n) + satoshis);
    if (waiting.size === 0) return;
    for (const { signed, sweep } of payments) {
      if (!signed || this.#made.has(signed.txid)) continue;
      this.#made.set(signed.txid, parseTransaction(fromHex(signed.rawtx)));
      if (sweep) this.#swept.add(signed.txid);
    }
    for (const [txid, satoshis] of waiting) {
      const spent = this.#swept.has(txid) ? satoshis : this.#spentBy(txid);
      most += satoshis < spent ? satoshis : spent;
    }
    if (stated > most)
      throw new Violation('no money is made up', `${stated} of ${most}, with ${[...waiting.keys()].join(', ')}`);
  }

  #isThere(txid: string): boolean {
    return this.#network.index.ever.has(txid) || this.#network.acknowledged.has(txid);
  }

  /** Returns the value of the wallet's own real coins that one of its transactions spends (satoshis). */
  #spentBy(txid: string): bigint {
    const { inputs = [] } = this.#made.get(txid) ?? {};
    return inputs.reduce((sum, { txid: from, vout }) => {
      const output = (this.#network.index.ever.get(from) ?? this.#made.get(from))?.outputs[vout];
      if (!output || !this.#own.has(toHex(output.lockingScript))) return sum;
      const isReal = this.#isThere(from) || this.#swept.has(from) || this.#spentBy(from) > 0n;
      return isReal ? sum + output.satoshis : sum;
    }, 0n);
  }
}

const text = (value: object) => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
