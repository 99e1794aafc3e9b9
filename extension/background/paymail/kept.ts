/**
 * What hosts of paymails told, kept in memory by who asked. A page chooses the host, and sees by its own questions
 * whether the wallet asks it again: what was kept for all sites alike would show a visitor of one to every other.
 */
import { OWN } from '../sites/site.ts';

/** What a site's request brought is kept for so long without the user's yes (milliseconds): as one request takes. */
const REQUEST_MS = 10_000;
/** Most that is kept of one kind. */
const MOST = 300;

const agreed = new Set<string>();

/** The user paid for this site: from now on it is kept for it as long as for the user. */
export function noteAgreed(client: string): void {
  if (agreed.size > 1000) agreed.clear();
  agreed.add(client);
}

/** Things of one kind. */
export class Kept<T> {
  readonly #mostMs: number;
  readonly #things = new Map<string, { thing: T; at: number }>();

  /** @param mostMs how long one counts for the user and for sites that the user paid for (milliseconds) */
  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** What this client was told of a name, while it counts. A clock that was set back makes nothing last longer. */
  get(client: string, name: string): T | undefined {
    const kept = this.#things.get(`${client} ${name}`);
    const most = client === OWN || agreed.has(client) ? this.#mostMs : Math.min(this.#mostMs, REQUEST_MS);
    return kept && Math.abs(Date.now() - kept.at) < most ? kept.thing : undefined;
  }

  set(client: string, name: string, thing: T): void {
    if (this.#things.size >= MOST) this.#things.clear();
    this.#things.set(`${client} ${name}`, { thing, at: Date.now() });
  }

  delete(client: string, name: string): void {
    this.#things.delete(`${client} ${name}`);
  }
}
