import { describe, expect, it } from 'vitest';
import { useService } from '../testing-service.ts';

describe('a rate-limited request to the paymail host', () => {
  const { app } = useService();

  it('allows scripts of any site to read Retry-After', async () => {
    const ask = () => app.post('/bsvalias/p2p-payment-destination/bob@pay.example', {});
    const answers = await Promise.all(Array.from({ length: 601 }, ask));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe('Retry-After');
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  });
});
