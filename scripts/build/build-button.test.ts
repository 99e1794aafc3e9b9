import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script, createContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBuild, type ButtonManifest } from '../../server/web/button-build.ts';
import { buildButton, languagePart } from './build-button.ts';

const LANGUAGES = new URL('../../page-script/languages/', import.meta.url);
let first: string;
let second: string;
let manifest: ButtonManifest;

const contents = async (folder: string) =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).sort().map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const),
    ),
  );

beforeAll(async () => {
  first = await mkdtemp(join(tmpdir(), 'build-'));
  second = await mkdtemp(join(tmpdir(), 'build-'));
  await writeFile(join(second, 'button.xx.js'), 'of a language that is no more');
  manifest = await buildButton(first);
  await buildButton(second);
});
afterAll(() => Promise.all([first, second].map((folder) => rm(folder, { recursive: true }))));

describe('the build of the button', () => {
  it('produces the same bytes for the same source, and removes all other files', async () => {
    expect(await contents(second)).toEqual(await contents(first));
  });

  it('contains parts for each language, the form, help, reading options, paying by phone and the element', async () => {
    const languages = (await readdir(LANGUAGES))
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length));
    expect(languages).toEqual(expect.arrayContaining(['ar', 'de', 'es', 'fr', 'ja', 'pt']));
    const loaded = [...languages, 'form', 'help', 'options', 'phone'].sort();
    expect(Object.keys(manifest.parts)).toEqual([...loaded, 'element'].sort());
    const script = await readFile(join(first, 'button.js'), 'utf8');
    expect(script.replaceAll(/["'`]/g, '')).toContain(`[${loaded.join(',')}]`);
  });

  it('consists of classic scripts, and each language provides its own texts', async () => {
    const { ENGLISH } = await import('../../page-script/text/texts.ts');
    for (const [file, source] of Object.entries(await contents(first))) {
      if (!file.endsWith('.js')) continue;
      const script = new Script(source, { filename: file });
      const [, language = ''] = /^button\.(..)\.js$/.exec(file) ?? [];
      if (!language) continue;
      const provided: [string, Record<string, unknown>][] = [];
      script.runInContext(
        createContext({
          serviceButton: { provide: (...given: [string, Record<string, unknown>]) => provided.push(given) },
        }),
      );
      expect(provided.map(([name]) => name)).toEqual([language]);
      expect(Object.keys(provided[0]?.[1] ?? {})).toEqual(expect.arrayContaining(Object.keys(ENGLISH)));
    }
  });

  it('states the license of third-party code at the beginning of each file that contains such code, and in no other file', async () => {
    const files = Object.entries(await contents(first)).filter(([file]) => file.endsWith('.js'));
    const named = files.map(([file, source]) => [
      file,
      [...source.matchAll(/^\/\*! Contains code of (.+):$/gm)].map(([, name]) => name),
    ]);
    expect(Object.fromEntries(named.filter(([, names]) => names?.length))).toEqual({ 'button.phone.js': ['lean-qr'] });
    expect(await readFile(join(first, 'button.phone.js'), 'utf8')).toMatch(
      /^\/\*! Contains code of lean-qr:\nMIT License[^]*Copyright \(c\)[^]*\*\//,
    );
  });

  it('the version is the hash of all bytes, as computed by sha256sum', async () => {
    const lines = Object.entries(await contents(first))
      .filter(([file]) => file.endsWith('.js'))
      .map(([file, source]) => `${createHash('sha256').update(source).digest('hex')}  ${file}\n`);
    const digest = createHash('sha256').update(lines.join('')).digest('hex');
    expect(manifest.version).toMatch(new RegExp(`^\\d+\\.\\d+\\.\\d+-${digest.slice(0, 8)}$`));
    expect(manifest.path).toBe(`/button/${manifest.version}/button.js`);
    expect((await readBuild(first))?.manifest).toEqual(manifest);
  });
});

describe('a language’s part', () => {
  it('can be inlined in a page without losing anything', () => {
    const texts = { swipe: '</script><!-- \u2028 "quoted" \\ {amount} 支払う', __proto__: null };
    const source = languagePart('xx', texts);
    expect(source).not.toMatch(/<[/!]/);
    let provided: unknown;
    new Script(source).runInContext(
      createContext({ serviceButton: { provide: (_: string, given: unknown) => (provided = given) } }),
    );
    expect({ ...(provided as object) }).toEqual({ swipe: texts.swipe });
  });
});
