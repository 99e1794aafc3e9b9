import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../protocol/http/api.ts';
import { publicProfileResponse } from '../../../protocol/http/paymail.ts';
import { testPng } from '../../../protocol/http/testing-picture.ts';
import { bearer, createTestWallet, register, signInOnPages } from '../../testing.ts';
import { useService } from '../../testing-service.ts';

const [RED, BLUE] = [testPng(64, 64, [200, 0, 0]), testPng(64, 64, [0, 0, 200])];

describe('a user’s picture', () => {
  const { app } = useService();
  const wallet = createTestWallet();
  let alice: Session;
  let pages: { Cookie: string; Origin: string };

  beforeAll(async () => {
    alice = await register(app, wallet, 'alice');
    pages = await signInOnPages(app, wallet);
  });

  const submit = async (path: string, fields: Record<string, string | Blob>, multipart = true) => {
    const [, token = ''] = /name="form-token" value="([0-9a-f]+)"/.exec((await app.get('/account', pages)).body) ?? [];
    const form = multipart ? new FormData() : new URLSearchParams();
    for (const [name, value] of Object.entries({ ...fields, 'form-token': token })) form.set(name, value as string);
    const answer = await fetch(app.url + path, { method: 'POST', body: form, redirect: 'manual', headers: pages });
    return { status: answer.status, body: await answer.text() };
  };
  const upload = (file: Uint8Array) => submit('/account/picture', { picture: new Blob([new Uint8Array(file)]) });
  const named = async () =>
    publicProfileResponse.parse((await app.get(`/bsvalias/public-profile/${alice.user.paymail}`)).body).avatar;
  const sent = async (url: string) => {
    const answer = await fetch(url.replace(app.baseUrl, app.url));
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const nameAnother = (avatarUrl: string | null) => app.send('PATCH', '/api/v2/me', { avatarUrl }, bearer(alice));

  it('has its URL in the paymail’s profile, and is served by this service until another one replaces it', async () => {
    expect((await upload(RED)).status).toBe(303);
    const first = (await named()) ?? '';
    expect(first).toMatch(new RegExp(`^${app.baseUrl}/profile-pictures/${alice.user.id}/[0-9a-f]{64}$`));
    expect((await app.get('/account', pages)).body).toContain(new URL(first).pathname);
    const { answer, bytes } = await sent(first);
    expect(bytes.equals(RED)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect((await upload(BLUE)).status).toBe(303);
    expect(await named()).not.toBe(first);
    expect((await sent(first)).answer.status).toBe(404);
    expect((await sent((await named()) ?? '')).bytes.equals(BLUE)).toBe(true);
  });

  it('must be a small PNG or JPEG', async () => {
    const before = await named();
    for (const file of [Buffer.from('<svg/>'), testPng(2000, 20, [1, 2, 3]), new Uint8Array()]) {
      const { status, body } = await upload(file);
      expect([status, body.includes('id="picture-problem"')]).toEqual([400, true]);
    }
    expect(await named()).toBe(before);
  });

  it('can be removed, and is replaced by an external one', async () => {
    await upload(RED);
    const uploaded = (await named()) ?? '';
    // Sending back the profile with the uploaded picture's URL changes nothing.
    await nameAnother(uploaded.replace('http:', 'https:'));
    expect(await named()).toBe(uploaded);
    await nameAnother('https://pictures.example/a.png');
    expect(await named()).toBe('https://pictures.example/a.png');
    expect((await sent(uploaded)).answer.status).toBe(404);
    expect((await app.get('/account', pages)).body).toContain('Your picture is at https://pictures.example/a.png');
    expect((await submit('/account/picture/remove', {}, false)).status).toBe(303);
    expect(await named()).toBe(`${app.baseUrl}/assets/avatar.svg`);
  });
});
