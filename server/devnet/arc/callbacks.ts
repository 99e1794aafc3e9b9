/**
 * ARC's callbacks: requests sent to the URL named in a submission, when its transaction is seen and when it is mined.
 * Registered only in memory, because `GET /v1/tx/{txid}` always returns the status.
 */
import type { ArcadeTransaction, ArcTransaction } from '../../../protocol/network/arc.ts';

export interface Callback {
  url: string;
  token: string | undefined;
}

/** Delays before the second, third and fourth attempt (ms). */
const DELAYS = [1_000, 5_000, 30_000];
const TIMEOUT_MS = 10_000;
/** Maximum number of transactions with callbacks. Further transactions displace the oldest. */
const MAX_CALLBACK_TRANSACTIONS = 10_000;

/** Returns a callback's URL, or null unless it is http or https without credentials. */
export function callbackUrl(text: string): string | null {
  if (text.length > 2_000 || !URL.canParse(text)) return null;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}

export class Callbacks {
  readonly #wanted = new Map<string, Callback[]>();
  readonly #stop = new AbortController();
  readonly #delays: readonly number[];
  /** The latest call per URL and transaction. Calls are chained so that "mined" never overtakes "seen". */
  readonly #chains = new Map<string, Promise<void>>();

  constructor(delays: readonly number[] = DELAYS) {
    this.#delays = delays;
  }

  /** Registers a callback for a transaction. Ignores duplicates, and callbacks beyond ten per transaction. */
  add(txid: string, callback: Callback): void {
    const list = this.#wanted.get(txid) ?? [];
    if (list.some((one) => one.url === callback.url) || list.length >= 10) return;
    this.#wanted.set(txid, [...list, callback]);
    const [oldest] = this.#wanted.keys();
    if (this.#wanted.size > MAX_CALLBACK_TRANSACTIONS && oldest !== undefined) this.#wanted.delete(oldest);
  }

  wants(txid: string): boolean {
    return this.#wanted.has(txid);
  }

  /** Calls all callbacks of this transaction, and removes them once it is mined. */
  tell(transaction: ArcTransaction | ArcadeTransaction): void {
    const { txid, txStatus, blockHash, blockHeight, merklePath, timestamp } = transaction;
    const body = JSON.stringify({ txid, txStatus, blockHash, blockHeight, merklePath, timestamp });
    for (const target of this.#wanted.get(txid) ?? []) {
      const key = `${txid} ${target.url}`;
      const chain = (this.#chains.get(key) ?? Promise.resolve())
        .then(() => this.#deliver(target, body))
        .finally(() => {
          if (this.#chains.get(key) === chain) this.#chains.delete(key);
        });
      this.#chains.set(key, chain);
    }
    if (txStatus === 'MINED') this.#wanted.delete(txid);
  }

  /** Cancels all retries and waits for calls in progress. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wanted.clear();
    await Promise.all(this.#chains.values());
  }

  async #deliver(target: Callback, body: string): Promise<void> {
    for (const delay of [...this.#delays, null]) {
      if (this.#stop.signal.aborted || (await this.#attempt(target, body))) return;
      if (delay !== null) await this.#wait(delay);
    }
  }

  async #attempt({ url, token }: Callback, body: string): Promise<boolean> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const headers = {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    };
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await response.body?.cancel();
      return response.ok;
    } catch {
      // Retried, because the receiver is probably down.
      return false;
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#stop.signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
  }
}
