/**
 * Stores known paymails with their keys and hosts so that a host can't secretly replace a recipient. Caches hosts'
 * responses.
 */
import { database, type WriteTransaction, type Reading } from '../store/database.ts';
import type { KnownPaymail, PaidHost } from './paid-host.ts';
import { type Wallet, part } from '../platform.ts';
import { OWN } from '../sites/site.ts';

/** Result of comparing a paymail's stored data with its current data. */
export type Compared = Pick<PaidHost, 'known' | 'keyChangedSince' | 'keyUnavailable' | 'originBefore'>;

/**
 * Compares the stored data for a paymail with the current key from its host (null if none) and, if known, the host's
 * origin. A missing key is also reported, because the host may be hiding a different one.
 */
export async function compareKnown(
  wallet: Wallet,
  paymail: string,
  publicKey: string | null,
  origin?: string,
): Promise<Compared> {
  const known = await (await database(wallet)).get('paymails', paymail);
  if (!known) return { known: false, keyChangedSince: null };
  const changed = publicKey !== null && known.publicKey !== null && known.publicKey !== publicKey;
  const moved = origin !== undefined && known.origin !== undefined && known.origin !== origin;
  return {
    known: !known.isUnpaid,
    keyChangedSince: changed ? known.since : null,
    ...(publicKey === null && known.publicKey !== null && { keyUnavailable: true }),
    ...(moved && known.origin !== undefined && { originBefore: known.origin }),
  };
}

/**
 * Stores the recipients of a payment, in the transaction that signs it. A new key or host replaces the old one, because
 * the user has seen the change and paid anyway. If the host supplies no key, the stored key remains.
 */
export async function rememberPaymails(
  wallet: Wallet,
  tx: WriteTransaction,
  hosts: readonly PaidHost[],
): Promise<void> {
  for (const { paymail, publicKey, origin } of hosts) await remember(wallet, tx, { paymail, publicKey, origin });
}

/** A database transaction that can write to the `paymails` store. */
interface Writing {
  objectStore(name: 'paymails'): {
    get(paymail: string): Promise<KnownPaymail | undefined>;
    put(known: KnownPaymail): Promise<unknown>;
    delete(paymail: string): Promise<void>;
  };
}

export const isKnownPaymail = async (tx: Reading, paymail: string): Promise<boolean> =>
  (await tx.objectStore('paymails').getKey(paymail)) !== undefined;

/** Returns up to `most` paid or saved paymails. */
export const knownPaymails = (tx: Reading, most: number): Promise<KnownPaymail[]> =>
  tx.objectStore('paymails').getAll(null, most);

/**
 * Stores the paymail of a saved contact. If the paymail is already stored, nothing changes, because data from a payment
 * takes precedence.
 */
export async function rememberSaved(wallet: Wallet, tx: Writing, seen: Omit<KnownPaymail, 'since'>): Promise<void> {
  if (!(await tx.objectStore('paymails').get(seen.paymail))) await remember(wallet, tx, { ...seen, isUnpaid: true });
}

/** Deletes a paymail that was saved but never paid. */
export async function forgetSaved(tx: Writing, paymail: string): Promise<void> {
  const paymails = tx.objectStore('paymails');
  if ((await paymails.get(paymail))?.isUnpaid) await paymails.delete(paymail);
}

async function remember(wallet: Wallet, tx: Writing, seen: Omit<KnownPaymail, 'since'>): Promise<void> {
  const paymails = tx.objectStore('paymails');
  const known = await paymails.get(seen.paymail);
  const publicKey = seen.publicKey ?? known?.publicKey ?? null;
  const since = known?.publicKey === publicKey ? known.since : wallet.now();
  await paymails.put({ ...seen, publicKey, since });
}

/** Cache lifetime for sites that the user has never paid on (milliseconds): about the duration of a request. */
const REQUEST_MS = 10_000;
/** Maximum number of entries per cache. */
const MAX_CACHED_ENTRIES = 300;

const agreed = part(() => new Set<string>());

/**
 * Records that the user has paid on this site. From then on, entries for the site are cached for as long as those for
 * the user.
 */
export function noteAgreed(wallet: Wallet, client: string): void {
  if (agreed(wallet).size > 1000) agreed(wallet).clear();
  agreed(wallet).add(client);
}

/**
 * In-memory cache for one kind of response from paymail hosts, separate for each requester. A page that chooses the
 * host can detect whether the wallet repeats a request, so a shared cache would reveal visits to other sites.
 */
export class HostCache<T> {
  readonly #wallet: Wallet;
  readonly #mostMs: number;
  readonly #things = new Map<string, { thing: T; at: number }>();

  /** @param mostMs lifetime of entries for the user and for sites that the user has paid on (milliseconds) */
  constructor(wallet: Wallet, mostMs: number) {
    this.#wallet = wallet;
    this.#mostMs = mostMs;
  }

  /** Returns this client's cached entry while it is valid. Setting the clock back doesn't extend its lifetime. */
  get(client: string, name: string): T | undefined {
    const kept = this.#things.get(`${client} ${name}`);
    const most = client === OWN || agreed(this.#wallet).has(client) ? this.#mostMs : Math.min(this.#mostMs, REQUEST_MS);
    return kept && Math.abs(this.#wallet.now() - kept.at) < most ? kept.thing : undefined;
  }

  set(client: string, name: string, thing: T): void {
    if (this.#things.size >= MAX_CACHED_ENTRIES) this.#things.clear();
    this.#things.set(`${client} ${name}`, { thing, at: this.#wallet.now() });
  }

  delete(client: string, name: string): void {
    this.#things.delete(`${client} ${name}`);
  }
}
