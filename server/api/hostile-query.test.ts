import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';

const cursor = (time: string) => Buffer.from(`${time} 00000000-0000-4000-8000-000000000000`).toString('base64url');
/** Times that `Date` can parse but PostgreSQL can't. */
const FAR = [
  '+010000-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
];

describe('queries that the database can’t execute', () => {
  const { app } = useService();
  let alice: Session;
  let shop: TestApplication;

  beforeAll(async () => {
    alice = await register(app, createTestWallet(), 'alice');
    shop = await registerApplication(app, alice);
  });

  const codeOf = async (path: string) => {
    const { status, body } = await app.get(path, bearer(alice));
    return [status, body.error?.code ?? body.errors?.[0]?.code];
  };

  it.each(['/api/v2/payments', '/api/v2/me/payments'])('%s rejects them as invalid requests', async (path) => {
    expect(await codeOf(`${path}?cursor=${cursor('2025-01-01T00:00:00.000Z')}`)).toEqual([200, undefined]);
    for (const time of FAR)
      expect(await codeOf(`${path}?cursor=${cursor(time)}`), time).toEqual([400, 'invalid-request']);
    expect(await codeOf(`${path}?buttonId=a%00b`)).toEqual([400, 'invalid-request']);
  });

  it('an error names each parameter once, even with several problems', async () => {
    const { body } = await app.get(`/api/v1/users/${alice.user.id}/assets?page[number]=x&foo=1`, bearer(alice));
    expect(body.errors[0].detail).toBe('These parameters are unknown, repeated or out of range: page[number], foo.');
  });

  it('version 1 of the API rejects them as invalid requests', async () => {
    for (const path of ['/api/v1/payments', `/api/v1/users/${alice.user.id}/payments`]) {
      expect(await codeOf(`${path}?filter[button-id]=a%00b`), path).toEqual([400, 'invalid-request']);
      expect(await codeOf(`${path}?filter[button-id]=a%20b`), path).toEqual([200, undefined]);
    }
  });

  it('the webhook log rejects them as invalid requests', async () => {
    const events = `/api/v2/me/applications/${shop.id}/webhook-events`;
    expect(await codeOf(`${events}?cursor=1735689600000_msg_a`)).toEqual([200, undefined]);
    expect(await codeOf(`${events}?limit=100`)).toEqual([200, undefined]);
    for (const query of [
      'cursor=999999999999999_msg_a',
      'limit=101',
      'limit=1&limit=2',
      'limit=01',
      'type=webhook.test',
    ])
      expect(await codeOf(`${events}?${query}`), query).toEqual([400, 'invalid-request']);
  });
});
