/**
 * Responses of paymail hosts, cached in memory separately for each requester. A page that chooses the host can detect
 * whether the wallet repeats a request. A shared cache would reveal visits to other sites.
 */
import { OWN } from '../sites/site.ts';
import { part, type Wallet } from '../platform.ts';

/** Cache lifetime for sites that the user has never paid on (milliseconds): the duration of a request. */
const REQUEST_MS = 10_000;
/** Maximum number of cached entries of one kind. */
const MOST = 300;

const agreed = part(() => new Set<string>());

/** Records that the user has paid on this site. From now on, its cache lasts as long as the user's own. */
export function noteAgreed(wallet: Wallet, client: string): void {
  if (agreed(wallet).size > 1000) agreed(wallet).clear();
  agreed(wallet).add(client);
}

/** Cache for one kind of entry. */
export class Kept<T> {
  readonly #wallet: Wallet;
  readonly #mostMs: number;
  readonly #things = new Map<string, { thing: T; at: number }>();

  /** @param mostMs lifetime of entries for the user and for sites that the user has paid on (milliseconds) */
  constructor(wallet: Wallet, mostMs: number) {
    this.#wallet = wallet;
    this.#mostMs = mostMs;
  }

  /** Returns this client's cached entry while it is valid. Setting the clock back doesn't extend that. */
  get(client: string, name: string): T | undefined {
    const kept = this.#things.get(`${client} ${name}`);
    const most = client === OWN || agreed(this.#wallet).has(client) ? this.#mostMs : Math.min(this.#mostMs, REQUEST_MS);
    return kept && Math.abs(this.#wallet.now() - kept.at) < most ? kept.thing : undefined;
  }

  set(client: string, name: string, thing: T): void {
    if (this.#things.size >= MOST) this.#things.clear();
    this.#things.set(`${client} ${name}`, { thing, at: this.#wallet.now() });
  }

  delete(client: string, name: string): void {
    this.#things.delete(`${client} ${name}`);
  }
}
