/** Fuzzes responses from DNS resolvers. Node's own code is the reference for public addresses. */
import { BlockList, isIP } from 'node:net';
import { isPublicIpv4, isPublicIpv6, isPublicName, paymailTarget } from '../../wallet/paymail/dns.ts';
import { must, orRefusalOf, target } from '../target.ts';
import { answeredWith } from './testing-world.ts';
import { jsonOf } from './testing-schemas.ts';
import { wallet } from '../../testkit/wallet/current.ts';

/** The special-purpose addresses in IANA's two registries. */
const SPECIAL = { 4: new BlockList(), 6: new BlockList() };
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/3', '::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]) {
  const [address = '', prefix] = range.split('/');
  const version = isIP(address) as 4 | 6;
  SPECIAL[version].addSubnet(address, Number(prefix), `ipv${version}`);
}
const isPublic = (text: string): boolean => {
  const version = isIP(text) as 0 | 4 | 6;
  return version !== 0 && !text.includes('%') && !SPECIAL[version].check(text, `ipv${version}`);
};

const answer = (type: number, ...data: string[]) =>
  JSON.stringify({ Status: 0, AD: true, Answer: data.map((one) => ({ name: 'a', type, TTL: 60, data: one })) });

export default target({
  form: 'json',
  seeds: () => [
    answer(33, '10 10 443 pay.example.', '0 5 8443 www.a.example.'),
    answer(33, '0 5 443 w.0', '0 5 443 w.0x1', '0 5 443 xn--a.example'),
    answer(33, '1 1 0 a.example', '0 0 65536 a.example', '2 2 65535 a.example'),
    answer(1, '8.8.8.8', '10.0.0.1', '1.2.3.4', '8.08.8.8'),
    answer(28, '2606:4700::1111', '2001:db8::1', '2000:1::8.8.8.8'),
    JSON.stringify({ Status: 3, AD: false }),
  ],
  read: (input) =>
    answeredWith(input, async () => ({
      target: await orRefusalOf(['paymail-unavailable', 'network-unavailable'], () =>
        paymailTarget(wallet, 'a.example'),
      ),
      isPublic: await orRefusalOf(['paymail-unavailable', 'network-unavailable'], () =>
        isPublicName(wallet, 'a.example'),
      ),
    })),
  check: ({ target: found }, input) => {
    const { AD, Answer } = (jsonOf(input) ?? {}) as { AD?: unknown; Answer?: { type?: unknown; data?: unknown }[] };
    const records = Array.isArray(Answer) ? Answer : [];
    for (const record of records) {
      const data = typeof record?.data === 'string' ? record.data : '';
      if (isPublicIpv4(data)) must(isPublic(data), `${data} is accepted, but not a public address`);
      // Node rejects leading zeros, which no resolver returns.
      else if (isIP(data) === 4) must(!isPublic(data), `${data} is rejected, but a public address`);
      if (isPublicIpv6(data)) must(isPublic(data), `${data} is accepted, but not a public address`);
      else if (isIP(data) === 6 && !data.includes('%'))
        must(!isPublic(data), `${data} is rejected, but a public address`);
    }
    if (found === null || found === 'unsigned') return;
    must(AD === true || /^(?:www\.)?a\.example$/.test(found.host), 'a host from an unsigned record');
    must(found.port > 0 && found.port < 65_536, 'the port is invalid');
    // `isPublicForm` checks whether the host is also valid in a URL before the host is contacted.
    must(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(found.host), 'the host is invalid');
  },
});
