/**
 * The simulated network: a service, two operators and an index over a chain that can be reorganized
 * (testkit/network/forking.ts), with faults between the network and the wallet.
 */
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { Header } from '../../wallet/chain/whats-on-chain.ts';
import { TestChain } from '../../testkit/network/blocks.ts';
import { AppLogService } from '../../testkit/network/app-log-service.ts';
import { serviceAnswer, type Said } from '../../testkit/network/service.ts';
import { forkingNetwork } from '../../testkit/network/forking.ts';
import type { SimulatedResponse, Request } from './platform.ts';
import type { Fault, Lie, Target } from './faults.ts';
import { Hosts, SHOP, type HostFault } from './hosts.ts';
import { nextBlock, refusalOf } from './node.ts';
import { LedgerIndex } from './ledger-index.ts';
import { TokenLedger } from './token-ledger.ts';
import { Rivals } from './rivals.ts';
import { Operator, OPERATOR_PATHS, type Nodes, type OperatorFault } from './operators.ts';
import type { Random } from '../random.ts';
import type { Scheduler } from '../scheduler.ts';

/** The service's origin. The operators and the index have paths below it. */
export const SERVICE = 'http://localhost:7777';

const ORDINALS = '/devnet/ordinals';
const BLOCK_SECONDS = 600;

export class Network {
  readonly chain: TestChain;
  readonly ledger: ReturnType<typeof forkingNetwork>;
  readonly hosts: Hosts;
  readonly index: LedgerIndex;
  readonly tokens: TokenLedger;
  readonly rivals = new Rivals(this);
  /** Two operators, in the order of {@link OPERATOR_PATHS}. */
  readonly operators: readonly [Operator, Operator];
  /** Index of the operator that the wallet uses first. */
  firstOperator: 0 | 1 = 0;
  /** Faults for the next requests, by target. */
  readonly faults: { target: Target; fault: Fault }[] = [];
  lie: Lie | null = null;
  /** Called for each transaction submitted by the wallet, or by an application that has its bytes. */
  onBroadcast: (transaction: Transaction, txid: string, by: 'wallet' | 'application') => void = () => undefined;
  /** All submitted transactions, by ID. */
  readonly seen = new Map<string, Transaction>();
  /** IDs of transactions that blocks had excluded before a reorganization, or nodes before they changed their minds. */
  readonly readmitted = new Set<string>();
  /** IDs of all transactions that a node accepted, including dropped ones, or that an operator reported as mined. */
  readonly acknowledged = new Set<string>();
  /** IDs of third parties' transactions. Applications can make the wallet submit these transactions. */
  readonly outside = new Set<string>();
  /** Payments reported to the service, by payment ID. */
  readonly reports = new Map<string, unknown>();
  readonly #appLog = Object.assign(new AppLogService(), { page: 20 });
  readonly #random: Random;
  readonly #scheduler: Scheduler;
  /** Headers of the blocks with transactions, by transaction ID, cached for one tip. */
  #placed = { tip: '', headers: new Map<string, Header>() };

  constructor(random: Random, scheduler: Scheduler, from: Network | null = null) {
    this.#random = random;
    this.#scheduler = scheduler;
    this.hosts = new Hosts(random);
    const bytes = (length: number) => random.bytes(length);
    this.chain = new TestChain(from ? 0 : 30, bytes);
    this.ledger = forkingNetwork(this.chain, bytes);
    this.index = new LedgerIndex(this.ledger.known);
    this.tokens = new TokenLedger({
      transactionOf: (txid) => this.transactionOf(txid) ?? this.index.ever.get(txid),
      unspentOf: (lock) => [...this.index.paying(lock)].filter((one) => this.index.isUnspent(one)),
      heightOf: (txid) => this.blockOf(txid)?.height ?? null,
    });
    this.ledger.url = SERVICE;
    const nodes: Nodes = {
      judge: (transaction) => this.#judge(transaction),
      accept: (raw) => void this.ledger.take(raw),
      depthOf: (txid) => this.#depthOf(txid),
      outputOf: (txid, vout) => this.transactionOf(txid)?.outputs[vout],
      later: (task, after) => void scheduler.add('forwarded', task, { after }),
    };
    // As an account's service, the shop reports the same operators and accounts as the service.
    this.hosts.ofService = (path, body) => this.#ofService(SHOP, path, body) ?? this.#ofChain('GET', path, body);
    this.operators = [new Operator(nodes, random), new Operator(nodes, random)];
    if (!from) return;
    this.chain.blocks.push(...from.chain.blocks);
    for (const [hash, header] of from.chain.headers) this.chain.headers.set(hash, header);
    for (const [txid, one] of from.ledger.known) this.ledger.known.set(txid, one);
  }

  /** Handles a wallet's request with simulated delays and faults. */
  send(
    { method, url, body, isOfAccount }: Request,
    answer: (answer: SimulatedResponse) => void,
    fail: () => void,
  ): void {
    const path = url.startsWith(SERVICE) ? url.slice(SERVICE.length) : null;
    const target = path === null ? this.hosts.targetOf(url) : targetOf(method, path);
    const at = this.faults.findIndex((one) => one.target === target);
    const fault = at < 0 ? null : (this.faults.splice(at, 1)[0]?.fault ?? null);
    const name = `${method} ${path ?? url}`;
    const isFirst = path?.startsWith(`${OPERATOR_PATHS[this.firstOperator]}/`) === true;
    const after = this.#random.between(2, 250) + (isFirst && this.lie === 'operator slow' ? 12_000 : 0);
    if (fault === 'lost' || (isFirst && this.lie === 'operator down')) {
      this.#scheduler.add(`${name} lost`, fail, { after });
      return;
    }
    const arrive = (isHeard: boolean) =>
      this.#scheduler.add(
        name,
        () => {
          const said =
            fault === '500'
              ? { status: 500, text: '{}' }
              : path === null
                ? this.hosts.answer({ url, body, isOfAccount }, fault as HostFault | null)
                : isFirst && this.lie === 'operator requires key'
                  ? { status: 401, text: '{}' }
                  : this.#answer(method, path, body, fault);
          if (!isHeard || fault === 'no answer') return;
          const back = this.#random.between(2, 250) + (fault === 'late' ? 12_000 : 0);
          const reply = () => (fault === 'answer lost' ? fail() : answer(said));
          this.#scheduler.add(`${name}: ${said.status}`, reply, { after: back });
        },
        { after: isHeard ? after : after + this.#random.between(0, 30_000) },
      );
    arrive(true);
    if (fault === 'twice') arrive(false);
  }

  /**
   * Creates an output in a third party's transaction.
   * @returns the transaction's ID; the output is the transaction's first
   */
  fund(lockingScript: Uint8Array, satoshis: number): string {
    const txid = this.ledger.take(serializeTransaction(this.foreign(lockingScript, satoshis)));
    this.outside.add(txid);
    return txid;
  }

  /** Creates a third party's transaction without submitting it. */
  foreign(lockingScript: Uint8Array, satoshis: number): Transaction {
    const from = { txid: toHex(this.#random.bytes(32)), vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 };
    return {
      version: 1,
      inputs: [from],
      outputs: [{ satoshis: BigInt(satoshis), lockingScript }],
      lockTime: 0,
    };
  }

  /** Submits a transaction to the nodes, as an application that has its bytes can. */
  surface(transaction: Transaction): void {
    const txid = txidOf(serializeTransaction(transaction));
    if (refusalOf(this, transaction, txid) !== null) return;
    this.seen.set(txid, transaction);
    this.onBroadcast(transaction, txid, 'application');
    this.ledger.take(serializeTransaction(transaction));
  }

  /** Returns the header of the block that contains a transaction. */
  blockOf(txid: string): Header | undefined {
    const tip = this.chain.tip.hash;
    if (this.#placed.tip !== tip) {
      const headers = new Map<string, Header>();
      for (const { header, txids } of this.chain.blocks) for (const one of txids) headers.set(one, header);
      this.#placed = { tip, headers };
    }
    return this.#placed.headers.get(txid);
  }

  /** Returns the number of a transaction's confirmations: 0 if it is pending, null if it is unknown. */
  #depthOf(txid: string): number | null {
    const block = this.blockOf(txid);
    if (block) return this.chain.tip.height - block.height + 1;
    return this.ledger.known.has(txid) ? 0 : null;
  }

  /** Mines blocks. The first block contains the pending transactions, or a random subset of them and their parents. */
  mine(count = 1, leaves = 0): void {
    for (let i = 0; i < count; i += 1) {
      const taken = nextBlock(this, () => leaves > 0 && this.#random.chance(leaves));
      this.chain.mine(taken, { time: this.#blockTime });
    }
  }

  get #blockTime(): number {
    return Math.max(this.chain.tip.time + 1, Math.floor(this.#scheduler.now / 1000));
  }

  /**
   * Replaces the last `depth` blocks with a longer branch of empty blocks. The replaced blocks' transactions are
   * pending again.
   */
  reorganise(depth: number): void {
    this.chain.cut(Math.min(depth, this.chain.blocks.length - 20));
    for (let i = 0; i <= depth; i += 1)
      this.chain.mine([], { time: this.chain.tip.time + Math.min(BLOCK_SECONDS, 1 + i) });
  }

  /** Returns a transaction in the form that the network accepted, otherwise as submitted. */
  transactionOf(txid: string): Transaction | undefined {
    return this.ledger.known.get(txid)?.transaction ?? this.seen.get(txid);
  }

  /** Resubmits all valid transactions that the network lacks, as anyone who has their bytes can. */
  resend(): void {
    for (const [txid, transaction] of this.seen)
      if (!this.ledger.known.has(txid) && refusalOf(this, transaction, txid) === null)
        this.ledger.take(serializeTransaction(transaction));
  }

  /** Mines a double spend of a third party's payment to the wallet. */
  doubleSpend(txid: string): void {
    const { transaction } = this.ledger.known.get(txid) as { transaction: Transaction };
    if (!this.rivals.forget(txid)) return;
    const [input] = transaction.inputs as [Transaction['inputs'][number]];
    const rival = serializeTransaction({
      ...transaction,
      inputs: [input],
      outputs: [{ satoshis: 5n, lockingScript: addressScript('mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8', 'devnet') }],
    });
    const id = this.ledger.take(rival);
    this.chain.mine([id], { time: this.#blockTime });
  }

  endFaults(): void {
    this.faults.length = 0;
    this.lie = null;
    for (const operator of this.operators) operator.endFaults();
  }

  #answer(method: string, path: string, body: string, fault: Fault | null): SimulatedResponse {
    const [, root = '', below = ''] = /^(\/\w+)(\/.*)$/.exec(path) ?? [];
    const operator = this.operators[OPERATOR_PATHS.indexOf(root as (typeof OPERATOR_PATHS)[number])];
    if (operator) return this.#ofOperator(operator, { method, path: below, body }, fault as OperatorFault | null);
    const { status = 200, body: said } =
      this.#appLog.answer(method, path, body) ??
      this.#ofService(SERVICE, path, body) ??
      this.#ofChain(method, path, body);
    return { status, text: said === undefined ? 'null' : typeof said === 'string' ? said : JSON.stringify(said) };
  }

  #ofOperator(
    operator: Operator,
    { method, path, body }: { method: string; path: string; body: string },
    fault: OperatorFault | null,
  ): SimulatedResponse {
    if (method === 'POST') this.#scheduler.note(body);
    if (this.lie === 'knows nothing' && /\/tx\/[0-9a-f]{64}/.test(path)) return { status: 404, text: '{}' };
    const answer = operator.answer(method, path, body, fault, this.lie === 'keeps nothing');
    if (this.lie !== 'all mined' || method !== 'GET' || answer.status !== 200 || !path.includes('/tx/')) return answer;
    const status = JSON.parse(answer.text) as { txid: string };
    // The wallet may spend this transaction's outputs, because it can't detect the lie.
    this.acknowledged.add(status.txid);
    return { ...answer, text: JSON.stringify({ ...status, txStatus: 'MINED' }) };
  }

  #ofChain(method: string, path: string, body: string): Said {
    if (this.lie === 'knows nothing' && /\/tx\/[0-9a-f]{64}/.test(path)) return { status: 404, body: 'Not Found' };
    if (path.startsWith(ORDINALS))
      return this.lie === 'hides coins' ? { body: [] } : this.tokens.answer(path.slice(ORDINALS.length));
    this.ledger.lies = this.lie === 'hides coins' ? 'hides' : this.lie === 'keeps nothing' ? 'keeps nothing' : null;
    return this.ledger.answer({ method, url: path, body }) as Said;
  }

  #ofService(origin: string, path: string, body: string): Said | null {
    const { now } = this.#scheduler;
    const service = {
      origin,
      domain: new URL(origin).hostname,
      rates: { USD: this.lie === 'wrong rate' ? '250' : '50', EUR: '45' },
      ...{ ratesAt: now, now },
      nonce: () => toHex(this.#random.bytes(16)),
      reports: origin === SERVICE ? this.reports : this.hosts.reports,
    };
    return serviceAnswer(service, path, body);
  }

  /** Records a transaction submitted by the wallet, and validates it as a node does. */
  #judge(transaction: Transaction) {
    const txid = txidOf(serializeTransaction(transaction));
    this.seen.set(txid, transaction);
    this.onBroadcast(transaction, txid, 'wallet');
    const refusal = refusalOf(this, transaction, txid);
    if (refusal === null) this.acknowledged.add(txid);
    return refusal;
  }
}

function targetOf(method: string, path: string): Target {
  if (OPERATOR_PATHS.some((one) => path.startsWith(`${one}/`))) return method === 'POST' ? 'broadcast' : 'arc';
  return path.startsWith('/woc') || path.startsWith(ORDINALS) ? 'index' : 'service';
}
