import { expect, test } from 'vitest';
import { canBePublicHost, isPublicAddress } from './public-address.ts';

const PRIVATE = [
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.175.48.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:1ff::1',
  '2620:4f:8000::1',
  '4000::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  'fec0::1',
  'ff02::1',
];
test.each(PRIVATE)('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.1.1.1',
  '128.0.0.1',
  '169.253.1.1',
  '172.15.1.1',
  '172.32.0.1',
  '192.0.1.1',
  '192.0.3.1',
  '192.31.197.1',
  '192.167.1.1',
  '198.17.1.1',
  '198.20.1.1',
  '203.0.112.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:200::1',
  '2620:4f:8001::1',
  '2a00:1450::1',
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('a public host has a public address, or a name of several labels that is not reserved for private use', () => {
  const never = [
    'localhost',
    'hook.localhost',
    'printer.local',
    'db.internal',
    'router.home.arpa',
    'intranet',
    'shop',
    'shop.',
    'a.intranet',
    'a.private',
    'a.corp',
    'a.home',
    'a.lan',
    'a.test',
    'a.invalid',
    'a.onion',
    'a.alt',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[fd00::1]',
    '[::ffff:7f00:1]',
    'local.',
    'db.internal.',
  ];
  expect(never.filter(canBePublicHost)).toEqual([]);
  const maybe = [
    'shop.example',
    'shop.example.',
    'hooks.local.com',
    'prelocal.com',
    'a.latest',
    '8.8.8.8',
    '[2606:4700:4700::1111]',
  ];
  expect(maybe.filter((host) => !canBePublicHost(host))).toEqual([]);
});

test.each(['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '[::1]', '1.2.3.4.5'])(
  '%j is not an address',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

test.each([
  ['64:ff9b::5db8:d822', true],
  ['64:ff9b::93.184.216.34', true],
  ['64:ff9b:0:0:0:0:0101:0101', true],
  ['64:ff9b::808:0', true],
  ['64:ff9b::a00:1', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['64:ff9b::10.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b::c0a8:1', false],
  ['64:ff9b::1', false],
  ['64:ff9b::', false],
  ['64:ff9b:1::5db8:d822', false],
  ['64:ff9b::1:5db8:d822', false],
])('%s behind NAT64 is classified by its IPv4 address', (address, allowed) => {
  expect(isPublicAddress(address)).toBe(allowed);
});
