/** The list of sites that the popup shows. */
import type { SiteView } from '../../protocol/wallet-messages.ts';
import { viewOf } from './allowances/store.ts';
import { database } from './database.ts';
import { FOR_GOOD, isBlocked, type Site } from './sites/site.ts';

/** Sites with an allowance, a block, or a rejection of the last day; most recently used first. */
export async function listSites(): Promise<SiteView[]> {
  const db = await database();
  const [granted, known] = await Promise.all([db.getAll('allowances'), db.getAll('sites')]);
  const allowances = granted.filter(({ kind }) => kind !== 'any-site');
  const sites = new Map(known.map((site) => [site.origin, site]));
  const now = Date.now();
  const views = [...new Set([...allowances, ...known].map(({ origin }) => origin))].map((origin) => ({
    origin,
    allowances: allowances.filter((one) => one.origin === origin).map(viewOf),
    ...stateOf(sites.get(origin), now),
  }));
  const latest = ({ allowances: some, refusedAt }: SiteView) =>
    Math.max(refusedAt ?? 0, ...some.map((one) => one.usedAt ?? one.createdAt));
  return views
    .filter((view) => view.allowances.length > 0 || view.refusedAt !== null || view.blockedUntil !== null)
    .sort((a, b) => latest(b) - latest(a) || (a.origin < b.origin ? -1 : 1));
}

function stateOf(site: Site | undefined, now: number): Pick<SiteView, 'refusedAt' | 'blockedUntil'> {
  const blockedUntil = isBlocked(site, now) ? (site?.blockedUntil ?? null) : null;
  return {
    refusedAt: site?.refusedAt.at(-1) ?? null,
    blockedUntil: blockedUntil === FOR_GOOD ? 'for-good' : blockedUntil,
  };
}
