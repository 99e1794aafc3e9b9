import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../protocol/http/api.ts';
import * as v1 from '../../../protocol/compat/api-v1.ts';
import * as v2 from '../../../protocol/http/api-v2.ts';
import { balanceMessage } from '../../../protocol/signed-messages/balance-message.ts';
import { balances, consents } from '../../database/schema.ts';
import { issueToken } from '../../identity/tokens.ts';
import {
  bearer,
  createTestWallet,
  register,
  registerApplication,
  startTestApp,
  type TestApplication,
} from '../../testing.ts';
import { deleteUnwantedBalances } from '../../balances/store.ts';
import { useService } from '../../testing-service.ts';

describe('balances', () => {
  const { app, database } = useService();
  let alice: Session;
  let bob: Session;
  let application: TestApplication;
  const [wallet, bobWallet] = [createTestWallet(), createTestWallet()];

  beforeAll(async () => {
    [alice, bob] = [await register(app, wallet, 'alice'), await register(app, bobWallet, 'bob')];
    application = await registerApplication(app, bob);
  });
  beforeEach(async () => {
    await database.db.delete(balances);
    await database.db.delete(consents);
  });

  const now = () => new Date(app.clock.ms);
  const consent = (scope = 'users.balance:read') =>
    database.db
      .insert(consents)
      .values({ userId: Number(alice.user.id), applicationId: application.id, scope, grantedAt: now() });
  const said = (
    satoshis: string,
    { time = now().toISOString(), origin = app.baseUrl, userId = alice.user.id, by = wallet } = {},
  ) => ({ satoshis, time, signature: by.sign(balanceMessage({ origin, userId, satoshis, time })) });
  const put = (body: unknown, session = alice) => app.send('PUT', '/api/v2/me/balance', body, bearer(session));
  const token = async () => ({
    Authorization: `Bearer ${await issueToken(database.db, 'user', { userId: Number(alice.user.id), applicationId: application.id, scopes: ['users.balance:read'] }, now())}`,
  });
  const codeOf = (answer: { status: number; body: any }) => [
    answer.status,
    answer.body.error?.code ?? answer.body.errors?.[0]?.code,
  ];

  it('returns a balance as published, with the wallet’s signature', async () => {
    await consent();
    const publication = said('150000000');
    expect((await put(publication)).body).toEqual({ wanted: true, assets: false });
    const inV2 = await app.get('/api/v2/me/balances', await token());
    expect(v2.balancesResponse.parse(inV2.body)).toEqual({
      balances: [
        { currency: 'BSV', amount: '1.5', satoshis: '150000000' },
        { currency: 'USD', amount: '75.00', satoshis: '150000000' },
      ],
      published: {
        ...publication,
        publicKey: wallet.publicKey,
        message: balanceMessage({
          origin: app.baseUrl,
          userId: alice.user.id,
          satoshis: '150000000',
          time: publication.time,
        }),
      },
    });
    const inV1 = await app.get(`/api/v1/users/${alice.user.id}/balance`, await token());
    expect(v1.balanceDocument.parse(inV1.body)).toEqual({
      data: {
        id: alice.user.id,
        type: 'amounts',
        attributes: { amount: '75.00', currency: 'USD', satoshis: '150000000', 'published-at': publication.time },
      },
      jsonapi: { version: '1.0' },
    });
  });

  it('responds 404 until the wallet publishes a balance', async () => {
    await consent();
    for (const path of ['/api/v2/me/balances', `/api/v1/users/${alice.user.id}/balance`])
      expect(codeOf(await app.get(path, await token()))).toEqual([404, 'not-found']);
  });

  it('a balance is in BSV if there is no rate', async () => {
    const mainnet = await startTestApp(database, { network: 'mainnet', ratesUrl: 'http://127.0.0.1:1' });
    await consent();
    await put(said('150000000'));
    const headers = await token();
    expect((await mainnet.get(`/api/v1/users/${alice.user.id}/balance`, headers)).body.data.attributes).toMatchObject({
      amount: '1.5',
      currency: 'BSV',
    });
    expect((await mainnet.get('/api/v2/me/balances', headers)).body.balances).toEqual([
      { currency: 'BSV', amount: '1.5', satoshis: '150000000' },
    ]);
    await mainnet.close();
  });

  it('the service requests and stores balances only while an application may read them', async () => {
    const wanted = async (session = alice) => (await app.get('/api/v2/me/balance-wanted', bearer(session))).body;
    expect(await wanted()).toEqual({ wanted: false, assets: false });
    await consent('payments:read');
    expect(await wanted()).toEqual({ wanted: false, assets: false });
    expect((await put(said('5'))).body).toEqual({ wanted: false, assets: false });
    expect(await database.db.select().from(balances)).toEqual([]);
    await consent();
    expect([await wanted(), await wanted(bob)]).toEqual([
      { wanted: true, assets: false },
      { wanted: false, assets: false },
    ]);
    await put(said('5'));
    await deleteUnwantedBalances(database.db);
    expect(await database.db.select().from(balances)).toHaveLength(1);
    await database.db.delete(consents);
    await deleteUnwantedBalances(database.db);
    expect(await database.db.select().from(balances)).toEqual([]);
  });

  it('rejects a wallet, service, user, amount or time that differs from the signed one', async () => {
    await consent();
    const bad: [string, unknown, string][] = [
      ['another wallet', said('5', { by: bobWallet }), 'invalid-signature'],
      ['another service', said('5', { origin: 'https://evil.example' }), 'invalid-signature'],
      ['another user', said('5', { userId: bob.user.id }), 'invalid-signature'],
      ['more', { ...said('5'), satoshis: '50' }, 'invalid-signature'],
      ['later', { ...said('5'), time: new Date(app.clock.ms + 1).toISOString() }, 'invalid-signature'],
      ['long ago', said('5', { time: new Date(app.clock.ms - 600_001).toISOString() }), 'invalid-request'],
      ['long to come', said('5', { time: new Date(app.clock.ms + 600_001).toISOString() }), 'invalid-request'],
      ['no date', said('5', { time: '2025-02-30T00:00:00.000Z' }), 'invalid-request'],
      ['more than exists', said('2100000000000001'), 'invalid-request'],
      ['a negative number', said('-5'), 'invalid-request'],
      ['a leading zero', said('05'), 'invalid-request'],
      ['something more', { ...said('5'), more: 1 }, 'invalid-request'],
    ];
    for (const [name, body, code] of bad) expect(codeOf(await put(body))[1], name).toBe(code);
    expect(await database.db.select().from(balances)).toEqual([]);
  });

  it('an earlier balance never replaces a later one', async () => {
    await consent();
    const earlier = said('1');
    app.clock.ms += 1000;
    await put(said('2'));
    expect((await put(earlier)).status).toBe(200);
    expect((await app.get('/api/v2/me/balances', await token())).body.published.satoshis).toBe('2');
    app.clock.ms += 1000;
    await put(said('0'));
    expect((await app.get('/api/v2/me/balances', await token())).body.balances[0]).toEqual({
      currency: 'BSV',
      amount: '0',
      satoshis: '0',
    });
  });

  it('replaces a balance published while the clocks were ahead', async () => {
    await consent();
    app.clock.ms += 30 * 60_000;
    await put(said('1'));
    app.clock.ms -= 30 * 60_000;
    await put(said('2'));
    expect((await app.get('/api/v2/me/balances', await token())).body.published.satoshis).toBe('2');
  });
});
