import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, it } from 'vitest';
import { findServer } from '../../tooling/system.ts';
import { runNpmTool } from '../../testing/npm-tool.ts';
import { usePages } from './testing-pages.ts';

describe('every page’s HTML', () => {
  const { app, paths, pages, consent } = usePages();
  /** All pages as sent, by language and path, in English and a right-to-left language. */
  const all = new Map<string, string>();

  beforeAll(async () => {
    for (const language of ['en', 'ar']) {
      const asked = [...paths, consent()].map((path) => ({ path, cookie: pages.Cookie }));
      for (const { path, cookie } of [...asked, { path: '/sign-in', cookie: '' }]) {
        const headers = { ...pages, Cookie: cookie, 'accept-language': language, accept: 'text/html' };
        const { body } = await app.send('GET', path, undefined, headers);
        expect(body, path).toMatch(/^<!DOCTYPE html>/);
        all.set(`${language} ${path}`, body);
      }
    }
  });

  it('passes html-validate’s recommended rules', async () => {
    const validator = new HtmlValidate({ extends: ['html-validate:recommended'] });
    const found = new Map<string, string>();
    for (const [name, body] of all) {
      const { results } = await validator.validateString(body);
      for (const { ruleId, message, line, selector } of results.flatMap(({ messages }) => messages))
        found.set(`${ruleId}: ${message}`, `${name}:${line} ${selector}`);
    }
    expect(Object.fromEntries(found)).toEqual({});
  });

  it.skipIf(findServer('java') === null)('passes the Nu HTML checker', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'valid-html-'));
    const names = [...all.keys()].map((_, i) => `${i}.html`);
    for (const [i, body] of [...all.values()].entries()) await writeFile(join(folder, `${i}.html`), body);
    const said = await runNpmTool('vnu-jar@26.9.27', 'vnu', ['--format', 'json', '--stdout', ...names], folder);
    await rm(folder, { recursive: true });
    const { messages } = JSON.parse(said) as { messages: { url: string; message: string; extract: string }[] };
    const found = messages.map(({ url, message, extract }) => {
      const page = [...all.keys()][Number(/(\d+)\.html$/.exec(url)?.[1])];
      return `${page}: ${message} ${extract}`;
    });
    expect(found).toEqual([]);
  });
});
