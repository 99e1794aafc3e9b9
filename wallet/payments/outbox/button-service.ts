/**
 * The service that a page names for its button. It is checked before anything is shown to the user, because it receives
 * payment reports and user ID lookups. All of this is limited, because the page chooses it: requests are cached
 * (wallet/paymail/kept.ts), have a timeout, count against the site's requests to hosts, and never go into the user's
 * own network.
 */
import * as z from 'zod/mini';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { askHost, hostUrl } from '../../paymail/host.ts';
import { Kept } from '../../paymail/kept.ts';
import { takeHostRequests } from '../../request-limits/rate-limit.ts';
import { readSettings } from '../../settings.ts';
import { part, type Wallet } from '../../platform.ts';

/** A slow service doesn't stop the payment: the report is retried later (milliseconds). */
const TIMEOUT_MS = 2000;
/** Maximum size of its response in bytes. A usual one has a few hundred. */
const MAX_BYTES = 10_000;
/** How long its network is cached, and how long one without a response isn't contacted again (milliseconds). */
const FRESH_MS = 600_000;
const SILENT_MS = 30_000;

/** The relevant part of `/api/v2/network`: a later version may add networks and fields. */
const answered = z.object({ network: z.string().check(z.maxLength(100)) });

/** The reported network; null if there was none. */
const networks = part((wallet) => new Kept<Promise<string | null>>(wallet, FRESH_MS));
const silent = part((wallet) => new Kept<true>(wallet, SILENT_MS));

/** True if it is the origin of a service that this wallet may contact. Makes no request. */
export function isServiceForm(service: string, settings: Pick<Settings, 'network' | 'serviceUrl'>): boolean {
  return hostUrl(service, settings)?.origin === service;
}

/**
 * @throws ServiceError `invalid-service`, if it is not an origin, not https, or on or near this machine on a public
 * network
 */
export function assertServiceForm(service: string, settings: Pick<Settings, 'network' | 'serviceUrl'>): void {
  if (!isServiceForm(service, settings)) throw new ServiceError('invalid-service', { detail: `service ${service}` });
}

/**
 * Checks the network of a button's service. One that can't be reached, or is another kind of service (a copy of the
 * button's script elsewhere), doesn't stop the payment.
 * @param client the site that names it
 * @throws ServiceError `wrong-network`, `invalid-service` (it redirects, has a private address, or its response is too
 * long), `too-many-requests`
 */
export async function checkServiceNetwork(wallet: Wallet, service: string, client: string): Promise<void> {
  const settings = await readSettings(wallet);
  // The wallet's own service and its network are checked in wallet/chain/network.ts.
  if (service === new URL(settings.serviceUrl).origin || silent(wallet).get(client, service)) return;
  let asked = networks(wallet).get(client, service);
  if (!asked) {
    takeHostRequests(wallet, client, 1);
    asked = askNetwork(wallet, service, client);
    networks(wallet).set(client, service, asked);
  }
  const network = await asked;
  if (network !== null && network !== settings.network) throw new ServiceError('wrong-network');
}

async function askNetwork(wallet: Wallet, service: string, client: string): Promise<string | null> {
  try {
    const { status, body } = await askHost(wallet, `${service}/api/v2/network`, {
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
