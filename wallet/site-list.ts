/** The list of sites in the popup. */
import type { SetAsideView, SitePermission, SiteView } from '../protocol/messages/wallet-messages.ts';
import { viewOf } from './allowances/allowance-store.ts';
import { database, readTransaction } from './store/database.ts';
import { abandonableBySite } from './payments/network/abandon.ts';
import { reservedBySite } from './payments/set-aside.ts';
import type { StoredPermission } from './permissions/permission.ts';
import { PERMANENTLY, type Site } from './sites/site.ts';
import { allAllowances } from './allowances/records.ts';
import { allPermissions } from './permissions/store.ts';
import { allSites, isBlocked } from './sites/store.ts';
import type { Wallet } from './platform.ts';

/**
 * Returns the sites with a permission or allowance, reserved coins, a block, or a rejection within the last day, most
 * recently used first.
 */
export async function listSites(wallet: Wallet): Promise<SiteView[]> {
  const tx = readTransaction(await database(wallet));
  const [granted, permitted, known, reserved, abandonable] = await Promise.all([
    allAllowances(tx),
    allPermissions(tx),
    allSites(tx),
    reservedBySite(wallet),
    abandonableBySite(wallet),
  ]);
  const setAside = withOthers(reserved, abandonable);
  const allowances = granted.filter(({ kind }) => kind !== 'any-site');
  const sites = new Map(known.map((site) => [site.origin, site]));
  const now = wallet.now();
  const permissions = permittedBySite(permitted);
  const origins = new Set([...allowances, ...permitted, ...known, ...setAside].map(({ origin }) => origin));
  const views = [...origins].map((origin) => ({
    origin,
    allowances: allowances.filter((one) => one.origin === origin).map((stored) => viewOf(wallet, stored)),
    permissions: permissions.get(origin) ?? [],
    ...stateOf(sites.get(origin), now),
    ...asideOf(setAside, origin),
  }));
  const latest = ({ allowances: some, permissions: [newest], refusedAt }: SiteView) =>
    Math.max(refusedAt ?? 0, newest?.grantedAt ?? 0, ...some.map((one) => one.usedAt ?? one.createdAt));
  return views
    .filter(
      (view) =>
        view.allowances.length > 0 ||
        view.permissions.length > 0 ||
        view.setAside !== undefined ||
        view.refusedAt !== null ||
        view.blockedUntil !== null,
    )
    .sort((a, b) => latest(b) - latest(a) || (a.origin < b.origin ? -1 : 1));
}

function permittedBySite(permitted: readonly StoredPermission[]): Map<string, SitePermission[]> {
  const bySite = new Map<string, SitePermission[]>();
  for (const { origin, ...one } of [...permitted].sort((a, b) => b.grantedAt - a.grantedAt)) {
    const before = bySite.get(origin);
    if (before) before.push(one);
    else bySite.set(origin, [one]);
  }
  return bySite;
}

/** Adds unfinished actions that reserve no coins, because the user can also end those. */
function withOthers(reserved: readonly SetAsideView[], others: ReadonlyMap<string, number>): SetAsideView[] {
  const views = new Map(reserved.map((view) => [view.origin, view]));
  for (const [origin, count] of others) {
    const { unfinished = 0, satoshis = '0', givenUp = 0 } = views.get(origin) ?? {};
    views.set(origin, { origin, satoshis, unfinished: unfinished + count, givenUp });
  }
  return [...views.values()];
}

function asideOf(all: readonly SetAsideView[], origin: string): Pick<SiteView, 'setAside'> {
  const setAside = all.find((one) => one.origin === origin);
  return setAside ? { setAside } : {};
}

function stateOf(site: Site | undefined, now: number): Pick<SiteView, 'refusedAt' | 'blockedUntil'> {
  const blockedUntil = isBlocked(site, now) ? (site?.blockedUntil ?? null) : null;
  return {
    refusedAt: site?.refusedAt.at(-1) ?? null,
    blockedUntil: blockedUntil === PERMANENTLY ? 'for-good' : blockedUntil,
  };
}
