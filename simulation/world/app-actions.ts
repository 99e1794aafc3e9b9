/** The actions of simulated applications: the transactions that they request from the wallet. */
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { readBeef } from '../../wallet/chain/read-beef.ts';
import { basketOf, type AppBaskets } from './app-baskets.ts';
import type { AppCalls, Call } from './app-calls.ts';
import { beefOf, FOREIGN_KEY, keyHash, unlock, UNLOCKING_BYTES } from './app-keys.ts';
import type { Browser } from './browser.ts';
import type { Deal } from './deals.ts';
import type { Network } from './network.ts';
import { OPEN_SCRIPT, OPEN_UNLOCK } from './node.ts';

/** Number of attempts to find a transaction that a call needs, and the interval between them (milliseconds). */
const [LOOKS, LOOK_MS] = [12, 500];

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

/** The properties of an action in addition to its payment output. */
interface Creation {
  isTicket?: boolean;
  inputs?: readonly object[];
  toSign?: Made['toSign'];
  change?: readonly string[];
  inputBEEF?: number[];
}

interface Surroundings {
  readonly browser: Browser;
  readonly network: Network;
  sleep(ms: number): Promise<void>;
  newAction(given: { origin: string; satoshis: bigint }): Deal;
}

export class AppActions {
  readonly #world: Surroundings;
  readonly #calls: AppCalls;
  readonly #baskets: AppBaskets;
  readonly #made: Made[] = [];

  constructor(world: Surroundings, calls: AppCalls, baskets: AppBaskets) {
    this.#world = world;
    this.#calls = calls;
    this.#baskets = baskets;
  }

  /** Creates a transaction with one output, which pays the deal's recipient. */
  async create(
    origin: string,
    { satoshis, noSend, later, hand }: Call,
    { isTicket = false, inputs = [], toSign = [], change = [], inputBEEF }: Creation = {},
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
    const answer = await this.#calls.make(origin, 'createAction', args, hand, deal.requestId.slice('action '.length));
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
    if (isTicket && txid !== '' && !noSend) this.#baskets.keep(deal, txid);
    if (toSign.length > 0 && !later) await this.#sign(this.#made.findLast((made) => made.deal === deal));
  }

  /** Creates another unsent transaction from the change of the application's latest unsent one. */
  async chain(origin: string, call: Call): Promise<void> {
    const last = this.#made.findLast(
      ({ deal, isKept, change }) => deal.origin === origin && isKept && change.length > 0,
    );
    await this.create(origin, { ...call, noSend: true }, { change: last?.change ?? [] });
  }

  /** Spends one of the application's tickets. */
  async redeem(origin: string, call: Call): Promise<void> {
    const thing = this.#baskets.ticket(origin, call);
    const outpoint = thing && this.#baskets.outpointOf(thing);
    if (!outpoint) return;
    thing.isExpected = false;
    const satoshis = Math.max(1, Number(thing.satoshis) - 150);
    await this.create(origin, { ...call, satoshis }, { ...toBeSigned(outpoint, thing.satoshis, thing.key) });
  }

  /** Creates an action with a foreign input, which can be valid, signed later, already spent or nonexistent. */
  async bring(origin: string, call: Call): Promise<void> {
    const { network } = this.#world;
    const satoshis = call.satoshis + 1_000;
    const open = fromHex(OPEN_SCRIPT);
    const opened = (outpoint: string) => ({ inputs: [{ ...named(outpoint), unlockingScript: OPEN_UNLOCK }] });
    const more = { ...call, satoshis: call.pick % 2 ? call.satoshis : 600 };
    switch (call.pick % 4) {
      case 0:
        return this.create(origin, more, opened(`${network.fund(open, satoshis)}:0`));
      case 1: {
        const outpoint = `${network.fund(p2pkhScript(keyHash(FOREIGN_KEY)), satoshis)}:0`;
        return this.create(origin, { ...more, later: true }, toBeSigned(outpoint, BigInt(satoshis), FOREIGN_KEY));
      }
      case 2: {
        const txid = network.fund(open, satoshis);
        const spender = { ...network.foreign(open, satoshis - 100), inputs: [inputOf(txid)] };
        network.outside.add(network.ledger.take(serializeTransaction(spender)));
        return this.create(origin, more, opened(`${txid}:0`));
      }
      default: {
        const transaction = network.foreign(open, satoshis * 100);
        const txid = txidOf(serializeTransaction(transaction));
        network.outside.add(txid);
        return this.create(origin, more, { ...opened(`${txid}:0`), inputBEEF: beefOf(transaction) });
      }
    }
  }

  /** Attempts to spend one of the user's coins as a foreign input. */
  async take(origin: string, call: Call): Promise<void> {
    const coins = this.#world.browser.data.all<{ outpoint: string; satoshis: bigint }>('coins');
    const coin = coins[call.pick % Math.max(1, coins.length)];
    if (!coin) return;
    const satoshis = Math.max(1, Number(coin.satoshis) - 1_000);
    await this.create(origin, { ...call, satoshis }, toBeSigned(coin.outpoint, coin.satoshis, FOREIGN_KEY));
  }

  /** Requests an exact copy of an existing transaction. */
  async copy(origin: string, { pick, hand, noSend }: Call): Promise<void> {
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
    await this.#calls.make(origin, 'createAction', args, hand);
  }

  async sign(origin: string, call: Call): Promise<void> {
    await this.#sign(await this.#pick(origin, call, ({ reference }) => reference !== null));
  }

  async abort(origin: string, call: Call): Promise<void> {
    const made = await this.#pick(origin, call, ({ reference, isKept }) => reference !== null || isKept);
    // Signed actions have no reference.
    if (made) await this.#calls.make(origin, 'abortAction', { reference: made.reference ?? made.txid }, false);
  }

  /** Sends a transaction that the wallet has withheld for the application. */
  async send(origin: string, call: Call): Promise<void> {
    const made = await this.#pick(origin, call, ({ isKept }) => isKept);
    if (!made) return;
    const args = { description: 'send it now', options: { sendWith: [made.txid] } };
    await this.#calls.make(origin, 'createAction', args, false);
  }

  /** Submits a withheld transaction to the network directly. */
  async surface(origin: string, call: Call): Promise<void> {
    const made = await this.#pick(origin, call, ({ isKept, reference }) => isKept && reference === null);
    if (made) this.#world.network.surface(made.transaction);
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

  async #sign(made: Made | undefined): Promise<void> {
    if (!made || made.reference === null) return;
    const { transaction, reference, toSign, deal } = made;
    const spends = Object.fromEntries(
      toSign.map(({ satoshis, key }, vin) => [vin, { unlockingScript: unlock(transaction, vin, satoshis, key) }]),
    );
    const answer = await this.#calls.make(deal.origin, 'signAction', { reference, spends }, false);
    if ('code' in answer) return;
    made.reference = null;
    made.txid = answer.txid ?? made.txid;
    made.transaction = transactionIn(answer.tx) ?? made.transaction;
    deal.txid = answer.txid ?? deal.txid;
  }
}

const named = (outpoint: string) => ({ outpoint: outpoint.replace(':', '.'), inputDescription: 'something it spends' });

const toBeSigned = (outpoint: string, satoshis: bigint, key: number) => ({
  inputs: [{ ...named(outpoint), unlockingScriptLength: UNLOCKING_BYTES }],
  toSign: [{ satoshis, key }],
});

const inputOf = (txid: string) => ({ txid, vout: 0, unlockingScript: fromHex(OPEN_UNLOCK), sequence: 0xffff_ffff });

function transactionIn(tx: readonly number[] | undefined): Transaction | null {
  if (!tx) return null;
  const { subject, members } = readBeef(Uint8Array.from(tx));
  return members.get(subject ?? '')?.transaction ?? null;
}
