import { beforeAll, describe, expect, it } from 'vitest';
import { createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';

describe('destinations requested without a signature', () => {
  // A tenth of the normal limits: 60 per address, 120 per recipient, 20 per address and recipient.
  const { app } = useService({ trustedProxies: 'loopback', rateLimits: '0.1' });
  beforeAll(async () => {
    for (const handle of ['ann', 'bob', 'carol', 'dave', 'erin']) await register(app, createTestWallet(), handle);
  });

  const ask = async (
    address: string,
    handle: string,
    path = 'p2p-payment-destination',
    body: object = { satoshis: 1_000 },
  ) => (await app.post(`/bsvalias/${path}/${handle}@localhost`, body, { 'X-Forwarded-For': address })).status;
  const issued = async (count: number, one: (i: number) => Promise<number>) => {
    let sum = 0;
    for (let i = 0; i < count; i += 1) sum += (await one(i)) === 200 ? 1 : 0;
    return sum;
  };

  it('one address is limited for one recipient, whom others can still pay', async () => {
    expect(await issued(30, () => ask('192.0.2.1', 'ann'))).toBe(20);
    expect(await ask('192.0.2.1', 'ann', 'ordinal-p2p-payment-destination', { ordinals: 1 })).toBe(429);
    expect(await ask('192.0.2.2', 'ann')).toBe(200);
    expect(await ask('192.0.2.1', 'bob')).toBe(200);
  });

  it('one address is limited for all recipients together', async () => {
    const handles = ['bob', 'carol', 'dave', 'erin'];
    expect(await issued(80, (i) => ask('192.0.2.3', handles[i % 4] as string))).toBe(60);
  });

  it('all addresses together are limited for one recipient', async () => {
    expect(await issued(160, (i) => ask(`198.51.100.${i}`, 'ann'))).toBeLessThan(120);
  });
});
