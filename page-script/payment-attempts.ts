/**
 * Which payment id a swipe asks with. The wallet pays one id once, so while the outcome of an attempt is not known,
 * asking again with its id is safe, and asking with a new one could pay twice.
 *
 * Unsettled ids are kept in the tab's session storage, because after a lost connection people are told to reload.
 */
import type { ErrorCode } from '../protocol/errors.ts';
import type { PaymentOptions } from '../protocol/payment.ts';

/** Name of the session storage entry. */
export const ATTEMPTS_KEY = 'service-button/1 unsettled payments';
/** Milliseconds after which an unsettled attempt is history: a swipe then is a new wish. */
const KEPT = 3_600_000;

/**
 * Errors after which this payment will never be made (protocol/errors.ts). After any other, known here or not, it may
 * have been made all the same.
 */
const NEVER_PAID = /^(?:refused|approval-(?:closed|expired)|page-gone|not-paid|insufficient-.*|rate-.*|network-rejected|fee-changed|request-id-.*|invalid-.*|unsupported-.*|amount-.*|mixed-.*|data-.*|insecure-.*|wrong-network)$/;
/** Errors of a wallet that did not look at the payment: they say nothing of an earlier request with the same id. */
const NOT_LOOKED_AT = /^(?:busy|too-many-requests|wallet-(?:locked|not-set-up))$/;

/** One swipe's claim on an id. */
export interface Attempt {
  id: string;
  /** The id was asked with before, and nobody knows how that ended. */
  again: boolean;
}

interface Kept {
  /** The payment in text: the same wish has the same key. */
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The part of Web Storage used here. */
export type AttemptStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Hands out ids and remembers the unsettled ones. */
export class PaymentAttempts {
  readonly #storage: AttemptStorage | null;
  readonly #newId: () => string;
  /** Unsettled attempts by id. */
  readonly #kept: Map<string, Kept>;
  /** Ids that a button of this page waits for now: another button with the same payment is another payment. */
  readonly #waiting = new Set<string>();

  /** @param storage null where the page may not use any */
  constructor(storage: AttemptStorage | null, newId: () => string) {
    this.#storage = storage;
    this.#newId = newId;
    this.#kept = load(storage);
  }

  /** The id for a swipe that asks for `options`. */
  begin(options: PaymentOptions): Attempt {
    const key = JSON.stringify(options);
    const left = [...this.#kept].find(([id, kept]) => kept.key === key && !this.#waiting.has(id) && isFresh(kept));
    const id = left?.[0] ?? this.#newId();
    this.#waiting.add(id);
    if (!left) this.#kept.set(id, { key, at: Date.now() });
    this.#save();
    return { id, again: left !== undefined };
  }

  /** How it ended: with `code`, or well. */
  end(attempt: Attempt, code?: ErrorCode): void {
    this.#waiting.delete(attempt.id);
    if (code !== undefined && !NEVER_PAID.test(code) && (attempt.again || !NOT_LOOKED_AT.test(code))) return;
    this.#kept.delete(attempt.id);
    this.#save();
  }

  #save(): void {
    try {
      if (this.#kept.size === 0) this.#storage?.removeItem(ATTEMPTS_KEY);
      else this.#storage?.setItem(ATTEMPTS_KEY, JSON.stringify([...this.#kept]));
    } catch {
      // Storage full or forbidden: the ids then last as long as the page.
    }
  }
}

function isFresh(kept: Kept): boolean {
  return Date.now() - kept.at < KEPT;
}

/** What an earlier load of the page left, as far as it can be read: the page may have written anything there. */
function load(storage: AttemptStorage | null): Map<string, Kept> {
  const kept = new Map<string, Kept>();
  try {
    for (const [id, { key, at }] of JSON.parse(storage?.getItem(ATTEMPTS_KEY) ?? '[]') as [string, Kept][]) {
      if (/^[\w-]{8,64}$/.test(id) && isFresh({ key, at })) kept.set(id, { key, at });
    }
  } catch {
    // Nothing of ours.
  }
  return kept;
}
