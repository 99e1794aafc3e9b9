/** Tests the documentation as listed in docs/README.md and as shown by the service. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../../server/testing-service.ts';
import type { Docs } from '../../server/web/docs/docs-build.ts';
import { buildDocs, readContents, renderDocs } from './build-docs.ts';
import { renderMarkdown } from './markdown.ts';

describe('a rendered document', () => {
  const rendered = (markdown: string) =>
    renderMarkdown('docs/one.md', markdown, (path) => (path === 'docs/two.md' ? { address: '/docs/two' } : null));

  test('shows HTML of the source as text', () => {
    const { html } = rendered('# A\n\nBefore <img src=x onerror=alert(1)> after\n\n<script>alert(1)</script>\n');
    expect(html).not.toMatch(/<(?:img|script)/);
    expect(html).toContain('&lt;script&gt;');
  });

  test('escapes column names in attributes', () => {
    const { html } = rendered('| a"b | <i>c |\n| --- | --- |\n| d | e |\n');
    expect([...html.matchAll(/data-head="([^"]*)">/g)].map(([, name]) => name)).toEqual(['a&quot;b', '&lt;i&gt;c']);
  });

  test('links to pages, and shows other files as text', () => {
    const { html } = rendered('[a](two.md#x) [b](../../server/main.ts) [c](javascript:alert) [d](https://example.com)');
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/docs/two#x',
      'https://example.com',
    ]);
  });

  test('numbers the anchors of equal headings as GitHub does', () => {
    const { headings } = rendered('# T\n\n## A `b` c\n\n## A b c\n');
    expect(headings.map(({ id }) => id)).toEqual(['a-b-c', 'a-b-c-1']);
  });
});

describe('the documentation', () => {
  let docs: Docs;
  beforeAll(async () => {
    docs = await renderDocs();
  });

  test('lists each document once', async () => {
    const listed = (await readContents()).flatMap(({ pages }) => pages.map(({ path }) => path));
    const files = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => `docs/${name.replaceAll('\\', '/')}`);
    expect(listed.filter((path) => path.startsWith('docs/')).toSorted()).toEqual(files.toSorted());
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('links only to pages and anchors that exist', () => {
    const pages = docs.sections.flatMap((section) => section.pages);
    const anchors = new Set(
      pages.flatMap(({ slug, html }) => [
        `/docs/${slug}`,
        ...[...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `/docs/${slug}#${id}`),
      ]),
    );
    anchors.add('/docs');
    const broken = pages.flatMap(({ slug, html }) =>
      [...html.matchAll(/ href="([#/][^"]*)"/g)]
        .map(([, href = '']) => (href.startsWith('#') ? `/docs/${slug}${href}` : href))
        .filter((href) => !anchors.has(href))
        .map((href) => `${slug}: ${href}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('the service', () => {
  const directory = mkdtempSync(join(tmpdir(), 'docs-'));
  const { app } = useService({ distDirectory: directory });
  afterAll(() => rmSync(directory, { recursive: true }));

  // Requests the page before the build as well, because the service must not cache that response.
  beforeAll(async () => {
    expect((await app.get('/docs')).status).toBe(404);
    await buildDocs(directory);
  });

  test('shows the overview, pages and search results, all valid HTML', async () => {
    const validator = new HtmlValidate({ extends: ['html-validate:recommended'] });
    for (const path of ['/docs', '/docs/button', '/docs/architecture/payments', '/docs/search?q=allowance']) {
      const { status, body } = await app.get(path);
      expect(status, path).toBe(200);
      const { results } = await validator.validateString(body);
      expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId} ${message}`))).toEqual(
        [],
      );
    }
  });

  test.each([
    ['data-presets', '/docs/button'],
    ['verifyWebhook', '/docs/guides/webhooks'],
    ['gap limit', '/docs/'],
  ])('finds %s in %s', async (query, path) => {
    const { body } = await app.get(`/docs/search?q=${encodeURIComponent(query)}`);
    expect(body).toContain(`href="${path}`);
    expect(body).toContain('id="found"');
  });

  test.each(['/docs/none', '/docs/../package', '/docs/button/'])('answers 404 for %s', async (path) => {
    expect((await app.get(path)).status).toBe(404);
  });

  test('escapes a query', async () => {
    const { body } = await app.get(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(body).not.toContain('<script>alert');
  });
});
