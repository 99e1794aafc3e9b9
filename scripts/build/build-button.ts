import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { BUTTON_HOME } from '../../protocol/text/product.ts';
import { manifestOf, MANIFEST, partFile, SCRIPT, type ButtonManifest } from '../../server/web/button-build.ts';
import { givesLicenses } from './bundled-packages.ts';
import { buttonConfig } from '../../vite.button.config.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LANGUAGES = join(ROOT, 'page-script/languages');
/** Parts that contain code, with their entry files. */
const PROGRAMS: Readonly<Record<string, string>> = {
  form: 'page-script/form/main.ts',
  help: 'page-script/help/main.ts',
  options: 'page-script/options/main.ts',
  phone: 'page-script/phone/main.ts',
  element: 'page-script/npm/element-script.ts',
};
/** Parts that pages include themselves. The button never loads these parts. */
const INCLUDED_BY_PAGES = new Set(['element']);

/**
 * Returns the script with a language's UI strings. Pages can inline the script, because no string in it ends a `script`
 * element.
 */
export function languagePart(language: string, texts: object): string {
  return `serviceButton.provide(${JSON.stringify(language)}, ${JSON.stringify(texts).replaceAll('<', String.raw`\u003c`)});\n`;
}

/** Writes the parts of all languages. @returns their names */
async function writeLanguages(outDir: string): Promise<string[]> {
  const files = (await readdir(LANGUAGES)).filter((file) => /^[a-z-]+\.ts$/.test(file)).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const { texts } = (await import(pathToFileURL(join(LANGUAGES, file)).href)) as { texts?: object };
      if (!texts) throw new Error(`page-script/languages/${file} exports no texts`);
      const language = basename(file, '.ts');
      await writeFile(join(outDir, partFile(language)), languagePart(language, texts));
      return language;
    }),
  );
}

/**
 * Builds the button reproducibly. The manifest is written last and atomically so that all files that it lists exist.
 */
export async function buildButton(outDir: string): Promise<ButtonManifest> {
  const names = [...(await writeLanguages(outDir)), ...Object.keys(PROGRAMS)].toSorted();
  const parts = names.filter((name) => !INCLUDED_BY_PAGES.has(name));
  const script = (input: string, file: string) => ({
    ...buttonConfig({ input, file, outDir, parts }),
    plugins: [givesLicenses],
  });
  for (const [name, input] of Object.entries(PROGRAMS)) await build(script(input, partFile(name)));
  await build(script('page-script/main.ts', SCRIPT));
  if (!(await readFile(join(outDir, SCRIPT), 'utf8')).includes(BUTTON_HOME))
    throw new Error(`${SCRIPT} has no placeholder for its service's address`);
  const files = new Map<string, Buffer>();
  for (const file of [SCRIPT, ...names.map(partFile)]) files.set(file, await readFile(join(outDir, file)));

  // Removes parts that no longer exist in the source.
  for (const file of await readdir(outDir))
    if (/^button\..*\.js$/.test(file) && !files.has(file)) await rm(join(outDir, file));
  const { version: release } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const manifest = manifestOf(release, files);
  const path = join(outDir, MANIFEST);
  await writeFile(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(`${path}.new`, path);
  return manifest;
}
