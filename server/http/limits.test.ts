import { describe, expect, it } from 'vitest';
import { createTestWallet } from '../testing.ts';
import { LIMITS, limitOf } from './limits.ts';
import { useService } from '../testing-service.ts';

describe('the limit for a request', () => {
  it.each([
    ['POST', '/api/v2/sign-in/challenges', 'sign-in'],
    ['POST', '/API/v2/Sign-In', 'sign-in'],
    ['POST', '/api/v2/users', 'sign-in'],
    ['GET', '/api/v2/handles/alice', 'handles'],
    ['GET', '/api/v2/users/1001/paymail', 'handles'],
    ['POST', '/oauth/v1/token', 'oauth'],
    ['GET', '/oauth/v1/authorize', 'oauth'],
    ['GET', '/api/v1/auth/user_identity', 'api-read'],
    ['POST', '/api/v2/payments', 'api-write'],
    ['PATCH', '/api/v2/me', 'api-write'],
    ['DELETE', '/api/v2/me/applications/1', 'api-write'],
    ['POST', '/api/v2/network/callbacks/arc', 'api-read'],
    ['POST', '/account', 'forms'],
    ['GET', '/bsvalias/id/bob@localhost', 'paymail-read'],
    ['OPTIONS', '/bsvalias/id/bob@localhost', 'paymail-read'],
    ['POST', '/bsvalias/p2p-payment-destination/bob@localhost', 'paymail'],
    ['GET', '/.well-known/bsvalias', null],
    ['GET', '/healthz', null],
    ['GET', '/readyz', null],
    ['GET', '/metrics', null],
    ['GET', '/button.js', null],
    ['GET', '/assets/pages.css', null],
    ['GET', '/', null],
    ['POST', '/devnet/faucet', null],
  ] as const)('%s %s counts toward %s', (method, path, name) => expect(limitOf(method, path)).toBe(name));

  describe('the service’s limits', () => {
    const { app } = useService({ rateLimits: '0.01' });

    it('count requests, and produce errors in the format of the called API', async () => {
      const last = async (count: number, ask: () => Promise<{ status: number; body: any; headers: Headers }>) => {
        for (let i = 0; i < count; i += 1) expect((await ask()).status).not.toBe(429);
        return ask();
      };
      const signIn = await last(LIMITS['sign-in'].burst / 100, () =>
        app.post('/api/v2/sign-in/challenges', { publicKey: createTestWallet().publicKey }),
      );
      expect([signIn.status, signIn.headers.get('retry-after'), signIn.body.error.code]).toEqual([
        429,
        '20',
        'too-many-requests',
      ]);
      const token = await last(LIMITS.oauth.burst / 100, () =>
        app.send('POST', '/oauth/v1/token', new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' })),
      );
      expect([token.status, token.body.error]).toEqual([429, 'too_many_requests']);
      const read = await last(LIMITS['api-read'].burst / 100, () => app.get('/api/v1/auth/user_identity'));
      expect([read.status, read.headers.get('content-type'), read.body.errors[0].code]).toEqual([
        429,
        'application/vnd.api+json',
        'too-many-requests',
      ]);
      for (const path of ['/healthz', '/', '/look/tokens.css'])
        for (let i = 0; i < 20; i += 1) expect((await app.get(path)).status).toBe(200);
    });
  });
});
