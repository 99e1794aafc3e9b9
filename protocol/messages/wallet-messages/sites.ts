/** Types for sites as displayed by the windows: allowances, permissions, blocks. */
import type { Permission } from '../permission.ts';
import type { AllowanceTerms } from './parameters.ts';

/**
 * An allowance's settings and state. Amounts are decimal strings in `currency`. Times are in milliseconds since 1970.
 */
export interface AllowanceView {
  token: string;
  /** The page's name for its application, or ''. */
  clientIdentifier: string;
  /** True if the allowance is for the page's automatic payments, false if it is for payments that the user swipes. */
  automatic: boolean;
  currency: string;
  limit: string;
  perPayment: string | null;
  period: AllowanceTerms['period'];
  spent: string;
  left: string;
  /**
   * The maximum number of satoshis that the allowance can spend, regardless of the exchange rate, and the part that is
   * left, as strings. Null for an allowance in BSV. Also null for an allowance from an older version of the wallet.
   * Such an allowance can't pay.
   */
  ceiling: { satoshis: string; left: string; perPayment: string | null } | null;
  resetsAt: number;
  /** Total spent since the site's first allowance in this currency. */
  totalSpent: string;
  payments: number;
  createdAt: number;
  usedAt: number | null;
}

/** The user's limits for trusted swipes on all sites. `allowance` is null if swipes have never been enabled. */
export interface SwipeLimitsView {
  on: boolean;
  allowance: AllowanceView | null;
}

/** A site's permission: its name (see `permissionName`) and when it was granted (milliseconds since 1970). */
export interface SitePermission {
  name: string;
  permission: Permission;
  grantedAt: number;
}

/** The wallet's data about one site, identified by its full origin. Times are milliseconds since 1970. */
export interface SiteView {
  origin: string;
  allowances: AllowanceView[];
  /** The site's permissions in addition to payments, newest first. */
  permissions: SitePermission[];
  /** Time of the user's last rejection. */
  refusedAt: number | null;
  /** `for-good` means until the user unblocks the site. Null if the site isn't blocked. */
  blockedUntil: number | 'for-good' | null;
  /** Missing if no coins are reserved. */
  setAside?: SetAsideView;
}

/** Coins that are reserved for an application's unfinished actions. */
export interface SetAsideView {
  origin: string;
  satoshis: string;
  /** Number of payments that the application still has to finish. */
  unfinished: number;
  /** Number of abandoned payments. Their coins remain reserved until another payment spends them. */
  givenUp: number;
}
