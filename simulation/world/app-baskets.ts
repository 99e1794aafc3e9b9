/** The outputs that simulated applications store in baskets, and the payments that they forward to the user. */
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { PublicKeys } from '../../wallet/keys/keys.ts';
import { HONEST, type AppCalls, type Call } from './app-calls.ts';
import { beefOf, derivedPayment, FOREIGN_KEY, keyHash } from './app-keys.ts';
import type { Browser } from './browser.ts';
import type { Deal } from './deals.ts';
import type { Network } from './network.ts';
import type { Random } from '../random.ts';

export const basketOf = (origin: string) => (origin === HONEST ? 'tickets' : 'loot');

/** An output that an application has stored in its basket, or a payment that it has forwarded to the user. */
interface Thing {
  origin: string;
  kind: 'ticket' | 'payment';
  txid: string;
  /** The locking script (hex), unique among the transaction's outputs. */
  script: string;
  satoshis: bigint;
  key: number;
  /** True while the application expects the wallet to have the output or payment. */
  isExpected: boolean;
  /** True if the account's service has stored the output or payment at any time. */
  isSaved: boolean;
}

interface Surroundings {
  readonly browser: Browser;
  readonly network: Network;
  readonly random: Random;
}

export class AppBaskets {
  readonly things: Thing[] = [];
  readonly #world: Surroundings;
  readonly #calls: AppCalls;

  constructor(world: Surroundings, calls: AppCalls) {
    this.#world = world;
    this.#calls = calls;
  }

  /** Returns the outpoints in the honest application's basket (`txid.vout`), or null if the call fails. */
  async listed(): Promise<ReadonlySet<string> | null> {
    const answer = await this.#calls.make(HONEST, 'listOutputs', { basket: basketOf(HONEST), limit: 1000 }, true);
    return 'code' in answer ? null : new Set(answer.outputs.map(({ outpoint }) => outpoint));
  }

  outpointOf({ txid, script }: Thing): string | null {
    const { transaction } = this.#world.network.ledger.known.get(txid) ?? {};
    const vout = transaction?.outputs.findIndex(({ lockingScript }) => toHex(lockingScript) === script) ?? -1;
    return vout < 0 ? null : `${txid}:${vout}`;
  }

  /** Records a ticket that the application has stored. */
  keep({ origin, script, asked, number }: Deal, txid: string): void {
    const { satoshis } = asked as { satoshis: bigint };
    const thing = { origin, kind: 'ticket' as const, txid, script: script ?? '', satoshis, key: number };
    this.things.push({ ...thing, isExpected: true, isSaved: false });
  }

  /** Returns one of the application's tickets. */
  ticket(origin: string, { pick }: Call): Thing | undefined {
    const such = this.things.filter((one) => one.origin === origin && one.kind === 'ticket' && one.isExpected);
    return such[pick % Math.max(1, such.length)];
  }

  async list(origin: string, { hand }: Call): Promise<void> {
    await this.#calls.make(origin, 'listOutputs', { basket: basketOf(origin) }, hand);
  }

  /** Inserts an external ticket or, if the application is hostile, another application's ticket into a basket. */
  async insert(origin: string, { pick, hand, satoshis }: Call): Promise<void> {
    const { network } = this.#world;
    const others = origin === HONEST ? [] : this.things.filter((one) => one.origin !== origin);
    const other = others[pick % Math.max(1, others.length)];
    const number = this.#world.random.between(100_000, 100_020);
    const script = other?.script ?? toHex(p2pkhScript(keyHash(number)));
    const txid = other?.txid ?? network.fund(fromHex(script), satoshis);
    const { transaction } = network.ledger.known.get(txid) ?? {};
    const outputIndex = transaction?.outputs.findIndex(({ lockingScript }) => toHex(lockingScript) === script) ?? -1;
    if (!transaction || outputIndex < 0) return;
    const insertionRemittance = { basket: basketOf(origin), tags: ['ticket'] };
    const args = {
      tx: beefOf(transaction),
      outputs: [{ outputIndex, protocol: 'basket insertion', insertionRemittance }],
      description: 'a ticket from elsewhere',
    };
    const answer = await this.#calls.make(origin, 'internalizeAction', args, hand);
    if ('code' in answer || other) return;
    const thing = { origin, kind: 'ticket' as const, txid, script, satoshis: BigInt(satoshis), key: number };
    this.things.push({ ...thing, isExpected: true, isSaved: false });
  }

  /** Internalizes a third party's payment to a derived key (BRC-29). */
  async receive(origin: string, { pick, hand, satoshis }: Call): Promise<void> {
    const { network, browser } = this.#world;
    const { identity } = browser.data.get<PublicKeys>('keyval', 'publicKeys') ?? { identity: '' };
    if (identity === '') return;
    const { script, remittance } = derivedPayment(identity, pick % 5);
    const txid = network.fund(fromHex(script), satoshis);
    const { transaction } = network.ledger.known.get(txid) as { transaction: Transaction };
    const args = {
      tx: beefOf(transaction),
      outputs: [{ outputIndex: 0, protocol: 'wallet payment', paymentRemittance: remittance }],
      description: 'a payment to the user',
    };
    const answer = await this.#calls.make(origin, 'internalizeAction', args, hand);
    if ('code' in answer) return;
    const thing = { origin, kind: 'payment' as const, txid, script, satoshis: BigInt(satoshis), key: FOREIGN_KEY };
    this.things.push({ ...thing, isExpected: true, isSaved: false });
  }

  async relinquish(origin: string, call: Call): Promise<void> {
    // Hostile applications also attempt to relinquish other applications' tickets.
    const such = this.things.filter((one) => one.kind === 'ticket' && (origin !== HONEST || one.origin === origin));
    const thing = such[call.pick % Math.max(1, such.length)];
    const outpoint = thing && this.outpointOf(thing);
    if (!outpoint) return;
    if (thing.origin === origin) thing.isExpected = false;
    const args = { basket: basketOf(origin), output: outpoint.replace(':', '.') };
    await this.#calls.make(origin, 'relinquishOutput', args, call.hand);
  }
}
