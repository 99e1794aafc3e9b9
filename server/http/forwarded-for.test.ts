import { describe, expect, it } from 'vitest';
import { useService } from '../testing-service.ts';
import { cleanForwardedFor } from './forwarded-for.ts';

describe('X-Forwarded-For from a trusted proxy', () => {
  // A tenth of the normal limits: bursts of 60 requests for destinations or deliveries.
  const { app } = useService({ trustedProxies: 'loopback,10.0.0.0/8', rateLimits: '0.1' });
  const statusOf = async (forwardedFor: string) =>
    (await app.post('/bsvalias/verify-nothing', {}, { 'X-Forwarded-For': forwardedFor })).status;

  it.each([
    ['an IPv4 address with ports', (i: number) => `203.0.113.9:${20_000 + i}`],
    ['an IPv6 address in brackets with ports', (i: number) => `[2001:db8::9]:${20_000 + i}`],
    ['names, which count as the proxy', (i: number) => `client-${i}.example`],
    ['names behind a trusted proxy', (i: number) => `198.51.100.${i % 250}, _hidden-${i}, 10.0.0.7`],
    ['text with a port', (i: number) => `unknown:${i}`],
  ])('the limits count all of these as one client: %s', async (_what, header) => {
    const answers = await Promise.all(Array.from({ length: 120 }, (_, i) => statusOf(header(i))));
    expect(answers.filter((status) => status === 429).length).toBeGreaterThan(30);
  });

  it('keeps different clients apart', async () => {
    const answers = await Promise.all(Array.from({ length: 120 }, (_, i) => statusOf(`192.0.2.${i}:443`)));
    expect(answers).not.toContain(429);
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:20001', '203.0.113.9'],
    ['[2001:db8::1]:443, 10.0.0.1:80', '2001:db8::1, 10.0.0.1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:db8::1:443', '2001:db8::1:443'],
    ['203.0.113.9, unknown', null],
    ['unknown, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:99999999', null],
    ['', null],
  ])('%j is read as %j', (header, expected) => expect(cleanForwardedFor(header)).toBe(expected));
});
