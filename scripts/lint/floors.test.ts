import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'floors-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const FLOORS = [['main'], ['roof'], ['east', 'west'], ['roof/store']];

const HOUSE = {
  jsPlugins: [resolve('scripts/lint/floors.js')],
  categories: { correctness: 'off' },
  rules: {
    'floors/downwards': [
      'error',
      { root: 'house', floors: FLOORS, shapes: ['west/shapes.ts'] },
      { root: 'house/roof', floors: [['attic']], files: true },
    ],
  },
};

function lint(files: Record<string, string>, config: object = HOUSE): string {
  for (const [path, text] of Object.entries({ '.oxlintrc.json': JSON.stringify(config), ...files })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const oxlint = resolve('node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix'], { cwd: directory, encoding: 'utf8' });
  return stdout;
}

describe('the lint rule floors/downwards', () => {
  it('keeps the parts of the project apart, as the project’s configuration requires', () => {
    const parts = [
      'protocol',
      'look',
      'page-script',
      'extension/content',
      'extension/popup',
      'extension/ui',
      'server/http',
    ];
    const { overrides } = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as { overrides: object[] };
    const jsPlugins = ['floors', 'stores'].map((name) => resolve(`scripts/lint/${name}.js`));
    const isAbove = (part: string) => `import '${'../'.repeat(part.split('/').length)}wallet/b.ts';\n`;
    const files = Object.fromEntries(parts.map((part) => [`${part}/a.ts`, isAbove(part)]));
    const wallet = { 'wallet/store/a.ts': "import '../../server/b.ts';\n" };
    const background = { 'extension/background/start.ts': "import '../../look/b.ts';\n" };
    const output = lint({ ...files, ...wallet, ...background }, { jsPlugins, overrides });
    const reported = output.split('\n').flatMap((line) => /^(.+):1:\d+: \.\/\w+ is on no floor/.exec(line)?.[1] ?? []);
    expect(reported.sort()).toEqual(Object.keys({ ...files, ...wallet, ...background }).sort());
  });

  it('reports imports from a higher, the same or no layer, including type imports', () => {
    const output = lint({
      'house/main.ts': "import './roof/a.ts';\nexport * from './east/b.ts';\n",
      'house/roof/a.ts': "import './other.ts';\nimport '../east/b.ts';\n",
      'house/east/b.ts': "import type { A } from '../roof/a.ts';\nexport const a: A = 1;\n",
      'house/west/c.ts': "export const b = () => import('../east/b.ts');\n",
      'house/west/d.ts': "export * from '../cellar/e.ts';\nimport '../roof/store.ts';\n",
      'house/roof/store.ts': "import './a.ts';\nimport '../east/b.ts';\nimport './attic/f.ts';\n",
      'house/roof/attic/f.ts': "import '../other.ts';\n",
      'house/west/shapes.ts':
        "import type { A } from '../roof/a.ts';\nimport { type B } from '../east/b.ts';\nimport { c } from '../main.ts';\n",
    });
    const reported = output.split('\n').flatMap((line) => /house\/(\w+\/\w+\.ts):\d+:\d+: (.*?[,.]) /.exec(line) ?? []);
    expect(reported.filter((_, i) => i % 3 > 0).sort()).toEqual(
      [
        ['roof/store.ts', 'house/roof/store does not stand above house/east,'],
        ['roof/store.ts', 'house/roof/store does not stand above house/roof/attic,'],
        ['east/b.ts', 'house/east does not stand above house/roof,'],
        ['west/c.ts', 'house/west does not stand above house/east,'],
        ['west/d.ts', 'house/cellar is on no floor.'],
        ['west/shapes.ts', 'house/west does not stand above house/main,'],
      ]
        .flat()
        .sort(),
    );
  });
});

describe('docs/architecture/floors.md', () => {
  const document = readFileSync('docs/architecture/floors.md', 'utf8');
  const { overrides } = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as {
    overrides: { rules: Record<string, unknown> }[];
  };
  const houses = overrides.flatMap(({ rules }) =>
    Array.isArray(rules['floors/downwards']) ? rules['floors/downwards'].slice(1) : [],
  ) as { root: string; floors: string[][] }[];
  // The other lists for the whole project only define which folders one part may import.
  const whole = houses.findLast(({ root }) => root === '.');
  const listed = houses.filter((house) => house.root !== '.' || house === whole);

  it.each(listed)('lists each layer of $root in the order that lint enforces', ({ root, floors }) => {
    const table = document.split('\n\n').find((part) => part.split('\n')[0]?.includes(` of \`${root}/\`,`)) ?? '';
    const shown = table
      .split('\n')
      .slice(2)
      .map((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w./-]+)`/g)].map(([, part]) => part));
    expect(shown).toEqual(floors);
  });
});
