/** The user's settings, and where applications' data is stored. */
import * as z from 'zod/mini';
import type { Network } from '../../bitcoin/address.ts';
import type { ErrorCode } from '../../errors/service-error.ts';
import { LANGUAGE_CODES, type LanguageCode } from '../../languages.ts';
import { currencyCode } from '../../payments/payment.ts';

/** The settings a user may change. `serviceUrl` is an origin: scheme, host and port. */
export const settingsChange = z.strictObject({
  currency: z.optional(currencyCode),
  lockAfterMinutes: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(24 * 60))),
  theme: z.optional(z.enum(['system', 'light', 'dark'])),
  language: z.optional(z.enum(['system', ...LANGUAGE_CODES])),
  notify: z.optional(z.boolean()),
  singleKeys: z.optional(z.boolean()),
  serviceUrl: z.optional(z.string().check(z.maxLength(2000))),
  /** Removes the account from the wallet. */
  noAccount: z.optional(z.boolean()),
});

/** Where applications' data is stored outside this browser: at the account's service, in a file, or nowhere. */
export type AppDataKept = 'service' | 'file' | 'nowhere';

export interface AppDataView {
  kept: AppDataKept;
  /** The number of outputs, actions and payments. */
  entries: number;
  /** Number of them that the service doesn't have yet, and why: null if they are on their way. */
  unsent: number;
  trouble: ErrorCode | null;
  /** The number of entries that were read and must still be checked and restored. */
  unapplied: number;
  /** Data that another wallet with the same words had saved is altered or missing. */
  damaged: boolean;
  exportedAt: number | null;
}

export interface Settings {
  network: Network;
  /** The service (origin) for the account, rates and, on devnet, the network's addresses. */
  serviceUrl: string;
  /** The user wants no account. */
  noAccount: boolean;
  /** Base of ARC's interface, without `/v1`, and of WhatsOnChain's, with `/v1/bsv/{main|test}`; null: default. */
  arcUrl: string | null;
  wocUrl: string | null;
  /** Base of the index of 1Sat ordinals; null: the network's own. */
  ordinalsUrl: string | null;
  currency: string;
  lockAfterMinutes: number;
  theme: 'system' | 'light' | 'dark';
  notify: boolean;
  singleKeys: boolean;
  language: 'system' | LanguageCode;
}
