/**
 * Hosts of paymails that strangers name, and pictures that such hosts name in turn. Nothing of them is trusted: their
 * addresses must be the open internet's, they are resolved once, and what answers is bounded.
 */
import type { IncomingMessage } from 'node:http';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Network } from '../../protocol/address.ts';
import { DISCOVERY_PATH, discoveryDocument } from '../../protocol/paymail.ts';
import { isLoopbackHost } from '../../protocol/web-address.ts';
import { addressesOf, publicAddressesOf, readBeginning, requestPinned } from './pinned-request.ts';
import { isPublicAddress } from './public-address.ts';

/** A record of SRV (RFC 2782), as node:dns gives it. */
export interface SrvRecord {
  name: string;
  port: number;
  priority: number;
  weight: number;
}

/** How a paymail's host is queried. */
export interface PaymailHostRules {
  network: Network;
  /** Records of a name; throws where there are none. */
  resolveSrv: (name: string) => Promise<readonly SrvRecord[]>;
}

const MAX_ANSWER_BYTES = 100_000;

/** Asks the system's name servers, once and not for long: without an answer the host is sought at the domain itself. */
export const resolveSrv = (name: string): Promise<readonly SrvRecord[]> =>
  new Resolver({ timeout: 2_000, tries: 1 }).resolveSrv(name);

/**
 * What the host of a domain can do (bsvalias, "Capability discovery").
 * @throws Error where it may not be asked, and for any other answer
 */
export async function capabilitiesOf(
  domain: string,
  rules: PaymailHostRules,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const origin = await Promise.race([originOf(domain, rules), aborted(signal)]);
  return discoveryDocument.parse(await askJson(origin + DISCOVERY_PATH, rules.network, signal)).capabilities;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_done, failed) => {
    signal.addEventListener('abort', () => failed(new Error('time-out')));
  });
}

/** Where the host of a domain is (bsvalias, "Host discovery"). @throws Error where it may not be asked */
async function originOf(domain: string, { network, resolveSrv: ask }: PaymailHostRules): Promise<string> {
  const [name = '', port] = domain.split(':');
  // Two services on one machine, of which each knows the other by its port.
  if (network === 'devnet' && isLoopbackHost(name) && port !== undefined) return `http://${domain}`;
  const ascii = domainToASCII(name);
  if (port !== undefined || !isPublicName(ascii)) throw new Error('not a public domain');
  const records = await ask(`_bsvalias._tcp.${ascii}`).catch(() => []);
  // Anyone on the network path can forge a record, and node:dns does not say which are signed (DNSSEC): only one that
  // leads to the domain itself counts, which its certificate proves.
  const [own] = records
    .filter((record) => [ascii, `www.${ascii}`].includes(record.name.toLowerCase()))
    .sort((a, b) => a.priority - b.priority || b.weight - a.weight);
  return `https://${own?.name ?? ascii}:${own?.port ?? 443}`;
}

/** A name of the public domain name system: neither an address in any of its spellings, nor a local network's. */
function isPublicName(ascii: string): boolean {
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(ascii) || /\.(?:local|localhost|internal)$/.test(ascii)) return false;
  return URL.canParse(`https://${ascii}`) && isIP(new URL(`https://${ascii}`).hostname) === 0;
}

/** @throws Error for any answer but a 200 with JSON of a reasonable size, from where it may come */
export async function askJson(url: string, network: Network, signal: AbortSignal): Promise<unknown> {
  const response = await askStranger(new URL(url), 'application/json', network, signal);
  const { bytes, whole } = await readBeginning(response, response.statusCode === 200 ? MAX_ANSWER_BYTES : 0);
  if (response.statusCode !== 200 || !whole) throw new Error('no answer');
  return JSON.parse(bytes.toString('utf8'));
}

/**
 * Asks an address that a stranger named, by https alone, at the open internet; on devnet also this machine. Whatever the
 * status is, the answer is given once it has come: redirects are not followed.
 * @param accept media types
 * @throws Error where it may not be asked, and for no answer
 */
export async function askStranger(
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
  if (addresses.length === 0 || !addresses.every(allowed)) throw new Error('a private address');
  return requestPinned(
    target,
    addresses,
    { method: 'GET', headers: { Accept: accept, 'User-Agent': 'service-button-paymail/1' } },
    signal,
  );
}
