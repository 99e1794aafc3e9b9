/**
 * Responses of paymail hosts, cached in memory separately for each requester. A page that chooses the host sees whether
 * the wallet repeats a request, so a shared cache would reveal visitors of one site to others.
 */
import { OWN } from '../sites/site.ts';
import { part, type Wallet } from '../platform.ts';

/** How long responses to a site's request are cached without approval (milliseconds): the duration of a request. */
const REQUEST_MS = 10_000;
/** Maximum entries of one kind. */
const MOST = 300;

const agreed = part(() => new Set<string>());

/** The user has paid for this site: from now on its cache lasts as long as the user's own. */
export function noteAgreed(wallet: Wallet, client: string): void {
  if (agreed(wallet).size > 1000) agreed(wallet).clear();
  agreed(wallet).add(client);
}

/** A cache of one kind of entries. */
export class Kept<T> {
  readonly #wallet: Wallet;
  readonly #mostMs: number;
  readonly #things = new Map<string, { thing: T; at: number }>();

  /** @param mostMs how long an entry is valid for the user and for sites that the user paid for (milliseconds) */
  constructor(wallet: Wallet, mostMs: number) {
    this.#wallet = wallet;
    this.#mostMs = mostMs;
  }

  /** This client's cached answer for a name, while valid. Setting the clock back does not extend it. */
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
