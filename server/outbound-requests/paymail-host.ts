/**
 * Requests to untrusted paymails' hosts, and to picture URLs that those hosts provide. Requests go only to public
 * addresses, which are resolved once, and responses have size limits.
 */
import type { IncomingMessage } from 'node:http';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { DISCOVERY_PATH, discoveryDocument } from '../../protocol/http/paymail.ts';
import { isLoopbackHost } from '../../protocol/text/web-address.ts';
import { addressesOf, publicAddressesOf, readBeginning, requestPinned } from './pinned-request.ts';
import { isPublicAddress } from './public-address.ts';

/** An SRV record (RFC 2782), as returned by node:dns. */
export interface SrvRecord {
  name: string;
  port: number;
  priority: number;
  weight: number;
}

export interface PaymailHostRules {
  network: Network;
  resolveSrv: (name: string) => Promise<readonly SrvRecord[]>;
}

const MAX_ANSWER_BYTES = 100_000;

/** Queries the system's name servers once, with a short timeout. On failure, the caller uses the domain itself. */
export const resolveSrv = (name: string): Promise<readonly SrvRecord[]> =>
  new Resolver({ timeout: 2_000, tries: 1 }).resolveSrv(name);

/**
 * Returns the capabilities of a domain's paymail host (bsvalias, "Capability discovery").
 * @throws Error if the host can't be contacted, or returns none
 */
export async function capabilitiesOf(
  domain: string,
  rules: PaymailHostRules,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const origin = await Promise.race([originOf(domain, rules), aborted(signal)]);
  return discoveryDocument.parse(await requestJson(origin + DISCOVERY_PATH, rules.network, signal)).capabilities;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_done, failed) => {
    signal.addEventListener('abort', () => failed(new Error('time-out')));
  });
}

/** Returns the origin of a domain's paymail host (bsvalias, "Host discovery"). @throws Error if it isn't public */
async function originOf(domain: string, { network, resolveSrv: ask }: PaymailHostRules): Promise<string> {
  const [name = '', port] = domain.split(':');
  // On devnet, several services on one machine are distinguished by port.
  if (network === 'devnet' && isLoopbackHost(name) && port !== undefined) return `http://${domain}`;
  const ascii = domainToASCII(name);
  if (port !== undefined || !isPublicName(ascii)) throw new Error('the domain is not public');
  const records = await ask(`_bsvalias._tcp.${ascii}`).catch(() => []);
  // SRV records can be forged on the network path, because node:dns doesn't validate DNSSEC. Only records for the
  // domain itself are used.
  const [own] = records
    .filter((record) => [ascii, `www.${ascii}`].includes(record.name.toLowerCase()))
    .sort((a, b) => a.priority - b.priority || b.weight - a.weight);
  return `https://${own?.name ?? ascii}:${own?.port ?? 443}`;
}

/** True for a public DNS name: not an IP address in any notation, and not a local network's name. */
function isPublicName(ascii: string): boolean {
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(ascii) || /\.(?:local|localhost|internal)$/.test(ascii)) return false;
  return URL.canParse(`https://${ascii}`) && isIP(new URL(`https://${ascii}`).hostname) === 0;
}

/** Requests JSON. @throws Error unless the response is 200 with JSON within the size limit, from a permitted address */
export async function requestJson(url: string, network: Network, signal: AbortSignal): Promise<unknown> {
  const response = await requestUntrusted(new URL(url), 'application/json', network, signal);
  const { bytes, whole } = await readBeginning(response, response.statusCode === 200 ? MAX_ANSWER_BYTES : 0);
  if (response.statusCode !== 200 || !whole) throw new Error('no answer');
  return JSON.parse(bytes.toString('utf8'));
}

/**
 * Requests an untrusted URL, only via https and only at public addresses. Devnet also allows this machine, even via
 * http. Doesn't follow redirects.
 * @param accept media types
 * @throws Error if the host may not be contacted, or doesn't respond
 */
export async function requestUntrusted(
  target: URL,
  accept: string,
  network: Network,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const local = network === 'devnet' && isLoopbackHost(target.hostname);
  if (
    target.username !== '' ||
    target.password !== '' ||
    !(target.protocol === 'https:' || (local && target.protocol === 'http:'))
  )
    throw new Error('not https');
  const addresses = await (local ? addressesOf : publicAddressesOf)(target, signal);
  const allowed = ({ address }: { address: string }) =>
    local ? address === '::1' || address.startsWith('127.') : isPublicAddress(address);
  if (addresses.length === 0 || !addresses.every(allowed)) throw new Error('the host resolves to a private address');
  return requestPinned(
    target,
    addresses,
    { method: 'GET', headers: { Accept: accept, 'User-Agent': 'service-button-paymail/1' } },
    signal,
  );
}
