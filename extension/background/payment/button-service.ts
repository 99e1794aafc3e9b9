/**
 * The service that a page names for its button: checked before anything is put before the user, because payments are
 * reported there and user IDs are looked up there. The page chooses it, so all of it is bounded: a site has a service
 * asked once for as long as its answer counts (paymail/kept.ts: ten seconds where the user never paid), with a time-out,
 * counted against the site's requests to hosts, and never into the user's own network.
 */
import * as z from 'zod/mini';
import { ServiceError } from '../../../protocol/errors.ts';
import type { Settings } from '../../../protocol/wallet-messages.ts';
import { askHost, hostUrl } from '../paymail/host.ts';
import { Kept } from '../paymail/kept.ts';
import { takeHostRequests } from '../rate-limit.ts';
import { readSettings } from '../settings.ts';

/** A service that is slower pays nothing for it: the payment goes on, and the report is tried later (milliseconds). */
const TIMEOUT_MS = 2000;
/** Most bytes of its answer, which has a few hundred. */
const MAX_BYTES = 10_000;
/** How long its network counts, and for how long one that gave no answer is not asked again (milliseconds). */
const FRESH_MS = 600_000;
const SILENT_MS = 30_000;

/** As much of `/api/v2/network` as matters here: a later version may add networks and fields. */
const answered = z.object({ network: z.string().check(z.maxLength(100)) });

/** The network that it named; null where it named none. */
const networks = new Kept<Promise<string | null>>(FRESH_MS);
const silent = new Kept<true>(SILENT_MS);

/** Is it the origin of a service that this wallet may contact? Makes no request. */
export function isServiceForm(service: string, settings: Pick<Settings, 'network' | 'serviceUrl'>): boolean {
  return hostUrl(service, settings)?.origin === service;
}

/** @throws ServiceError `invalid-service`: no origin, not https, or on this machine or near it on a public network */
export function assertServiceForm(service: string, settings: Pick<Settings, 'network' | 'serviceUrl'>): void {
  if (!isServiceForm(service, settings)) throw new ServiceError('invalid-service', { detail: `service ${service}` });
}

/**
 * Asks a button's service for its network. One that cannot be reached, or is no service of this kind (a copy of the
 * button's script elsewhere), keeps nobody from paying.
 * @param client the site that names it
 * @throws ServiceError `wrong-network`, `invalid-service` (it redirects, has a private address, or answers without end),
 *   `too-many-requests`
 */
export async function checkServiceNetwork(service: string, client: string): Promise<void> {
  const settings = await readSettings();
  // The wallet's own is asked, and held to its network, in chain/network.ts.
  if (service === new URL(settings.serviceUrl).origin || silent.get(client, service)) return;
  let asked = networks.get(client, service);
  if (!asked) {
    takeHostRequests(client, 1);
    asked = askNetwork(service, client);
    networks.set(client, service, asked);
  }
  const network = await asked;
  if (network !== null && network !== settings.network) throw new ServiceError('wrong-network');
}

async function askNetwork(service: string, client: string): Promise<string | null> {
  try {
    const { status, body } = await askHost(`${service}/api/v2/network`, {
      client,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      redirected: 'invalid-service',
    });
    const read = answered.safeParse(body);
    return status === 200 && read.success ? read.data.network : null;
  } catch (error) {
    networks.delete(client, service);
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'paymail-mismatch') throw new ServiceError('invalid-service', { cause: error });
    if (error.code !== 'paymail-unavailable') throw error;
    silent.set(client, service, true);
    return null;
  }
}
