/** The wallet's record of a site: when the user rejected its requests, and whether it is blocked. Pure. */

/** A site, by its full origin. Times in milliseconds since 1970. */
export interface Site {
  origin: string;
  /** The user's last two rejections, the latest last. */
  refusedAt: number[];
  /** Number of consecutive windows rejected by the user or withdrawn by the page. */
  dismissals: number;
  endedAt: number;
  /** No prompts before this time; null if not blocked. */
  blockedUntil: number | null;
  /** Coins reserved without being spent, by minute, oldest first. Missing if none. */
  setAside?: SetAside[];
}

/** Coins reserved by a site: when (milliseconds since 1970), and the amount (satoshis). */
export interface SetAside {
  at: number;
  satoshis: bigint;
}

/** End time of a block without time limit. */
export const FOR_GOOD = Number.MAX_SAFE_INTEGER;

/** Maximum block with a time limit (milliseconds): `blockHours`, protocol/messages/wallet-messages/parameters.ts. */
export const LONGEST_BLOCK_MS = 24 * 3600_000;

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 300_000;
/** Time after which a site's earlier rejections no longer count (milliseconds). */
const QUIET_MS = 3600_000;
/** How long reserved coins count, even if the site has released them (milliseconds). */
const SET_ASIDE_FOR_MS = 3600_000;
const MINUTE_MS = 60_000;
/** If the user rejects twice within this time, the next window offers to block the site (milliseconds). */
const CLOSE_TOGETHER_MS = 60_000;

export function newSite(origin: string): Site {
  return { origin, refusedAt: [], dismissals: 0, endedAt: 0, blockedUntil: null };
}

/** Returns a site after a window was rejected by the user, or withdrawn by the page. */
export function afterRejection(site: Site, now: number, by: 'user' | 'page'): Site {
  const dismissals = now - site.endedAt > QUIET_MS ? 1 : site.dismissals + 1;
  return {
    ...site,
    dismissals: dismissals,
    endedAt: now,
    refusedAt: by === 'user' ? [...site.refusedAt, now].slice(-2) : site.refusedAt,
  };
}

export function afterApproval(site: Site): Site {
  return { ...site, dismissals: 0, refusedAt: [] };
}

export function isBlocked(site: Site | undefined, now: number): boolean {
  return site !== undefined && site.blockedUntil !== null && now < site.blockedUntil;
}

/** True if only a user gesture may open a window: for 5 s after the first rejection, doubling up to 5 minutes. */
export function mustWait(site: Site | undefined, now: number): boolean {
  if (!site || site.dismissals === 0 || now - site.endedAt > QUIET_MS) return false;
  return now < site.endedAt + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(site.dismissals - 1, 10));
}

/** True if the site's next window should offer to block it. */
export function offersBlock(site: Site | undefined, now: number): boolean {
  const [before, last] = site?.refusedAt ?? [];
  return before !== undefined && last !== undefined && last - before <= CLOSE_TOGETHER_MS && now - last <= QUIET_MS;
}

/** Returns coins reserved and not spent within the last hour. Ignores times in the future, from a wrong clock. */
export function latelySetAside({ setAside = [] }: Pick<Site, 'setAside'>, now: number): SetAside[] {
  return setAside.filter(({ at }) => Math.abs(now - at) < SET_ASIDE_FOR_MS);
}

/** Returns a site after coins that it had reserved at a time (milliseconds since 1970) were released. */
export function afterSetAside(site: Site, { at, satoshis }: SetAside, now: number): Site {
  const minute = at - (at % MINUTE_MS);
  const lately = latelySetAside(site, now);
  const same = lately.find((one) => one.at === minute);
  const sum = { at: minute, satoshis: satoshis + (same?.satoshis ?? 0n) };
  return { ...site, setAside: [...lately.filter((one) => one !== same), sum] };
}

/** True if a site's record can be deleted: inactive for a day, not blocked, and no recently reserved coins. */
export function isForgotten(site: Site, now: number): boolean {
  return !isBlocked(site, now) && now - site.endedAt > 24 * QUIET_MS && latelySetAside(site, now).length === 0;
}

/** The origin of the wallet's own payments. No page can have it, since page origins include a scheme. */
export const OWN = '';
