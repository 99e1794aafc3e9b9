/**
 * The service's own, small paymail client: asks the host of somebody who says to have sent something whether a key is
 * theirs. Whoever sends names that host, so nothing of it is trusted: its addresses must be the open internet's, they
 * are resolved once, and nothing is followed.
 */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Network } from '../../protocol/address.ts';
import {
  CAPABILITIES,
  DISCOVERY_PATH,
  discoveryDocument,
  fillTemplate,
  pkiResponse,
  verifyPublicKeyResponse,
  type Paymail,
} from '../../protocol/paymail.ts';
import { isLoopbackHost } from '../../protocol/web-address.ts';
import { addressesOf, publicAddressesOf, readBeginning, requestPinned } from '../outbound-requests/pinned-request.ts';
import { isPublicAddress } from '../outbound-requests/public-address.ts';

/** A record of SRV (RFC 2782), as node:dns gives it. */
export interface SrvRecord {
  name: string;
  port: number;
  priority: number;
  weight: number;
}

/** How a sender's host is queried. */
export interface SenderHostRules {
  network: Network;
  /** Records of a name; throws where there are none. */
  resolveSrv: (name: string) => Promise<readonly SrvRecord[]>;
  /** For all questions of one check together, in milliseconds. */
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 100_000;

/** Asks the system's name servers, once and not for long: without an answer the host is sought at the domain itself. */
export const resolveSrv = (name: string): Promise<readonly SrvRecord[]> =>
  new Resolver({ timeout: 2_000, tries: 1 }).resolveSrv(name);

/**
 * True if the paymail's own host confirms that the key (compressed, lower-case hex) belongs to it. False for any other
 * answer, and for none in time: the requester learns nothing about the host.
 */
export async function isKeyOf(paymail: Paymail, publicKey: string, rules: SenderHostRules): Promise<boolean> {
  const signal = AbortSignal.timeout(rules.timeoutMs);
  try {
    const origin = await Promise.race([originOf(paymail.domain, rules), aborted(signal)]);
    const { capabilities } = discoveryDocument.parse(await askJson(origin + DISCOVERY_PATH, rules.network, signal));
    const { [CAPABILITIES.verifyPublicKey]: verify, [CAPABILITIES.pki]: pki } = capabilities;
    if (typeof verify === 'string') {
      const { match, pubkey } = verifyPublicKeyResponse.parse(
        await askJson(fillTemplate(verify, paymail, publicKey), rules.network, signal),
      );
      return match && pubkey.toLowerCase() === publicKey;
    }
    return (
      pkiResponse
        .parse(await askJson(fillTemplate(String(pki), paymail), rules.network, signal))
        .pubkey.toLowerCase() === publicKey
    );
  } catch {
    return false;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_done, failed) => {
    signal.addEventListener('abort', () => failed(new Error('time-out')), { once: true });
  });
}

/** Where the host of a domain is (bsvalias, "Host discovery"). @throws Error where it may not be asked */
async function originOf(domain: string, { network, resolveSrv: ask }: SenderHostRules): Promise<string> {
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
  return `https://${own?.name.toLowerCase() ?? ascii}:${own?.port ?? 443}`;
}

/** A name of the public domain name system: neither an address in any of its spellings, nor a local network's. */
function isPublicName(ascii: string): boolean {
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(ascii) || /\.(?:local|localhost|internal)$/.test(ascii)) return false;
  return URL.canParse(`https://${ascii}`) && isIP(new URL(`https://${ascii}`).hostname) === 0;
}

/** @throws Error for any answer but a 200 with JSON of a reasonable size, from where it may come */
async function askJson(url: string, network: Network, signal: AbortSignal): Promise<unknown> {
  const target = new URL(url);
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
  const response = await requestPinned(
    target,
    addresses,
    { method: 'GET', headers: { Accept: 'application/json', 'User-Agent': 'service-button-paymail/1' } },
    signal,
  );
  const { text, whole } = await readBeginning(response, response.statusCode === 200 ? MAX_ANSWER_BYTES : 0);
  if (response.statusCode !== 200 || !whole) throw new Error('no answer');
  return JSON.parse(text);
}
