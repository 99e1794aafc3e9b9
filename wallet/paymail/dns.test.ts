import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicIpv4, isPublicIpv6 } from './dns.ts';

describe('an address of the public internet', () => {
  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.1.1',
    '192.169.0.0',
    '198.17.0.0',
    '198.20.0.0',
    '223.255.255.255',
  ])('an IPv4 address is public: %s', (address) => {
    expect(isPublicIpv4(address)).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.168.255.255',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '',
    'localhost',
    '1.1.1',
    '1.1.1.1.1',
    '256.1.1.1',
    '0x7f.1.1.1',
    '8.08.8.8',
    '010.1.1.1',
    '1.1.1.1 ',
    '::1',
    '2606:4700::1111',
  ])('an IPv4 address is not public: %j', (address) => {
    expect(isPublicIpv4(address)).toBe(false);
  });

  test.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:80b::200e', '2001:200::1', '3ffe::1'])(
    'an IPv6 address is public: %s',
    (address) => {
      expect(isPublicIpv6(address)).toBe(true);
    },
  );

  test.each([
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:0:1::',
    '2001:db8::1',
    '2001:10::1',
    '2002:a00:1::',
    '3fff::1',
    '3fff:fff::1',
    '1000::',
    '4000::',
    '8.8.8.8',
    '',
    'pay.example',
    '2606:4700::1111]/@[::1',
    'g::1',
  ])('an IPv6 address is not public: %j', (address) => {
    expect(isPublicIpv6(address)).toBe(false);
  });

  test('a host is never on a private network, regardless of the rest of its response', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const near = fc.oneof(
      fc.tuple(fc.constant(10), byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 })),
      fc.constant([192, 168] as const),
      fc.constant([169, 254] as const),
      fc.tuple(fc.constant(127), byte),
    );
    fc.assert(
      fc.property(near, byte, byte, ([a, b], c, d) => {
        expect(isPublicIpv4([a, b, c, d].join('.'))).toBe(false);
        const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
        for (const six of [
          `::ffff:${high}:${low}`,
          `::${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
        ])
          expect(isPublicIpv6(six)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
