/** Shares an instance's attempts among applications so that unresponsive receivers delay only their own events. */

/** Max concurrent attempts per instance. */
export const MAX_ATTEMPTS = 256;
/** Max concurrent attempts to unproven (new or slow) receivers. The rest is reserved for responsive receivers. */
const MAX_UNPROVEN = 192;
const MAX_SLOW = 64;
/** Once this many attempts to unproven receivers are in progress, each of their owners is limited to one. */
const CROWDED = 64;
/** Max concurrent attempts per application. */
const PER_APPLICATION = 4;
/** Max concurrent attempts per owner. */
const PER_OWNER = 16;
/** Max concurrent attempts to unproven receivers per owner. */
const PER_UNPROVEN_OWNER = 8;
/** Max concurrent attempts to unproven receivers per host and port. */
const PER_HOST = 32;
/** A receiver that takes longer is considered slow until it responds faster (ms). */
const SLOW_MS = 3_000;
/** Max remembered applications. All other applications' receivers are treated as not having responded yet. */
const MAX_REMEMBERED = 10_000;

/** Receivers by priority. */
const RANKS = ['answers', 'unknown', 'slow'] as const;
type Rank = (typeof RANKS)[number];

export interface Candidate {
  applicationId: string;
  ownerId: number;
  webhookUrl: string | null;
}

const hostOf = ({ webhookUrl }: Candidate) =>
  webhookUrl !== null && URL.canParse(webhookUrl) ? new URL(webhookUrl).host : '';

/** Counts attempts in progress, and remembers how receivers respond. */
export class FairShare {
  readonly #known = new Map<string, Exclude<Rank, 'unknown'>>();
  readonly #underWay = new Map<string, number>();

  /** Returns how many more attempts each application may start now. `others` applies to applications not in `named`. */
  allowances(): { named: Record<string, number>; others: number } {
    const named: Record<string, number> = {};
    const unproven = this.#count('unproven');
    const unknown = unproven >= MAX_UNPROVEN ? 0 : unproven >= CROWDED ? 1 : PER_APPLICATION;
    const slow = this.#count('slow') < MAX_SLOW ? unknown : 0;
    for (const [id, rank] of this.#known)
      named[id] = (rank === 'answers' ? PER_APPLICATION : slow) - this.#count(`application ${id}`);
    for (const key of this.#underWay.keys()) {
      const id = /^application (.*)$/.exec(key)?.[1];
      if (id !== undefined) named[id] ??= unknown - this.#count(key);
    }
    return { named, others: unknown };
  }

  /** Selects up to `most` candidates within all limits, responsive receivers first, otherwise in their given order. */
  select<C extends Candidate>(candidates: readonly C[], most: number): C[] {
    const taken: C[] = [];
    const ends: (() => void)[] = [];
    const ranked = RANKS.flatMap((rank) => candidates.filter((one) => this.#rankOf(one) === rank));
    for (const one of ranked) {
      if (taken.length === most) break;
      if (!this.#fits(one)) continue;
      taken.push(one);
      ends.push(this.begin(one));
    }
    // Candidates are counted only during the selection. An attempt begins after its event is claimed.
    for (const end of ends) end();
    return taken;
  }

  /** Counts an attempt. @returns a function to call when the attempt ends, with the response time (ms) or null */
  begin(one: Candidate): (tookMs?: number | null) => void {
    const keys = this.#keysOf(one);
    for (const key of keys) this.#underWay.set(key, this.#count(key) + 1);
    return (tookMs) => {
      for (const key of keys) {
        const left = this.#count(key) - 1;
        if (left === 0) this.#underWay.delete(key);
        else this.#underWay.set(key, left);
      }
      if (tookMs === undefined) return;
      if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
      this.#known.set(one.applicationId, tookMs !== null && tookMs <= SLOW_MS ? 'answers' : 'slow');
    };
  }

  #rankOf = ({ applicationId }: Candidate): Rank => this.#known.get(applicationId) ?? 'unknown';

  #count = (key: string) => this.#underWay.get(key) ?? 0;

  #keysOf(one: Candidate): string[] {
    const rank = this.#rankOf(one);
    const keys = [`application ${one.applicationId}`, `owner ${one.ownerId}`];
    if (rank !== 'answers') keys.push('unproven', `unproven of ${one.ownerId}`, `unproven at ${hostOf(one)}`);
    if (rank === 'slow') keys.push('slow');
    return keys;
  }

  #fits(one: Candidate): boolean {
    const [unproven, rank] = [this.#count('unproven'), this.#rankOf(one)];
    const isCrowded = rank !== 'answers' && unproven >= CROWDED;
    return (
      this.#count(`application ${one.applicationId}`) < (isCrowded ? 1 : PER_APPLICATION) &&
      this.#count(`owner ${one.ownerId}`) < PER_OWNER &&
      (rank === 'answers' ||
        (unproven < MAX_UNPROVEN &&
          this.#count(`unproven at ${hostOf(one)}`) < PER_HOST &&
          this.#count(`unproven of ${one.ownerId}`) < (isCrowded ? 1 : PER_UNPROVEN_OWNER))) &&
      (rank !== 'slow' || this.#count('slow') < MAX_SLOW)
    );
  }
}
