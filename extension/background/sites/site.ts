/** What the wallet remembers about a site: when its user rejected its requests, and whether it is blocked. Pure. */

/** One site, by its full origin. Times are milliseconds since 1970. */
export interface Site {
  origin: string;
  /** The user's last rejections, newest last; two at most. */
  refusedAt: number[];
  /** Windows dismissed in a row: rejected, or withdrawn by the page itself. */
  dismissals: number;
  /** When the last of them ended. */
  endedAt: number;
  /** No prompts until then; null if it is not blocked. */
  blockedUntil: number | null;
  /** Coins that it has set aside and not spent, by the minute in which it began, oldest first. Missing where none. */
  setAside?: SetAside[];
}

/** Coins that a site had set aside: since when (milliseconds since 1970), in satoshis. */
export interface SetAside {
  at: number;
  satoshis: bigint;
}

/** Means "until the user unblocks it". */
export const FOR_GOOD = Number.MAX_SAFE_INTEGER;

/** The longest that a site is blocked by hours (milliseconds): protocol/wallet-messages/parameters.ts, `blockHours`. */
export const LONGEST_BLOCK_MS = 24 * 3600_000;

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 300_000;
/** After so much quiet a site starts afresh. */
const QUIET_MS = 3600_000;
/** What a site has set aside counts for so long after it began, even if it gave that up. */
const SET_ASIDE_FOR_MS = 3600_000;
const MINUTE_MS = 60_000;
/** After two rejections within this time, the window offers to block the site. */
const CLOSE_TOGETHER_MS = 60_000;

/** A site of which nothing is known. */
export function newSite(origin: string): Site {
  return { origin, refusedAt: [], dismissals: 0, endedAt: 0, blockedUntil: null };
}

/** After a dismissed window: the user rejected it, or the page withdrew its request. */
export function afterRejection(site: Site, now: number, by: 'user' | 'page'): Site {
  const dismissals = now - site.endedAt > QUIET_MS ? 1 : site.dismissals + 1;
  return {
    ...site,
    dismissals: dismissals,
    endedAt: now,
    refusedAt: by === 'user' ? [...site.refusedAt, now].slice(-2) : site.refusedAt,
  };
}

/** After the user's yes. */
export function afterApproval(site: Site): Site {
  return { ...site, dismissals: 0, refusedAt: [] };
}

/** Is it blocked? */
export function isBlocked(site: Site | undefined, now: number): boolean {
  return site !== undefined && site.blockedUntil !== null && now < site.blockedUntil;
}

/**
 * Must it wait before it may open a window without a person's act in it? 5 s after the first no, then doubling, 5
 * minutes at most.
 */
export function mustWait(site: Site | undefined, now: number): boolean {
  if (!site || site.dismissals === 0 || now - site.endedAt > QUIET_MS) return false;
  return now < site.endedAt + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(site.dismissals - 1, 10));
}

/** Is blocking it offered in its next window? */
export function offersBlock(site: Site | undefined, now: number): boolean {
  const [before, last] = site?.refusedAt ?? [];
  return before !== undefined && last !== undefined && last - before <= CLOSE_TOGETHER_MS && now - last <= QUIET_MS;
}

/** What it has set aside and not spent within the last hour. A time to come, left by a wrong clock, counts no longer. */
export function latelySetAside({ setAside = [] }: Pick<Site, 'setAside'>, now: number): SetAside[] {
  return setAside.filter(({ at }) => Math.abs(now - at) < SET_ASIDE_FOR_MS);
}

/** After coins were free again that it had set aside at a time (milliseconds since 1970). */
export function afterSetAside(site: Site, { at, satoshis }: SetAside, now: number): Site {
  const minute = at - (at % MINUTE_MS);
  const lately = latelySetAside(site, now);
  const same = lately.find((one) => one.at === minute);
  const sum = { at: minute, satoshis: satoshis + (same?.satoshis ?? 0n) };
  return { ...site, setAside: [...lately.filter((one) => one !== same), sum] };
}

/** Nothing about it needs to be remembered any more: a day has passed, it is not blocked, and set nothing aside lately. */
export function isForgotten(site: Site, now: number): boolean {
  return !isBlocked(site, now) && now - site.endedAt > 24 * QUIET_MS && latelySetAside(site, now).length === 0;
}

/**
 * The origin of what the user sends from the wallet's own window. No site can have it: a page's origin has a scheme,
 * and the router takes nothing from a document without one.
 */
export const OWN = '';
