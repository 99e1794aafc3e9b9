/** `npm run package`: builds the button for bundlers into dist/npm. To publish it, run `npm publish` there. */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { buttonConfig } from '../vite.button.config.ts';
import { licenseText, notesPackages } from './build/bundled-packages.ts';
import { flattenDeclarations } from './build/declarations.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = 'page-script/npm';
const ENTRIES = ['index', 'element', 'react'];
/** The module for merchants' servers. */
const SERVER_SOURCE = 'server/sdk/index';

/** Empties the folder and builds the package into it. @throws Error if a declaration imports an unavailable module */
export async function buildPackage(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  const languages = (await readdir(join(ROOT, 'page-script/languages')))
    .filter((file) => /^[a-z-]+\.ts$/.test(file))
    .map((file) => `languages/${basename(file, '.ts')}`);
  const bundled = [
    ...new Set([...(await writeModules(outDir, languages)), ...(await writeServerModule(outDir))]),
  ].toSorted();
  await writeDeclarations(outDir, languages);
  await writePapers(outDir, bundled);
}

async function writeModules(outDir: string, languages: readonly string[]): Promise<string[]> {
  const base = buttonConfig({ input: `${SOURCE}/index.ts`, file: 'index.js', outDir, parts: [] });
  const entry = Object.fromEntries([
    ...ENTRIES.map((name) => [name, join(ROOT, SOURCE, `${name}.ts`)]),
    ...languages.map((name) => [name, join(ROOT, 'page-script', `${name}.ts`)]),
  ]);
  const bundled = new Set<string>();
  await build({
    ...base,
    plugins: [notesPackages(bundled)],
    build: {
      ...base.build,
      lib: { entry, formats: ['es'], fileName: (_format, name) => `${name}.js` },
      // Not minified, because users' bundlers minify, and readable code is easier to debug. The style sheet is inlined.
      minify: false,
      cssMinify: true,
      rollupOptions: {
        external: ['react'],
        output: {
          chunkFileNames: 'chunks/[name].js',
          // Frameworks with server components must run this component in the browser.
          banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
        },
      },
    },
  });
  return [...bundled];
}

/**
 * Writes the server module as one file for `import` and one for `require`.
 * @returns the packages that the module contains
 */
async function writeServerModule(outDir: string): Promise<string[]> {
  const bundled = new Set<string>();
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    plugins: [notesPackages(bundled)],
    build: {
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      lib: {
        entry: join(ROOT, `${SERVER_SOURCE}.ts`),
        formats: ['es', 'cjs'],
        fileName: (format) => (format === 'es' ? 'server.js' : 'server.cjs'),
      },
      rollupOptions: { external: [/^node:/] },
    },
  });
  return [...bundled];
}

/** Writes the type declarations: those of the entries next to their modules, all others in types/. */
async function writeDeclarations(outDir: string, languages: readonly string[]): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), 'declarations-'));
  try {
    const args = [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '-p',
      join(ROOT, SOURCE, 'tsconfig.types.json'),
      '--outDir',
      emitted,
    ];
    const tsc = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (tsc.status !== 0) throw new Error(`no declarations:\n${tsc.stdout}${tsc.stderr}`);
    const entries = new Map([
      ...ENTRIES.map((name) => [`${SOURCE}/${name}.d.ts`, `${name}.d.ts`] as const),
      ...languages.map((name) => [`page-script/${name}.d.ts`, `${name}.d.ts`] as const),
      [`${SERVER_SOURCE}.d.ts`, 'server.d.ts'],
    ]);
    const read = (path: string) => readFile(join(emitted, path), 'utf8');
    const files = await flattenDeclarations({ read, entries, packages: ['react'] });
    const ofServer = new Map([[`${SERVER_SOURCE}.d.ts`, 'server.d.ts']]);
    const required = await flattenDeclarations({ read, entries: ofServer, packages: [] });
    for (const [path, text] of [...files, ...[...required].map(forRequire)]) {
      await mkdir(dirname(join(outDir, path)), { recursive: true });
      await writeFile(join(outDir, path), text);
    }
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

/** Returns a declaration for TypeScript's CommonJS modules (node16), which can't import an ES module. */
function forRequire([path, text]: readonly [string, string]): [string, string] {
  return [
    path.replace(/\.d\.ts$/, '.d.cts'),
    text.replaceAll(/((?:\bfrom|\bimport)\s*\(?\s*['"]\.[^'"]*)\.js(['"])/g, '$1.cjs$2'),
  ];
}

async function writePapers(outDir: string, bundled: readonly string[]): Promise<void> {
  const { name, version, license } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const entry = (file: string) => ({ types: `./${file}.d.ts`, default: `./${file}.js` });
  await writeFile(
    join(outDir, 'package.json'),
    `${JSON.stringify(
      {
        name,
        version,
        description: 'A payment button for web pages: visitors swipe it and pay over the BSV blockchain',
        license,
        keywords: ['payment', 'button', 'bsv', 'web-component', 'custom-element', 'react'],
        type: 'module',
        // Importing these modules has side effects, so bundlers must not drop them.
        sideEffects: ['./element.js', './chunks/*.js'],
        types: './index.d.ts',
        exports: {
          '.': entry('index'),
          './element': entry('element'),
          './react': entry('react'),
          './languages/*': entry('languages/*'),
          './server': {
            import: entry('server'),
            require: { types: './server.d.cts', default: './server.cjs' },
          },
          './package.json': './package.json',
        },
        engines: { node: '>=20' },
        peerDependencies: { react: '>=18' },
        peerDependenciesMeta: { react: { optional: true } },
      },
      null,
      2,
    )}\n`,
  );
  await copyFile(join(ROOT, SOURCE, 'README.md'), join(outDir, 'README.md'));
  const licences = [await readFile(join(ROOT, 'LICENSE'), 'utf8')];
  for (const dependency of bundled) {
    licences.push(
      `This package contains code of ${dependency}, under this license:\n\n${await licenseText(dependency)}`,
    );
  }
  await writeFile(join(outDir, 'LICENSE'), licences.map((text) => `${text.trim()}\n`).join('\n---\n\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outDir = process.argv[2] ?? join(ROOT, 'dist/npm');
  await buildPackage(outDir);
  console.log(
    `Built ${relative(process.cwd(), outDir) || outDir}. To publish it: npm publish ${relative(process.cwd(), outDir)}`,
  );
}
