/** Sites as the windows show them: allowances, permissions, blocks. */
import type { Permission } from '../permission.ts';
import type { AllowanceTerms } from './parameters.ts';

/** An allowance's settings and state. Amounts are decimal text in `currency`, times milliseconds since 1970. */
export interface AllowanceView {
  token: string;
  /** The page's name for its application, or ''. */
  clientIdentifier: string;
  /** For payments that the page makes by itself, otherwise for payments that a user swipes. */
  automatic: boolean;
  currency: string;
  limit: string;
  perPayment: string | null;
  period: AllowanceTerms['period'];
  spent: string;
  left: string;
  /**
   * The maximum that it may spend at any exchange rate, and the remainder: satoshis as text. Null for one in BSV, and
   * for an older one, which pays nothing.
   */
  ceiling: { satoshis: string; left: string; perPayment: string | null } | null;
  resetsAt: number;
  /** Total since the site's first allowance in this currency. */
  totalSpent: string;
  payments: number;
  createdAt: number;
  usedAt: number | null;
}

/** The user's limits for trusted swipes on all sites: `allowance` is null until they are first switched on. */
export interface SwipeLimitsView {
  on: boolean;
  allowance: AllowanceView | null;
}

/** A permission of a site: its name (see `permissionName`) and its time (milliseconds since 1970). */
export interface SitePermission {
  name: string;
  permission: Permission;
  grantedAt: number;
}

/** The wallet's data about one site, by its full origin. Times are milliseconds since 1970. */
export interface SiteView {
  origin: string;
  allowances: AllowanceView[];
  /** Its permissions in addition to paying, newest first. */
  permissions: SitePermission[];
  /** Time of the user's last rejection. */
  refusedAt: number | null;
  /** `for-good`: until the user unblocks it; null if it isn't blocked. */
  blockedUntil: number | 'for-good' | null;
  /** Missing if nothing is reserved. */
  setAside?: SetAsideView;
}

/** Coins that are reserved for an application's unfinished actions. */
export interface SetAsideView {
  origin: string;
  satoshis: string;
  /** Number of payments that wait for the application. */
  unfinished: number;
  /** Number of abandoned ones, whose coins are free once another payment replaces them. */
  givenUp: number;
}
