import { beforeAll, describe, expect, it } from 'vitest';
import { paymentDestinationMessage } from '../../protocol/http/paymail.ts';
import { createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';

describe('destinations', () => {
  // A tenth of the normal limits: 60 per address, 120 per recipient, 20 per address and recipient.
  const { app } = useService({ trustedProxies: 'loopback', rateLimits: '0.1' });
  const sender = createTestWallet();
  beforeAll(async () => {
    for (const handle of ['ann', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace'])
      await register(app, createTestWallet(), handle);
    await register(app, sender, 'sender');
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

  describe('addresses issued by basic address resolution', () => {
    const askSigned = (address: string, handle: string) => {
      const request = { senderHandle: 'sender@localhost', dt: new Date(app.clock.ms).toISOString() };
      const signature = sender.sign(paymentDestinationMessage(request));
      return ask(address, handle, 'address', { ...request, signature });
    };

    it('one address is limited for one recipient, even if the sender signs the requests', async () => {
      expect(await issued(30, () => askSigned('192.0.2.4', 'frank'))).toBe(20);
      expect(await ask('192.0.2.4', 'frank')).toBe(429);
      expect(await askSigned('192.0.2.5', 'frank')).toBe(200);
    });

    it('all addresses together are limited for one recipient, even if the sender signs the requests', async () => {
      expect(await issued(160, (i) => askSigned(`203.0.113.${i}`, 'frank'))).toBeLessThan(120);
    });

    it('requests count before the sender is verified, so few of them reach the sender’s host', async () => {
      const request = { senderHandle: 'sender@localhost', dt: new Date(app.clock.ms).toISOString() };
      const statuses: number[] = [];
      for (let i = 0; i < 25; i += 1) statuses.push(await ask('192.0.2.6', 'grace', 'address', request));
      expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
    });
  });
});
