import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../testing.ts';
import { openPostgres, type OpenDatabase } from './connect.ts';

let database: OpenDatabase;
let app: TestApp;

async function startWithout(url: string): Promise<void> {
  database = await openPostgres(url);
  app = await startTestApp(database);
}

afterEach(async () => {
  await app.close();
  await database.close();
});

async function expectUnavailable(): Promise<void> {
  const me = await app.get('/api/v2/me', { Authorization: `Bearer ${'a'.repeat(43)}` });
  expect([me.status, me.body.error.code, me.headers.get('retry-after')]).toEqual([503, 'service-unavailable', '5']);
  const token = await app.send('POST', '/oauth/v1/token', new URLSearchParams({ grant_type: 'refresh_token' }));
  expect([token.status, token.headers.get('retry-after')]).toEqual([503, '5']);
  const page = await app.get(`/oauth/v1/authorize?response_type=code&client_id=${'a'.repeat(24)}`, {
    Accept: 'text/html',
  });
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
}

it('answers 503 if the database refuses connections', async () => {
  await startWithout('postgresql://service@127.0.0.1:1/none');
  await expectUnavailable();
});

it('answers 503 if the database ends connections', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await startWithout(`postgresql://service@127.0.0.1:${(server.address() as AddressInfo).port}/none`);
    await expectUnavailable();
  } finally {
    server.close();
  }
});
