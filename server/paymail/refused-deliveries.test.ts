import type { Request, Response } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRefusedDeliveries, REFUSALS_A_MINUTE, type RefusedDeliveries } from './refused-deliveries.ts';

describe('rejected deliveries', () => {
  let ms: number;
  let deliveries: RefusedDeliveries;
  let number = 0;
  let headers: Record<string, string>;
  beforeEach(() => {
    ms = 0;
    headers = {};
    deliveries = createRefusedDeliveries({ now: () => new Date(ms), factor: 1 });
  });

  const refuse = (ip: string, recipient = 1, delivery = `raw ${(number += 1)}`) => {
    try {
      const response = { set: (name: string, value: string) => void (headers = { [name]: value }) };
      const attempt = deliveries.attempt(recipient, { ip } as Request, response as unknown as Response);
      attempt.assertNotRefused(delivery);
      attempt.refused(delivery);
      return 'asked';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const asked = (times: number, ask: (i: number) => string) =>
    Array.from({ length: times }, (_one, i) => ask(i)).filter((result) => result === 'asked').length;

  it('count against limits per address, per recipient and in total', () => {
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(REFUSALS_A_MINUTE.address);
    expect(refuse('203.0.113.1', 2)).toBe('too-many-requests');
    expect(asked(100, (i) => refuse(`203.0.113.${i + 2}`))).toBe(
      REFUSALS_A_MINUTE.recipient - REFUSALS_A_MINUTE.address,
    );
    expect(asked(1_000, (i) => refuse(`198.51.100.${i % 250}`, 10 + i))).toBe(
      REFUSALS_A_MINUTE.instance - REFUSALS_A_MINUTE.recipient,
    );
    ms += 3_000;
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(1);
    ms += 60_000;
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(REFUSALS_A_MINUTE.address);
  });

  it('count against IPv6 networks as well, because a subscriber has thousands of addresses', () => {
    expect(asked(1_000, (i) => refuse(`2001:db8:1:${i.toString(16)}::1`, 10 + i))).toBeLessThanOrEqual(
      16 * REFUSALS_A_MINUTE.address,
    );
  });

  it('count while they are in progress, and no longer if they are accepted after all', () => {
    const attempts = Array.from({ length: 1_000 }, (_one, i) => {
      const one = deliveries.attempt(1, { ip: '203.0.113.1' } as Request, {} as Response);
      if (i > 5) one.accepted();
      return one;
    });
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(REFUSALS_A_MINUTE.address - 6);
    attempts.slice(0, 6).forEach((one) => one.accepted());
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(6);
  });

  it('count with the ancestors submitted for them, but only against the sender’s address', () => {
    const attempt = deliveries.attempt(1, { ip: '203.0.113.1' } as Request, {} as Response);
    attempt.submitted(2 * REFUSALS_A_MINUTE.address);
    expect(refuse('203.0.113.1')).toBe('too-many-requests');
    // The debt is limited to a minute's worth: 20 and one more, at 20 a minute.
    expect(headers).toEqual({ 'Retry-After': '63' });
    ms += 62_999;
    expect(refuse('203.0.113.1')).toBe('too-many-requests');
    ms = 0;
    expect(asked(1_000, (i) => refuse(`203.0.113.${(i % 200) + 2}`))).toBe(REFUSALS_A_MINUTE.recipient - 1);
    ms += 63_000;
    expect(refuse('203.0.113.1', 2)).toBe('asked');
  });

  it('the service’s factor scales the limits, down to one a minute, and errors have Retry-After', () => {
    deliveries = createRefusedDeliveries({ now: () => new Date(ms), factor: 0.25 });
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(REFUSALS_A_MINUTE.address / 4);
    expect(headers).toEqual({ 'Retry-After': '12' });
    ms += 12_000;
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(1);
    deliveries = createRefusedDeliveries({ now: () => new Date(ms), factor: 0.001 });
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(1);
    expect(headers).toEqual({ 'Retry-After': '60' });
    ms += 60_000;
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(1);
  });

  it('don’t count twice when a clock is set back', () => {
    ms = 3600_000;
    expect(asked(10, () => refuse('203.0.113.1'))).toBe(10);
    ms = 0;
    expect(asked(50, () => refuse('203.0.113.1'))).toBe(REFUSALS_A_MINUTE.address - 10);
  });

  it('don’t count if limits are off, and the last ten thousand are remembered', () => {
    deliveries = createRefusedDeliveries({ now: () => new Date(ms), factor: null });
    expect(asked(10_001, (i) => refuse('203.0.113.1', 1, `raw many ${i}`))).toBe(10_001);
    expect([1, 10_000, 0].map((i) => refuse('203.0.113.1', 1, `raw many ${i}`))).toEqual([
      'not-accepted',
      'not-accepted',
      'asked',
    ]);
  });

  it('an identical delivery is remembered for a minute', () => {
    expect([
      refuse('203.0.113.1', 1, 'raw aa'),
      refuse('203.0.113.2', 2, 'raw aa'),
      refuse('203.0.113.3', 1, 'beef aa'),
    ]).toEqual(['asked', 'not-accepted', 'asked']);
    ms += 59_999;
    expect(refuse('203.0.113.2', 2, 'raw aa')).toBe('not-accepted');
    ms += 1;
    expect(refuse('203.0.113.2', 2, 'raw aa')).toBe('asked');
  });
});
