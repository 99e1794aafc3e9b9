// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../protocol/catalog.ts';
import { USER_SCOPES } from '../identity/scopes.ts';
import { html } from './html.ts';
import { fillPageText, scriptJson, type Link, type PageText } from './page-text.ts';
import { SITE_TEXTS } from './texts.ts';

interface Read {
  by: PageText<{ name: string }>;
  see: PageText<{ link: Link }>;
  several: PageText<{ names: string }>;
  plain: string;
}

const read = (language: string) =>
  readTexts(
    { by: 'By {name} & others', see: 'See <link>the shop</link>.', several: 'All: {names}', plain: 'A & B' },
    { language, locale: () => language, product: 'Shop' },
    fillPageText,
  ) as Read;

describe('page texts', () => {
  const t = read('en');

  it('a text with plain values is plain text, and the page escapes it', () => {
    expect([t.plain, t.by({ name: '<b>' })]).toEqual(['A & B', 'By <b> & others']);
    expect(html`${t.by({ name: '<b>' })}`.toString()).toBe('By &lt;b&gt; &amp; others');
  });

  it('a text with an HTML value is HTML, and everything else in it is escaped', () => {
    expect(t.by({ name: html`<b>${'<Ada>'}</b>` }).toString()).toBe('By <b>&lt;Ada&gt;</b> &amp; others');
    expect(t.several({ names: [html`<i>1</i>`, html`<i>2</i>`] }).toString()).toBe('All: <i>1</i><i>2</i>');
  });

  it('a text can turn a part of itself into a link', () => {
    expect(t.see({ link: (text) => html`<a href="/shop">${text}</a>` }).toString()).toBe(
      'See <a href="/shop">the shop</a>.',
    );
  });

  it('values are isolated in right-to-left languages', () => {
    const ar = read('ar');
    expect(ar.by({ name: 'Ada' })).toBe('By \u2068Ada\u2069 & others');
    expect(ar.by({ name: html`<b>Ada</b>` }).toString()).toBe('By \u2068<b>Ada</b>\u2069 &amp; others');
  });

  it('texts for a script keep their placeholders, and the script fills them in', () => {
    expect(JSON.parse(scriptJson({ by: t.by, plain: [t.plain] }))).toEqual({
      by: 'By {name} & others',
      plain: ['A & B'],
    });
  });
});

it('the English texts of scopes are those of the API', () => {
  for (const [scope, { may }] of Object.entries(SITE_TEXTS.en.consent.scopes)) {
    const known = scope as keyof typeof USER_SCOPES;
    const words = USER_SCOPES[known];
    expect(may).toBe(words.charAt(0).toUpperCase() + words.slice(1));
    expect(SITE_TEXTS.en.applications.one.scopes[known]).toBe(
      `can ${words.replace(/\byour\b/g, 'their').replace(/\byou\b/g, 'them')}`,
    );
  }
  expect(Object.keys(SITE_TEXTS.en.consent.scopes)).toEqual(Object.keys(USER_SCOPES));
});
