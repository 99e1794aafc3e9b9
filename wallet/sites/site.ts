/** The wallet's record of a site: when its user rejected its requests, and whether it is blocked. Pure. */

/** One site, by its full origin. Times are milliseconds since 1970. */
export interface Site {
  origin: string;
  /** The user's last rejections, newest last; two at most. */
  refusedAt: number[];
  /** Windows dismissed in a row: rejected, or withdrawn by the page itself. */
  dismissals: number;
  endedAt: number;
  /** No prompts until then; null if it is not blocked. */
  blockedUntil: number | null;
  /** Coins that it has reserved and not spent, by the minute in which that began, oldest first. Missing if none. */
  setAside?: SetAside[];
}

/** Coins that a site had reserved: since when (milliseconds since 1970), in satoshis. */
export interface SetAside {
  at: number;
  satoshis: bigint;
}

/** Means "until the user unblocks it". */
export const FOR_GOOD = Number.MAX_SAFE_INTEGER;

/**
 * Maximum duration of a block by hours (milliseconds): protocol/messages/wallet-messages/parameters.ts, `blockHours`.
 */
export const LONGEST_BLOCK_MS = 24 * 3600_000;

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 300_000;
/** A site's record is reset after this time without activity. */
const QUIET_MS = 3600_000;
/** How long reserved coins count after they were reserved, even if the site released them. */
const SET_ASIDE_FOR_MS = 3600_000;
const MINUTE_MS = 60_000;
/** After two rejections within this time, the window offers to block the site. */
const CLOSE_TOGETHER_MS = 60_000;

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

/** True if its next window offers to block it. */
export function offersBlock(site: Site | undefined, now: number): boolean {
  const [before, last] = site?.refusedAt ?? [];
  return before !== undefined && last !== undefined && last - before <= CLOSE_TOGETHER_MS && now - last <= QUIET_MS;
}

/** Its coins reserved and not spent within the last hour. Future times, from a wrong clock, don't count. */
export function latelySetAside({ setAside = [] }: Pick<Site, 'setAside'>, now: number): SetAside[] {
  return setAside.filter(({ at }) => Math.abs(now - at) < SET_ASIDE_FOR_MS);
}

/** After coins that it had reserved at a time (milliseconds since 1970) were released. */
export function afterSetAside(site: Site, { at, satoshis }: SetAside, now: number): Site {
  const minute = at - (at % MINUTE_MS);
  const lately = latelySetAside(site, now);
  const same = lately.find((one) => one.at === minute);
  const sum = { at: minute, satoshis: satoshis + (same?.satoshis ?? 0n) };
  return { ...site, setAside: [...lately.filter((one) => one !== same), sum] };
}

/** True if its record can be deleted: a day has passed, it isn't blocked, and it has reserved nothing recently. */
export function isForgotten(site: Site, now: number): boolean {
  return !isBlocked(site, now) && now - site.endedAt > 24 * QUIET_MS && latelySetAside(site, now).length === 0;
}

/** The origin of the wallet's own payments. No page can have it, since page origins have a scheme. */
export const OWN = '';
