/** Divides the account's storage on its service among sites. Pure. */
import { APP_LOG_LIMITS } from '../../protocol/http/app-log.ts';
import type { LogEntry } from '../app-log/entry.ts';
import { MAX_DELETIONS_PER_SITE } from '../app-log/record.ts';
import { shareOfBlock } from '../app-log/size.ts';

/**
 * Maximum size of all saved blocks (bytes). During a replacement, the old and new logs combined must fit within twice
 * the service's normal limit, even if the old log has grown by a quarter.
 */
export const MAX_SAVED_BYTES = 0.75 * APP_LOG_LIMITS.bytes;
/** Maximum number of saved actions per site. Only the newest are saved. */
const MAX_ACTIONS_PER_SITE = 10_000;

/** An entry's properties that determine its priority. */
export interface Weighed {
  key: string;
  kind: LogEntry['kind'];
  /** Null for payments, and for deletions by older wallet versions, which recorded no site. */
  origin: string | null;
  at: number;
  bytes: number;
}

/** Returns the properties that determine an entry's priority, including its share of a block. */
export function weigh({ key, entry, at }: { key: string; entry: LogEntry; at: number }): Weighed {
  const origin = 'origin' in entry ? entry.origin : null;
  return { key, kind: entry.kind, origin, at, bytes: shareOfBlock(entry) };
}

/** Kinds by decreasing priority. Within a kind, newer entries have priority. */
const ORDER: LogEntry['kind'][] = [
  'wallet-payment',
  'output',
  'action',
  'output-gone',
  'payment-gone',
  'outpoint-gone',
];
const byWorth = (a: Weighed, b: Weighed) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.at - a.at;

/**
 * Selects the entries to save on the service, and those to delete: each site's oldest actions and deletions beyond its
 * limits. If the rest doesn't fit, sites get equal shares, plus what smaller sites leave unused. Payments are always
 * saved.
 */
export function selectSaved(
  entries: readonly Weighed[],
  room = MAX_SAVED_BYTES,
): { saved: Set<string>; forgotten: string[]; leftOut: number } {
  const bySite = new Map<string | null, Weighed[]>();
  for (const one of entries) {
    const own = bySite.get(one.origin) ?? [];
    own.push(one);
    bySite.set(one.origin, own);
  }
  const forgotten: string[] = [];
  const sites: { kept: Weighed[]; bytes: number }[] = [];
  const saved = new Set<string>();
  let left = room;
  for (const [origin, own] of bySite) {
    const counts = new Map<LogEntry['kind'], number>();
    const kept = own.sort(byWorth).filter(({ kind, key }) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const isKept = (counts.get(kind) as number) <= mostOf(kind);
      if (!isKept) forgotten.push(key);
      return isKept;
    });
    const bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
    if (origin !== null) sites.push({ kept, bytes });
    else {
      for (const { key } of kept) saved.add(key);
      left -= bytes;
    }
  }
  let leftOut = 0;
  for (const [i, { kept }] of sites.sort((a, b) => a.bytes - b.bytes).entries()) {
    let share = Math.max(0, left) / (sites.length - i);
    for (const { key, bytes } of kept) {
      share -= bytes;
      if (share < 0) break;
      saved.add(key);
      left -= bytes;
    }
    leftOut += kept.filter(({ key }) => !saved.has(key)).length;
  }
  return { saved, forgotten, leftOut };
}

function mostOf(kind: LogEntry['kind']): number {
  if (kind === 'action') return MAX_ACTIONS_PER_SITE;
  return kind === 'output' || kind === 'wallet-payment' ? Number.POSITIVE_INFINITY : MAX_DELETIONS_PER_SITE;
}
