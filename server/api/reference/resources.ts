import { TAGS, type Route } from '../../routing/route.ts';

export interface Resource {
  slug: string;
  tag: keyof typeof TAGS;
  /** The page's English name, or null if the part has only one page. */
  name: string | null;
  routes: readonly Route[];
}

type Names = readonly (readonly [name: string, path: RegExp])[];

/** Page names by path pattern, for parts with too many routes for one page. The first match applies. */
const OF_API: Names = [
  ['Payments', /\/payments/],
  ['Assets', /\/assets/],
  ['Balances', /\/balances?(?:\/|$)/],
  ['Users', /\/(?:me|profile|user_identity|users\/\{id\})$/],
  ['Currencies', /./],
];
const NAMES: Partial<Record<keyof typeof TAGS, Names>> = {
  'API v2': OF_API,
  'API v1': OF_API,
  Wallets: [
    ['Accounts', /\/sign-in|\/users|\/handles|\/me$/],
    ['Received payments', /\/received/],
    ['Application data', /\/app-log/],
    ['Records', /./],
  ],
  Devnet: [
    ['ARC', /^\/devnet\/arc\//],
    ['Arcade', /^\/devnet\/arcade\//],
    ['WhatsOnChain', /^\/devnet\/woc\//],
    ['Ordinals', /^\/devnet\/(?:ordinals|1sat)\//],
    ['Faucet', /./],
  ],
};

const slugOf = (text: string) => text.toLowerCase().replaceAll(' ', '-');

export function resourcesOf(routes: readonly Route[]): Resource[] {
  return (Object.keys(TAGS) as (keyof typeof TAGS)[]).flatMap((tag): Resource[] => {
    const own = routes.filter((route) => route.tag === tag);
    const names = NAMES[tag];
    if (!names) return own.length > 0 ? [{ slug: slugOf(tag), tag, name: null, routes: own }] : [];
    const nameOf = ({ path }: Route) => names.find(([, pattern]) => pattern.test(path))?.[0];
    return names.flatMap(([name]) => {
      const named = own.filter((route) => nameOf(route) === name);
      return named.length > 0 ? [{ slug: slugOf(`${tag} ${name}`), tag, name, routes: named }] : [];
    });
  });
}
