/** What the windows show of sites: allowances, permissions, blocks. */
import type { Permission } from '../permission.ts';
import type { AllowanceTerms } from './parameters.ts';

/**
 * An allowance with its settings and current state. Amounts are decimal text in `currency`, times milliseconds since
 * 1970.
 */
export interface AllowanceView {
  token: string;
  /** The page's own name of its application; '' where it gave none. */
  clientIdentifier: string;
  /** For payments that the page makes by itself; else for payments that a person swipes. */
  automatic: boolean;
  currency: string;
  limit: string;
  perPayment: string | null;
  period: AllowanceTerms['period'];
  spent: string;
  left: string;
  /**
   * The most that it may take whatever the exchange rate does, and what is left of that: satoshis as text. Null of
   * one in BSV, and of an older one that has none and pays nothing.
   */
  ceiling: { satoshis: string; left: string; perPayment: string | null } | null;
  resetsAt: number;
  /** Since the site was first given one in this currency. */
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

/** A permission of a site: its name (see `permissionName`) and since when it has it (milliseconds since 1970). */
export interface SitePermission {
  name: string;
  permission: Permission;
  grantedAt: number;
}

/** What the wallet knows of one site, by its full origin. Times are milliseconds since 1970. */
export interface SiteView {
  origin: string;
  allowances: AllowanceView[];
  /** What it may do besides paying, newest first. */
  permissions: SitePermission[];
  /** When the user last refused it something. */
  refusedAt: number | null;
  /** `for-good`: until the user unblocks it; null where it is not blocked. */
  blockedUntil: number | 'for-good' | null;
  /** Missing where it has set nothing aside. */
  setAside?: SetAsideView;
}

/** Coins that are kept for what an application has not finished. */
export interface SetAsideView {
  origin: string;
  satoshis: string;
  /** How many payments wait for the application. */
  unfinished: number;
  /** How many were given up, whose coins are free once another payment takes their place. */
  givenUp: number;
}
