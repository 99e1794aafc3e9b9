/** Types for the user's settings, and for the storage of application data. */
import * as z from 'zod/mini';
import type { Network } from '../../bitcoin/address.ts';
import type { ErrorCode } from '../../errors/service-error.ts';
import { LANGUAGE_CODES, type LanguageCode } from '../../languages.ts';
import { currencyCode } from '../../payments/payment.ts';

/** The settings that a user can change. `serviceUrl` is an origin: scheme, host and port. */
export const settingsChange = z.strictObject({
  currency: z.optional(currencyCode),
  lockAfterMinutes: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(24 * 60))),
  theme: z.optional(z.enum(['system', 'light', 'dark'])),
  language: z.optional(z.enum(['system', ...LANGUAGE_CODES])),
  notify: z.optional(z.boolean()),
  singleKeys: z.optional(z.boolean()),
  serviceUrl: z.optional(z.string().check(z.maxLength(2000))),
  /** True to remove the account from the wallet. */
  noAccount: z.optional(z.boolean()),
});

/** Where application data is stored outside this browser: at the account's service, in a file, or nowhere. */
export type AppDataLocation = 'service' | 'file' | 'nowhere';

export interface AppDataView {
  kept: AppDataLocation;
  /** Total number of outputs, actions and payments. */
  entries: number;
  /** Number of entries that the service doesn't have yet. */
  unsent: number;
  /** The error that stopped the upload of unsent entries, or null. */
  trouble: ErrorCode | null;
  /** Number of downloaded entries that must still be checked and restored. */
  unapplied: number;
  /** True if data saved by another wallet with the same recovery words is altered or missing. */
  damaged: boolean;
  exportedAt: number | null;
}

export interface Settings {
  network: Network;
  /** Origin of the service that provides the account, rates and, on devnet, the network's URLs. */
  serviceUrl: string;
  noAccount: boolean;
  /** Base URLs of ARC (without `/v1`) and of WhatsOnChain (with `/v1/bsv/{main|test}`). Null means the default. */
  arcUrl: string | null;
  wocUrl: string | null;
  /** Base URL of the 1Sat ordinals index. Null means the network's default. */
  ordinalsUrl: string | null;
  currency: string;
  lockAfterMinutes: number;
  theme: 'system' | 'light' | 'dark';
  notify: boolean;
  singleKeys: boolean;
  language: 'system' | LanguageCode;
}
