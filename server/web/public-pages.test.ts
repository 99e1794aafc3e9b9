import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scriptJson } from '../page/page-text.ts';
import { SITE_TEXTS } from '../page/texts.ts';
import { useService } from '../testing-service.ts';

const { app } = useService();

/** User agents that get different text on the home page. */
const AGENTS = [
  'Mozilla/5.0 Chrome/140.0 Safari/537.36',
  'Mozilla/5.0 Chrome/140.0 Safari/537.36 Edg/140.0',
  'Mozilla/5.0 Firefox/140.0',
  'Mozilla/5.0 (iPhone) Mobile Safari/604.1',
  'Mozilla/5.0 Version/17 Safari/605.1',
  '',
];
const escaped = (text: string) => text.replaceAll("'", '&#39;').replaceAll('"', '&quot;');

describe.each(Object.entries(SITE_TEXTS))('the public pages in %s', (code, t) => {
  const get = (path: string, agent = '') =>
    app.get(path, { 'accept-language': `tlh, ${code}-XX;q=0.8, en;q=0.1`, 'user-agent': agent });

  it('use and declare that language, and vary by it in caches', async () => {
    const { body, headers } = await get('/');
    expect(body).toMatch(code === 'ar' ? '<html lang="ar" dir="rtl">' : `<html lang="${code}">`);
    expect(headers.get('content-language')).toBe(code);
    expect(headers.get('vary')).toContain('Accept-Language');
    for (const text of [t.landing.title, t.landing.lead, t.frame.signIn, t.frame.toDark, t.landing.custody]) {
      expect(body).toContain(escaped(text));
    }
    expect(body).toContain('href="/gallery"');
  });

  it('explain how to get the wallet in every browser', async () => {
    const pages = (await Promise.all(AGENTS.map((agent) => get('/', agent)))).map(({ body }) => body).join('\n');
    const { edgeStores, upToDate, withoutStore, ...everywhere } = t.wallet;
    expect([edgeStores, upToDate, withoutStore].every(Boolean)).toBe(true);
    for (const text of Object.values(everywhere)) if (typeof text === 'string') expect(pages).toContain(escaped(text));
    expect(pages).toContain('chrome://extensions');
    expect(pages).not.toContain('[object');
  });

  it('contain the sign-in page’s texts and those of its script', async () => {
    for (const landing of ['login', 'register'] as const) {
      const { body, headers } = await get(`/sign-in?landing=${landing}&return=%2Faccount`);
      expect(headers.get('content-language')).toBe(code);
      const { signIn } = t;
      for (const text of landing === 'login'
        ? [signIn.title, signIn.lead, signIn.window, signIn.withWallet, signIn.createOne]
        : [signIn.titleRegister, signIn.leadRegister, signIn.handle, signIn.nameHint, signIn.createWithWallet])
        expect(body).toContain(escaped(text));
      const texts = /data-texts="([^"]*)"/.exec(body)?.[1]?.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
      expect(JSON.parse(texts ?? '')).toEqual(
        JSON.parse(scriptJson({ ...signIn.script, handleHint: signIn.handleHint })),
      );
    }
  });

  it('contain the texts of the shop’s items', async () => {
    const { body, headers } = await get('/shop');
    expect([headers.get('content-language'), headers.get('vary')]).toEqual([
      code,
      expect.stringContaining('Accept-Language'),
    ]);
    for (const { name, text, label } of Object.values(t.shop.items))
      for (const words of [name, text, label]) expect(body).toContain(escaped(words));
  });

  it('explain a missing page and an invalid link', async () => {
    const missing = await get('/nothing-here');
    expect([missing.status, missing.headers.get('content-language')]).toEqual([404, code]);
    expect(missing.body).toContain(escaped(t.notFound.lead));
    const wrong = await get('/oauth/v1/authorize?client_id=nobody');
    expect(wrong.status).toBe(400);
    expect(wrong.body).toContain(escaped(t.refusal.reasons['unknown-application']));
    expect(wrong.body).toContain('redirect_uri');
  });
});

it('the API reference explains that its descriptions are in English, and declares their language', async () => {
  const { body } = await app.get('/api/reference', { 'accept-language': 'ar' });
  expect(body).toContain(escaped(SITE_TEXTS.ar.reference.inEnglish));
  expect(body.match(/ lang="en" dir="ltr"/g)?.length).toBeGreaterThan(50);
  expect((await app.get('/api/reference')).body).not.toContain('<p class="muted"></p>');
});

it('the public pages have the wallet’s logo', async () => {
  const source = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(source('server/web/assets/mark.svg')).toBe(source('extension/icons/icon.svg'));
  const [, shape = ''] =
    /<path\s+d="([^"]+)"/.exec(source('extension/ui/controls/icons.tsx').split('function Mark(')[1] ?? '') ?? [];
  expect(shape).not.toBe('');
  expect((await app.get('/')).body).toContain(`<path d="${shape}"`);
});
