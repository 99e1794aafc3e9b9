/**
 * Resolves names with public DNS over HTTPS resolvers, in the JSON format of Cloudflare and Google (not RFC 8484).
 * Extensions have no other way to read SRV records, or a name's addresses before connecting.
 */
import * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseJson, send } from '../chain/http.ts';
import type { Wallet } from '../platform.ts';

/** Resolvers, queried in this order until one responds. */
const RESOLVERS = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/resolve'];
/** Timeout per resolver (milliseconds). */
const TIMEOUT_MS = 4000;
const MAX_BYTES = 50_000;

/** DNS record types (IANA, "DNS Parameters"). */
const TYPES = { A: 1, AAAA: 28, SRV: 33 } as const;
/**
 * Response code for success. Any code other than this one and {@link NO_SUCH_NAME} is an error at the resolver or the
 * domain.
 */
const NO_ERROR = 0;
/** Response code for a nonexistent name. */
const NO_SUCH_NAME = 3;

const answerSchema = z.object({
  Status: z.int(),
  AD: z.optional(z.boolean()),
  Answer: z.optional(z.array(z.object({ type: z.int(), data: z.string() })).check(z.maxLength(200))),
});

/** The data in all records of one type. `secure` is true if the resolver verified their DNSSEC signatures (flag AD). */
interface Records {
  data: string[];
  secure: boolean;
}

const blockedMessage =
  'Your network blocks DNS over HTTPS (cloudflare-dns.com, dns.google), which the wallet needs to find paymail hosts. Try another network, or ask the recipient for an address. No money has moved.';

/**
 * Resolves a name.
 * @throws ServiceError `network-unavailable` (no resolver reachable), `paymail-unavailable` (no result)
 */
async function lookUp(wallet: Wallet, name: string, type: keyof typeof TYPES, timeoutMs: number): Promise<Records> {
  let isBlocked = true;
  for (const resolver of RESOLVERS) {
    const url = `${resolver}?name=${encodeURIComponent(name)}&type=${type}`;
    const request = {
      headers: { accept: 'application/dns-json' },
      timeoutMs: Math.min(TIMEOUT_MS, timeoutMs / RESOLVERS.length),
      maxBytes: MAX_BYTES,
    };
    const answer = await send(wallet, url, request).catch(() => null);
    const read = answer?.status === 200 ? answerSchema.safeParse(parseJson(answer.text)) : null;
    if (answer) isBlocked = false;
    if (!read?.success || (read.data.Status !== NO_ERROR && read.data.Status !== NO_SUCH_NAME)) continue;
    const { AD = false, Answer = [] } = read.data;
    return { data: Answer.filter((record) => record.type === TYPES[type]).map(({ data }) => data), secure: AD };
  }
  if (isBlocked) throw new ServiceError('network-unavailable', { message: blockedMessage });
  throw new ServiceError('paymail-unavailable', { detail: `no resolver knows ${name}` });
}

/** The host in an SRV record. */
export interface Target {
  host: string;
  port: number;
}

/**
 * Returns the paymail host of a domain (SRV `_bsvalias._tcp`), or null if it has no valid record. Without DNSSEC,
 * anyone on the path can forge a record, so it may name only the domain itself or its `www` subdomain. Returns
 * `unsigned` if a record without DNSSEC names a different host.
 * @throws ServiceError `paymail-unavailable` (no resolver has a result), `network-unavailable` (none can be reached)
 */
export async function paymailTarget(
  wallet: Wallet,
  domain: string,
  timeoutMs = 2 * TIMEOUT_MS,
): Promise<Target | 'unsigned' | null> {
  const { data, secure } = await lookUp(wallet, `_bsvalias._tcp.${domain}`, 'SRV', timeoutMs);
  const named = data.flatMap((text) => readTarget(text));
  const targets = named.filter(({ host }) => secure || host === domain || host === `www.${domain}`);
  // Lowest priority first (RFC 2782), then highest weight, because the wallet's few requests need no load balancing.
  const [first] = targets.sort((a, b) => a.priority - b.priority || b.weight - a.weight);
  if (!first) return named.length > 0 ? 'unsigned' : null;
  return { host: first.host, port: first.port };
}

/** Parses the priority, weight, port and target (with or without a trailing dot). */
function readTarget(text: string): (Target & { priority: number; weight: number })[] {
  const found = /^(\d{1,5}) (\d{1,5}) (\d{1,5}) ([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)\.?$/.exec(text.trim());
  if (!found) return [];
  const [priority, weight, port] = found.slice(1, 4).map(Number) as [number, number, number];
  return port > 0 && port < 65_536 ? [{ priority, weight, port, host: (found[4] as string).toLowerCase() }] : [];
}

/**
 * True if a name has addresses and all of them are on the public internet.
 * @throws ServiceError `paymail-unavailable` (no resolver has a result, or the name has no address),
 * `network-unavailable` (none can be reached)
 */
export async function isPublicName(wallet: Wallet, name: string, timeoutMs = 2 * TIMEOUT_MS): Promise<boolean> {
  const [four, six] = await Promise.all([
    lookUp(wallet, name, 'A', timeoutMs),
    lookUp(wallet, name, 'AAAA', timeoutMs),
  ]);
  if (four.data.length + six.data.length === 0)
    throw new ServiceError('paymail-unavailable', { detail: `${name} has no address` });
  return four.data.every(isPublicIpv4) && six.data.every(isPublicIpv6);
}

/** First address and prefix length of special-purpose ranges (IANA IPv4 registry) and multicast. */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** Parses an IPv4 address. Rejects leading zeros, because some parsers interpret them as octal. */
function ipv4Number(text: string): number | null {
  const parts = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/
    .exec(text)
    ?.slice(1)
    .map(Number);
  return parts?.every((part) => part < 256) ? parts.reduce((sum, part) => sum * 256 + part, 0) : null;
}

export function isPublicIpv4(text: string): boolean {
  const address = ipv4Number(text);
  return (
    address !== null &&
    !SPECIAL_IPV4.some(
      ([first, length]) =>
        Math.floor(address / 2 ** (32 - length)) === Math.floor((ipv4Number(first) as number) / 2 ** (32 - length)),
    )
  );
}

/** True for a public IPv6 address: global unicast (2000::/3) except its special-purpose ranges. */
export function isPublicIpv6(text: string): boolean {
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return false;
  const [first = 0, second = 0] = new URL(`http://[${text}]/`).hostname
    .slice(1, -1)
    .split(':')
    .map((part) => Number.parseInt(part || '0', 16));
  if (first < 0x2000 || first > 0x3fff) return false;
  // IETF protocol assignments including Teredo (2001::/23), documentation (2001:db8::/32, 3fff::/20), and 6to4
  // (2002::/16), which embeds an IPv4 address.
  return !(
    (first === 0x2001 && (second < 0x200 || second === 0xdb8)) ||
    first === 0x2002 ||
    (first === 0x3fff && second < 0x1000)
  );
}
