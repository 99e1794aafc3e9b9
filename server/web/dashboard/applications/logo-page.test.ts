import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../../protocol/http/api.ts';
import { testPng } from '../../../../protocol/http/testing-picture.ts';
import { consents } from '../../../database/schema.ts';
import {
  createTestWallet,
  register,
  registerApplication,
  signInOnPages,
  type TestApplication,
} from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

type Pages = { Cookie: string; Origin: string };
const [RED, BLUE] = [testPng(64, 64, [200, 0, 0]), testPng(64, 64, [0, 0, 200])];

describe('an application’s logo', () => {
  const { app, database } = useService();
  const [aliceWallet, bobWallet] = [createTestWallet(), createTestWallet()];
  let alice: Session;
  let pages: Pages;
  let bobPages: Pages;
  let shop: TestApplication;
  let path: string;

  beforeAll(async () => {
    alice = await register(app, aliceWallet, 'alice');
    await register(app, bobWallet, 'bob');
    [pages, bobPages] = [await signInOnPages(app, aliceWallet), await signInOnPages(app, bobWallet)];
    shop = await registerApplication(app, alice);
    path = `/account/applications/${shop.id}`;
  });

  const show = (from: string, as = pages) => app.get(from, { Cookie: as.Cookie });
  const upload = async (file: Uint8Array | null, as = pages, headers: Record<string, string> = {}) => {
    const [, token = ''] = /name="form-token" value="([0-9a-f]+)"/.exec((await show('/account', as)).body) ?? [];
    const form = new FormData();
    form.set('form-token', token);
    if (file) form.set('logo', new Blob([new Uint8Array(file)]), 'logo.png');
    const answer = await fetch(`${app.url}${path}/logo`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { ...as, ...headers },
    });
    return { status: answer.status, body: await answer.text() };
  };
  const logoIn = (body: string) => /<img class="app-logo" src="([^"]+)" alt=""/.exec(body)?.[1] ?? null;

  it('appears wherever the application is named, served by this service, until another one replaces it', async () => {
    await database.db.insert(consents).values({
      userId: Number(alice.user.id),
      applicationId: shop.id,
      scope: 'payments:read',
      grantedAt: new Date(app.clock.ms),
    });
    const places = [path, '/account/applications', '/account/connected', `${path}/logo`];
    for (const place of places) expect(logoIn((await show(place)).body), place).toBeNull();
    expect((await upload(RED)).status).toBe(303);
    const first = logoIn((await show(path)).body) ?? '';
    expect(first).toMatch(new RegExp(`^/application-logos/${shop.id}/[0-9a-f]{64}$`));
    for (const place of places) expect(logoIn((await show(place)).body), place).toBe(first);
    const sent = await fetch(app.url + first);
    expect(Buffer.from(await sent.arrayBuffer()).equals(RED)).toBe(true);
    expect(Object.fromEntries(sent.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    await upload(BLUE);
    const second = logoIn((await show(path)).body) ?? '';
    expect([second === first, (await app.get(first)).status, (await app.get(second)).status]).toEqual([
      false,
      404,
      200,
    ]);
    const [, token = ''] = /name="form-token" value="([0-9a-f]+)"/.exec((await show('/account')).body) ?? [];
    const removed = await app.send('POST', `${path}/logo/remove`, new URLSearchParams({ 'form-token': token }), pages);
    expect([removed.status, (await app.get(second)).status, logoIn((await show(path)).body)]).toEqual([303, 404, null]);
    for (const wrong of ['/application-logos/x/y', `${second.slice(0, -1)}%00`])
      expect((await app.get(wrong)).status).toBe(404);
  });

  it('must be a small picture for the user’s application, sent from the service’s page', async () => {
    for (const [file, words] of [
      [null, 'Choose a picture first.'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'must be a PNG or JPEG'],
      [Buffer.concat([RED, Buffer.alloc(200_000)]), 'at most 200 kB'],
    ] as const) {
      const { status, body } = await upload(file);
      expect([status, body.includes(words), body.includes('id="logo-problem"')], words).toEqual([400, true, true]);
    }
    expect((await upload(Buffer.alloc(1_100_000))).status).toBe(413);
    expect((await upload(RED, bobPages)).status).toBe(404);
    expect((await upload(RED, pages, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await upload(RED, { ...bobPages, Cookie: pages.Cookie }, { 'Content-Encoding': 'gzip' })).status).toBe(400);
    const withoutToken = new FormData();
    withoutToken.set('logo', new Blob([new Uint8Array(RED)]), 'logo.png');
    for (const [body, type] of [
      [withoutToken, null],
      ['--x\r\n\r\n', 'multipart/form-data; boundary=x'],
      ['logo=1', 'application/x-www-form-urlencoded'],
    ] as const) {
      const headers = { ...pages, ...(type !== null && { 'Content-Type': type }) };
      const answer = await fetch(`${app.url}${path}/logo`, { method: 'POST', body, headers });
      expect([400, 403], String(type)).toContain(answer.status);
    }
    expect(logoIn((await show(path)).body)).toBeNull();
  });
});
