/**
 * Before anything is shown to the user, checks the service that a page names for its button, because the service
 * receives payment reports and user ID lookups. Because the page chooses the service, requests are cached
 * (wallet/paymail/known.ts), time out, count toward the site's limit on host requests, and never go to the user's local
 * network.
 */
import * as z from 'zod/mini';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { requestHost, hostUrl } from '../../paymail/host.ts';
import { HostCache } from '../../paymail/known.ts';
import { countHostRequests } from '../../request-limits/rate-limit.ts';
import { readSettings } from '../../settings.ts';
import { part, type Wallet } from '../../platform.ts';

/** Timeout in milliseconds. A slow service doesn't stop the payment, and the report is retried later. */
const TIMEOUT_MS = 2000;
/** Maximum size of a response in bytes. A typical response is a few hundred bytes long. */
const MAX_BYTES = 10_000;
/** How long a service's network is cached, in milliseconds. */
const FRESH_MS = 600_000;
/** How long to wait before contacting an unresponsive service again, in milliseconds. */
const SILENT_MS = 30_000;

/** The relevant part of `/api/v2/network`. Later versions may add networks and fields. */
const answered = z.object({ network: z.string().check(z.maxLength(100)) });

/** Networks by service. Null if the response contained none. */
const networks = part((wallet) => new HostCache<Promise<string | null>>(wallet, FRESH_MS));
const silent = part((wallet) => new HostCache<true>(wallet, SILENT_MS));

/** True if the string is the origin of a service that this wallet may contact. Makes no request. */
export function isServiceForm(service: string, settings: Pick<Settings, 'network' | 'serviceUrl'>): boolean {
  return hostUrl(service, settings)?.origin === service;
}

/**
 * Rejects a service that this wallet may not contact.
 * @throws ServiceError `invalid-service` (not an origin, not https, or on this machine or its local network while the
 * wallet uses a public network)
 */
export function assertServiceForm(service: string, settings: Pick<Settings, 'network' | 'serviceUrl'>): void {
  if (!isServiceForm(service, settings)) throw new ServiceError('invalid-service', { detail: `service ${service}` });
}

/**
 * Checks that a button's service is on the wallet's network. The payment continues if the service is unreachable, or if
 * the host isn't a service but only serves a copy of the button's script.
 * @param client the site that names the service
 * @throws ServiceError `wrong-network`, `invalid-service` (it redirects, has a private address, or its response is too
 * long), `too-many-requests`
 */
export async function checkServiceNetwork(wallet: Wallet, service: string, client: string): Promise<void> {
  const settings = await readSettings(wallet);
  // wallet/chain/network.ts checks the wallet's own service and its network.
  if (service === new URL(settings.serviceUrl).origin || silent(wallet).get(client, service)) return;
  let asked = networks(wallet).get(client, service);
  if (!asked) {
    countHostRequests(wallet, client, 1);
    asked = askNetwork(wallet, service, client);
    networks(wallet).set(client, service, asked);
  }
  const network = await asked;
  if (network !== null && network !== settings.network) throw new ServiceError('wrong-network');
}

async function askNetwork(wallet: Wallet, service: string, client: string): Promise<string | null> {
  try {
    const { status, body } = await requestHost(wallet, `${service}/api/v2/network`, {
      client,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      redirected: 'invalid-service',
    });
    const read = answered.safeParse(body);
    return status === 200 && read.success ? read.data.network : null;
  } catch (error) {
    networks(wallet).delete(client, service);
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'paymail-mismatch') throw new ServiceError('invalid-service', { cause: error });
    if (error.code !== 'paymail-unavailable') throw error;
    silent(wallet).set(client, service, true);
    return null;
  }
}
