/** Simulated BRC-100 applications. One application is honest and stores tickets in a basket. The others attack. */
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Brc100Results, SupportedMethod } from '../../protocol/brc100/methods.ts';
import type { PageReply } from '../../protocol/messages/page-messages.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { CHANNEL } from '../../protocol/messages/wire.ts';
import { readBeef } from '../../wallet/chain/read-beef.ts';
import type { PublicKeys } from '../../wallet/keys/keys.ts';
import { beefOf, derivedPayment, keyHash, unlock, UNLOCKING_BYTES } from './app-keys.ts';
import type { Browser } from './browser.ts';
import type { Command } from './commands.ts';
import type { Deal } from './deals.ts';
import type { Network } from './network.ts';
import { OPEN_SCRIPT, OPEN_UNLOCK } from './node.ts';
import type { Pages } from './pages.ts';
import type { Random } from '../random.ts';

export const HONEST = 'https://tickets.example';
/** Origins of applications, indexed by `Call.app`. One of the sites with buttons is also an application. */
export const APPLICATIONS = [
  HONEST,
  'https://hostile.example',
  'https://a.hostile.example',
  'https://b.hostile.example',
  'https://site0.example',
] as const;
const basketOf = (origin: string) => (origin === HONEST ? 'tickets' : 'loot');
/** Number of attempts to find a transaction that a call needs, and the interval between them (milliseconds). */
const [LOOKS, LOOK_MS] = [12, 500];
/** The key number of applications' foreign inputs. Deals use the keys from 1 on. */
const BROUGHT_KEY = 0;

type Call = Extract<Command, { do: 'call' }>;
type CallResult<M extends SupportedMethod> = Brc100Results[M] | { code: string };

/** A transaction, with the data that its application has. */
interface Made {
  deal: Deal;
  transaction: Transaction;
  txid: string;
  /** `txid.vout` */
  change: readonly string[];
  /** The reference of an action that is not signed yet. */
  reference: string | null;
  /** The inputs that the application must sign, in satoshis and key numbers. */
  toSign: readonly { satoshis: bigint; key: number }[];
  isKept: boolean;
}

/** An output that an application has stored in its basket, or a payment that it has forwarded to the user. */
export interface Thing {
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
  readonly pages: Pages;
  sleep(ms: number): Promise<void>;
  newAction(given: { origin: string; satoshis: bigint }): Deal;
}

export class Applications {
  readonly things: Thing[] = [];
  readonly #world: Surroundings;
  readonly #made: Made[] = [];
  #calls = 0;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  get areUsed(): boolean {
    return this.#calls > 0;
  }

  /** Makes an application's call, and records its effects. */
  async act(call: Call): Promise<void> {
    const origin = APPLICATIONS[call.app] ?? HONEST;
    switch (call.act) {
      case 'pay':
        return this.#create(origin, call, {});
      case 'ticket':
        return this.#create(origin, call, { isTicket: true });
      case 'chain':
        return this.#chain(origin, call);
      case 'redeem':
        return this.#redeem(origin, call);
      case 'bring':
        return this.#bring(origin, call);
      case 'take':
        return this.#take(origin, call);
      case 'copy':
        return this.#copy(origin, call);
      case 'sign':
        return this.#sign(await this.#pick(origin, call, ({ reference }) => reference !== null));
      case 'abort':
        return this.#abort(await this.#pick(origin, call, ({ reference, isKept }) => reference !== null || isKept));
      case 'send':
        return this.#send(await this.#pick(origin, call, ({ isKept }) => isKept));
      case 'surface': {
        const made = await this.#pick(origin, call, ({ isKept, reference }) => isKept && reference === null);
        return made && this.#world.network.surface(made.transaction);
      }
      case 'insert':
        return this.#insert(origin, call);
      case 'receive':
        return this.#receive(origin, call);
      case 'list':
        return void (await this.#call(origin, 'listOutputs', { basket: basketOf(origin) }, call.hand));
      case 'relinquish':
        return this.#relinquish(origin, call);
    }
  }

  /** Returns the outpoints in the honest application's basket (`txid.vout`), or null if the call fails. */
  async listed(): Promise<ReadonlySet<string> | null> {
    const answer = await this.#call(HONEST, 'listOutputs', { basket: basketOf(HONEST), limit: 1000 }, true);
    return 'code' in answer ? null : new Set(answer.outputs.map(({ outpoint }) => outpoint));
  }

  outpointOf({ txid, script }: Thing): string | null {
    const { transaction } = this.#world.network.ledger.known.get(txid) ?? {};
    const vout = transaction?.outputs.findIndex(({ lockingScript }) => toHex(lockingScript) === script) ?? -1;
    return vout < 0 ? null : `${txid}:${vout}`;
  }

  #call<M extends SupportedMethod>(
    origin: string,
    method: M,
    args: object,
    hand: boolean,
    message = `simulated-call-${this.#calls}`,
  ): Promise<CallResult<M>> {
    this.#calls += 1;
    const params = { call: method, args: JSON.stringify(args) };
    const userActivation = hand ? 'new' : 'none';
    const request = { channel: CHANNEL, to: 'wallet', id: message, method: 'brc100/call', params, userActivation };
    const { pages, browser } = this.#world;
    return new Promise((resolve) =>
      pages.converse(browser, { page: {}, origin, message: request }, (reply) =>
        resolve(answerIn(reply as PageReply<'brc100/call'>)),
      ),
    );
  }

  /** Polls until the application has a suitable transaction. @returns undefined after the last attempt */
  async #pick(origin: string, { pick }: Call, isSuch: (made: Made) => boolean): Promise<Made | undefined> {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const such = this.#made.filter((made) => made.deal.origin === origin && isSuch(made));
      if (such.length > 0) return such[pick % such.length];
      await this.#world.sleep(LOOK_MS);
    }
    return undefined;
  }

  /** Creates a transaction with one output that pays the deal. */
  async #create(
    origin: string,
    { satoshis, noSend, later, hand }: Call,
    { isTicket = false, inputs = [], toSign = [], change = [], inputBEEF }: Creation,
  ): Promise<void> {
    const deal = this.#world.newAction({ origin, satoshis: BigInt(satoshis) });
    const output = { satoshis, lockingScript: deal.script, outputDescription: 'a thing of the application' };
    const args = {
      description: 'something to buy',
      inputs,
      ...(inputBEEF && { inputBEEF }),
      outputs: [{ ...output, ...(isTicket && { basket: basketOf(origin), tags: ['ticket'] }) }],
      options: { signAndProcess: !later, noSend: noSend ?? false, noSendChange: change },
    };
    const answer = await this.#call(origin, 'createAction', args, hand, deal.requestId.slice('action '.length));
    if ('code' in answer) {
      deal.answer = { error: answer.code };
      return;
    }
    const { txid = '', tx, signableTransaction, noSendChange = [] } = answer;
    deal.answer = { txid };
    if (txid !== '') deal.txid = txid;
    const transaction = transactionIn(tx ?? signableTransaction?.tx);
    if (transaction)
      this.#made.push({
        deal,
        transaction,
        txid,
        change: noSendChange,
        reference: signableTransaction?.reference ?? null,
        toSign,
        isKept: noSend ?? false,
      });
    if (isTicket && txid !== '' && !noSend) this.#keep(deal, txid);
    if (toSign.length > 0 && !later) await this.#sign(this.#made.findLast((made) => made.deal === deal));
  }

  #keep({ origin, script, asked, number }: Deal, txid: string): void {
    const { satoshis } = asked as { satoshis: bigint };
    const thing = { origin, kind: 'ticket' as const, txid, script: script ?? '', satoshis, key: number };
    this.things.push({ ...thing, isExpected: true, isSaved: false });
  }

  /** Creates another unsent transaction from the change of the application's latest unsent one. */
  async #chain(origin: string, call: Call): Promise<void> {
    const last = this.#made.findLast(
      ({ deal, isKept, change }) => deal.origin === origin && isKept && change.length > 0,
    );
    await this.#create(origin, { ...call, noSend: true }, { change: last?.change ?? [] });
  }

  /** Spends one of the application's tickets. */
  async #redeem(origin: string, call: Call): Promise<void> {
    const thing = this.#thing(origin, call);
    const outpoint = thing && this.outpointOf(thing);
    if (!outpoint) return;
    thing.isExpected = false;
    const satoshis = Math.max(1, Number(thing.satoshis) - 150);
    await this.#create(origin, { ...call, satoshis }, { ...toBeSigned(outpoint, thing.satoshis, thing.key) });
  }

  #thing(origin: string, { pick }: Call): Thing | undefined {
    const such = this.things.filter((one) => one.origin === origin && one.kind === 'ticket' && one.isExpected);
    return such[pick % Math.max(1, such.length)];
  }

  /** Creates an action with a foreign input, which can be valid, signed later, already spent or nonexistent. */
  async #bring(origin: string, call: Call): Promise<void> {
    const { network } = this.#world;
    const satoshis = call.satoshis + 1_000;
    const open = fromHex(OPEN_SCRIPT);
    const opened = (outpoint: string) => ({ inputs: [{ ...named(outpoint), unlockingScript: OPEN_UNLOCK }] });
    const more = { ...call, satoshis: call.pick % 2 ? call.satoshis : 600 };
    switch (call.pick % 4) {
      case 0:
        return this.#create(origin, more, opened(`${network.fund(open, satoshis)}:0`));
      case 1: {
        const outpoint = `${network.fund(p2pkhScript(keyHash(BROUGHT_KEY)), satoshis)}:0`;
        return this.#create(origin, { ...more, later: true }, toBeSigned(outpoint, BigInt(satoshis), BROUGHT_KEY));
      }
      case 2: {
        const txid = network.fund(open, satoshis);
        const spender = { ...network.foreign(open, satoshis - 100), inputs: [inputOf(txid)] };
        network.outside.add(network.ledger.take(serializeTransaction(spender)));
        return this.#create(origin, more, opened(`${txid}:0`));
      }
      default: {
        const transaction = network.foreign(open, satoshis * 100);
        const txid = txidOf(serializeTransaction(transaction));
        network.outside.add(txid);
        return this.#create(origin, more, { ...opened(`${txid}:0`), inputBEEF: beefOf(transaction) });
      }
    }
  }

  /** Attempts to spend one of the user's coins as a foreign input. */
  async #take(origin: string, call: Call): Promise<void> {
    const coins = this.#world.browser.data.all<{ outpoint: string; satoshis: bigint }>('coins');
    const coin = coins[call.pick % Math.max(1, coins.length)];
    if (!coin) return;
    const satoshis = Math.max(1, Number(coin.satoshis) - 1_000);
    await this.#create(origin, { ...call, satoshis }, toBeSigned(coin.outpoint, coin.satoshis, BROUGHT_KEY));
  }

  /** Requests an exact copy of an existing transaction. */
  async #copy(origin: string, { pick, hand, noSend }: Call): Promise<void> {
    const known = [...this.#world.network.ledger.known.values()].slice(-12);
    const { transaction } = known[pick % Math.max(1, known.length)] ?? {};
    if (!transaction) return;
    const inputs = transaction.inputs.map(({ txid, vout, unlockingScript, sequence }) => ({
      ...named(`${txid}:${vout}`),
      unlockingScript: toHex(unlockingScript),
      sequenceNumber: sequence,
    }));
    const outputs = transaction.outputs.map(({ satoshis, lockingScript }) => ({
      satoshis: Number(satoshis),
      lockingScript: toHex(lockingScript),
      outputDescription: 'a thing of the application',
    }));
    const { version, lockTime } = transaction;
    const options = { noSend: noSend ?? false, randomizeOutputs: false };
    const args = { description: 'something to buy', version, lockTime, inputs, outputs, options };
    await this.#call(origin, 'createAction', args, hand);
  }

  async #sign(made: Made | undefined): Promise<void> {
    if (!made || made.reference === null) return;
    const { transaction, reference, toSign, deal } = made;
    const spends = Object.fromEntries(
      toSign.map(({ satoshis, key }, vin) => [vin, { unlockingScript: unlock(transaction, vin, satoshis, key) }]),
    );
    const answer = await this.#call(deal.origin, 'signAction', { reference, spends }, false);
    if ('code' in answer) return;
    made.reference = null;
    made.txid = answer.txid ?? made.txid;
    made.transaction = transactionIn(answer.tx) ?? made.transaction;
    deal.txid = answer.txid ?? deal.txid;
  }

  async #abort(made: Made | undefined): Promise<void> {
    // Signed actions have no reference.
    if (made) await this.#call(made.deal.origin, 'abortAction', { reference: made.reference ?? made.txid }, false);
  }

  async #send(made: Made | undefined): Promise<void> {
    if (!made) return;
    const args = { description: 'send it now', options: { sendWith: [made.txid] } };
    await this.#call(made.deal.origin, 'createAction', args, false);
  }

  /** Inserts an external ticket or, if the application is hostile, another application's ticket into a basket. */
  async #insert(origin: string, { pick, hand, satoshis }: Call): Promise<void> {
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
    const answer = await this.#call(origin, 'internalizeAction', args, hand);
    if ('code' in answer || other) return;
    const thing = { origin, kind: 'ticket' as const, txid, script, satoshis: BigInt(satoshis), key: number };
    this.things.push({ ...thing, isExpected: true, isSaved: false });
  }

  /** Internalizes a third party's payment to a derived key (BRC-29). */
  async #receive(origin: string, { pick, hand, satoshis }: Call): Promise<void> {
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
    const answer = await this.#call(origin, 'internalizeAction', args, hand);
    if ('code' in answer) return;
    const thing = { origin, kind: 'payment' as const, txid, script, satoshis: BigInt(satoshis), key: BROUGHT_KEY };
    this.things.push({ ...thing, isExpected: true, isSaved: false });
  }

  async #relinquish(origin: string, call: Call): Promise<void> {
    // Hostile applications also attempt to relinquish other applications' tickets.
    const such = this.things.filter((one) => one.kind === 'ticket' && (origin !== HONEST || one.origin === origin));
    const thing = such[call.pick % Math.max(1, such.length)];
    const outpoint = thing && this.outpointOf(thing);
    if (!outpoint) return;
    if (thing.origin === origin) thing.isExpected = false;
    const args = { basket: basketOf(origin), output: outpoint.replace(':', '.') };
    await this.#call(origin, 'relinquishOutput', args, call.hand);
  }
}

/** The properties of an action in addition to its payment output. */
interface Creation {
  isTicket?: boolean;
  inputs?: readonly object[];
  toSign?: Made['toSign'];
  change?: readonly string[];
  inputBEEF?: number[];
}

const named = (outpoint: string) => ({ outpoint: outpoint.replace(':', '.'), inputDescription: 'something it spends' });

const toBeSigned = (outpoint: string, satoshis: bigint, key: number) => ({
  inputs: [{ ...named(outpoint), unlockingScriptLength: UNLOCKING_BYTES }],
  toSign: [{ satoshis, key }],
});

const inputOf = (txid: string) => ({ txid, vout: 0, unlockingScript: fromHex(OPEN_UNLOCK), sequence: 0xffff_ffff });

function answerIn<M extends SupportedMethod>({ result, error }: PageReply<'brc100/call'>): CallResult<M> {
  if (error) return { code: error.code };
  const said = result as { result: Brc100Results[M] } | { error: { code: unknown } };
  return 'error' in said ? { code: String(said.error.code) } : said.result;
}

function transactionIn(tx: readonly number[] | undefined): Transaction | null {
  if (!tx) return null;
  const { subject, members } = readBeef(Uint8Array.from(tx));
  return members.get(subject ?? '')?.transaction ?? null;
}
