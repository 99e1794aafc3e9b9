import { describe, expect, it } from 'vitest';
import { SITE_TEXTS } from '../page/texts.ts';
import { usePages } from './testing-pages.ts';

const { app, paths, pages } = usePages();

/** Returns a page's text, including attributes. Skips parts marked as English, and users' and programs' names. */
function textsOf(body: string): string[] {
  const own = body
    .replace(/^[^]*?<body>/, '')
    .replaceAll(/<(\w+)[^>]* lang="en"[^>]*>[^]*?<\/\1>/g, '')
    .replaceAll(/<(bdi|code|pre|time|title|textarea)\b[^>]*>[^]*?<\/\1>/g, '')
    .replaceAll(/<(\w+)[^>]*class="[^"]*\bmono\b[^"]*"[^>]*>[^]*?<\/\1>/g, '');
  const said = [...own.matchAll(/ (?:aria-label|title|alt|placeholder|data-label|data-success-message)="([^"]+)"/g)];
  return [...said.map(([, text = '']) => text), ...own.split(/<[^>]*>/)].map((text) => text.trim()).filter(Boolean);
}

/** Returns all English page text that differs from its Japanese translation. */
function english(en: unknown, ja: unknown): string[] {
  if (typeof en === 'string') return en === ja ? [] : [en];
  if (typeof en !== 'object' || en === null) return [];
  return Object.entries(en).flatMap(([key, one]) => english(one, (ja as Record<string, unknown>)[key]));
}

const ENGLISH = new Set(english(SITE_TEXTS.en, SITE_TEXTS.ja));
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('"', '&quot;');

describe('every page', () => {
  const get = (path: string, language: string) =>
    app.send('GET', path, undefined, { ...pages, 'accept-language': language, accept: 'text/html' });

  it('contains no English text if another language is preferred', async () => {
    const left: string[] = [];
    for (const path of paths) {
      const { status, body, headers } = await get(path, 'ja');
      expect([status, headers.get('content-language'), headers.get('vary')], path).toEqual([
        path.endsWith('/nothing') ? 404 : 200,
        'ja',
        expect.stringContaining('Accept-Language'),
      ]);
      for (const text of textsOf(body))
        if (ENGLISH.has(text) || /[a-z]{2,}(?:,? [a-z]{2,}){2}/.test(text)) left.push(`${path}: ${text}`);
    }
    expect(left).toEqual([]);
  });

  it('uses the browser’s preferred language, for each of the languages', async () => {
    for (const [code, t] of Object.entries(SITE_TEXTS)) {
      const titles = {
        '/account': t.account.overview.title,
        '/gallery': t.gallery.title,
        '/api/reference': t.reference.title,
      };
      for (const [path, title] of Object.entries(titles)) {
        const { body, headers } = await get(path, `tlh, ${code}-XX;q=0.8, en;q=0.1`);
        expect([path, headers.get('content-language')]).toEqual([path, code]);
        expect(body).toContain(escaped(title));
        expect(body).toContain(code === 'ar' ? '<html lang="ar" dir="rtl">' : `<html lang="${code}">`);
        expect(body).not.toMatch(/undefined|\[object/);
      }
    }
  });

  it('translates a form’s problems and the notice that it has expired', async () => {
    const { body } = await get('/account/applications/new', 'de');
    const token = /name="form-token" value="([0-9a-f]{64})"/.exec(body)?.[1] ?? '';
    const submit = (fields: Record<string, string>) =>
      app.send('POST', '/account/applications', new URLSearchParams(fields), {
        ...pages,
        'accept-language': 'de',
        accept: 'text/html',
      });
    const refused = await submit({ 'form-token': token, name: 'Shop', url: 'http://shop.example' });
    const { problems, form } = SITE_TEXTS.de.account;
    expect(refused.body).toContain(form.nothingSaved);
    expect(refused.body).toContain(
      problems[
        'The site must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.'
      ],
    );
    const expired = await submit({ 'form-token': '0'.repeat(64), name: 'Shop', url: 'https://shop.example' });
    expect([expired.status, expired.headers.get('content-language')]).toEqual([403, 'de']);
    expect(expired.body).toContain(SITE_TEXTS.de.errors.forbidden.title);
  });
});
