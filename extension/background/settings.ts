/** What the user chose, with defaults for what was never chosen. */
import type { z } from 'zod/mini';
import { ServiceError } from '../../protocol/errors.ts';
import type { Settings, settingsChange } from '../../protocol/wallet-messages.ts';
import { readKey, writeKey } from './database.ts';

declare const __SERVICE_URL__: string;

/** The settings of a new wallet. */
export const DEFAULT_SETTINGS: Settings = {
  network: 'devnet',
  serviceUrl: __SERVICE_URL__,
  currency: 'USD',
  lockAfterMinutes: 30,
  theme: 'system',
};

/** The settings now. */
export async function readSettings(): Promise<Settings> {
  return { ...DEFAULT_SETTINGS, ...(await readKey('settings')) };
}

/** Stores changed settings and gives all of them back. */
export async function writeSettings(change: Partial<Settings>): Promise<Settings> {
  const settings = { ...(await readSettings()), ...change };
  await writeKey('settings', settings);
  return settings;
}

/**
 * A change as the windows send it, its service address reduced to an origin. Plain http is for this machine alone.
 * @throws ServiceError `invalid-request`
 */
export function checkedChange(change: z.infer<typeof settingsChange>): Partial<Settings> {
  const { serviceUrl, ...rest } = change;
  const defined = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Partial<Settings>;
  if (serviceUrl === undefined) return defined;
  const url = new URL(serviceUrl);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new ServiceError('invalid-request', { message: 'The address of a service starts with https://.' });
  }
  return { ...defined, serviceUrl: url.origin };
}

/** True for the names of this machine that the manifest allows. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}
