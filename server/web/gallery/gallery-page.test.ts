import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE_TEXTS } from '../../page/texts.ts';
import { manifestOf } from '../button-build.ts';
import * as shown from './examples.ts';
import { PICTURE_NAMES, PICTURES_FOLDER } from './pictures.ts';
import { PROPERTIES, STATES } from './reference.ts';
import { useService } from '../../testing-service.ts';

const source = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const TEXTS = SITE_TEXTS.en.gallery.examples;
const explained = [...shown.SIZES, ...shown.LOOKS, shown.PARTS_EXAMPLE, ...shown.THEMES, ...shown.KINDS];
let dist: string;
let page: string;

beforeAll(async () => void (dist = await mkdtemp(join(tmpdir(), 'gallery-'))));
afterAll(() => rm(dist, { recursive: true }));
const { app } = useService(() => ({ distDirectory: dist, dataDirectory: dist }));
beforeAll(async () => void (page = (await app.get('/gallery')).body));

describe('the gallery', () => {
  it('contains no inline code, and all its files exist', async () => {
    expect(page).toMatch(/^<!DOCTYPE html>/);
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/undefined|\[object/);
    const files = [...page.matchAll(/(?:src|srcset|href)="(\/(?:assets|look|pictures)\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    expect(files.length).toBeGreaterThan(2 * PICTURE_NAMES.length);
    for (const file of files) expect((await app.get(file)).status, file).toBe(200);
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });

  it('can be reached from the first page and every header', async () => {
    for (const path of ['/', '/shop', '/nothing-here'])
      expect((await app.get(path)).body, path).toContain('href="/gallery"');
  });

  it('contains only demos, which send no requests', () => {
    const buttons = page.match(/<div class="service-button[^>]*>/g) ?? [];
    expect(buttons).toHaveLength(explained.length + shown.LANGUAGES.length);
    for (const button of buttons) expect(button).toContain('data-dev-mode="true"');
  });

  it('shows the code of each button, and the rules that style it', () => {
    const css = source('server/web/assets/gallery.css');
    const escaped = (text: string) =>
      text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;');
    for (const example of explained) {
      expect(page, example.id).toContain(`<code>${escaped(shown.codeOf(example, TEXTS))}</code>`);
      if (!example.css) continue;
      expect(page).toContain(`<code>${escaped(example.css)}</code>`);
      expect(css).toContain(`\n${example.css}\n`);
    }
    expect(page).not.toContain('data-dev-mode=&quot;');
  });

  it('shows a picture of every state in both themes, with dimensions', () => {
    expect(STATES.map(({ picture }) => picture).toSorted()).toEqual(PICTURE_NAMES.toSorted());
    for (const name of PICTURE_NAMES) {
      for (const theme of ['light', 'dark'])
        expect(
          existsSync(join(PICTURES_FOLDER, `${name}-${theme}.png`)),
          `${name}-${theme}: run scripts/pictures.ts`,
        ).toBe(true);
    }
    expect(page).toMatch(/<img src="\/pictures\/ready-light\.png" width="332" height="80"/);
  });

  it('serves only the pictures in their folder', async () => {
    for (const path of [
      '/pictures/',
      '/pictures/..%2fshop-paid.png',
      '/pictures/%2e%2e/shop-paid.png',
      '/pictures/..%2f..%2f..%2fpackage.json',
      '/pictures/x.png',
    ]) {
      expect((await app.get(path)).status, path).toBe(404);
    }
    expect((await app.get('/pictures/ready-dark.png')).headers.get('content-type')).toBe('image/png');
  });

  it('explains how to pin the current build, if there is one', async () => {
    expect(page).toContain('The button hasn’t been built yet.');
    const files = new Map([['button.js', Buffer.from('void 0;')]]);
    const manifest = manifestOf('1.2.0', files);
    for (const [name, bytes] of files) await writeFile(join(dist, name), bytes);
    await writeFile(join(dist, 'button.json'), JSON.stringify(manifest));
    const { body } = await app.get('/gallery');
    expect(body).toContain(`integrity=&quot;${manifest.integrity}&quot;`);
    expect(body).toContain(`${manifest.path}&quot;`);
  });
});

describe('the gallery’s reference', () => {
  it('lists every custom property that the button reads, with its default colors', () => {
    const css = source('page-script/button/button.css');
    expect(PROPERTIES.map(({ name }) => name).toSorted()).toEqual([...new Set(css.match(/--sb-[a-z-]+/g))].toSorted());
    for (const { name, initial } of PROPERTIES) {
      const [, light, dark] = /^(#\w+) \/ (#\w+)$/.exec(initial) ?? [];
      if (light) expect(css).toContain(`var(${name}, light-dark(${light}, ${dark}))`);
    }
  });
});
