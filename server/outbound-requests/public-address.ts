import { BlockList, isIP } from 'node:net';

const list = (...networks: readonly [string, number, 'ipv4' | 'ipv6'][]) => {
  const blocks = new BlockList();
  for (const [address, prefix, family] of networks) blocks.addSubnet(address, prefix, family);
  return blocks;
};

/** IANA's IPv4 special-purpose address registry. */
const SPECIAL_V4 = list(
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.31.196.0', 24, 'ipv4'],
  ['192.52.193.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['192.175.48.0', 24, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
);
/** IPv6 global unicast addresses (RFC 4291, section 2.5.4). */
const GLOBAL_V6 = list(['2000::', 3, 'ipv6']);
/** IPv6 exceptions: IETF protocol assignments (such as Teredo), documentation, 6to4 and AS112. */
const SPECIAL_V6 = list(
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['2620:4f:8000::', 48, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
);

/** NAT64's well-known prefix (RFC 6052, section 2.1), through which IPv6-only hosts reach IPv4 addresses. */
const NAT64 = list(['64:ff9b::', 96, 'ipv6']);

/** Returns the IPv4 address in the last 32 bits of a `64:ff9b::` address. */
function embeddedIpv4(address: string): string {
  // `URL` abbreviates the zero groups after the prefix to `::`.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')[1] ?? '';
  const [low = 0, high = 0] = groups
    .split(':')
    .map((group) => Number.parseInt(group || '0', 16))
    .toReversed();
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Names that resolve only in local networks (RFC 6761, 6762, 8375, 9476; ICANN's .internal). */
const OWN_NAMES =
  /(?:^|\.)(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion|alt)\.?$/;

/** True if a host, as serialized by `URL`, can be public. A name's addresses are checked on each request. */
export function canBePublicHost(hostname: string): boolean {
  const address = hostname.replace(/[[\]]/g, '');
  if (isIP(address) !== 0) return isPublicAddress(address);
  return hostname.replace(/\.$/, '').includes('.') && !OWN_NAMES.test(hostname);
}

/**
 * True for a public IP address. For IPv6, that means known global ranges, and NAT64 addresses that embed public IPv4
 * addresses.
 * @param address an IP address without brackets
 */
export function isPublicAddress(address: string): boolean {
  // A zone ID (`fe80::1%eth0`) refers to one of this machine's own networks.
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !SPECIAL_V4.check(address, 'ipv4');
  if (family === 6 && NAT64.check(address, 'ipv6')) return isPublicAddress(embeddedIpv4(address));
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}
