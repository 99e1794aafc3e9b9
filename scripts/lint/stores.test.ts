import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { STORES } from '../../wallet/store/schema.ts';

const directory = mkdtempSync(join(tmpdir(), 'stores-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ROOT = 'wallet';
const owners = JSON.parse(readFileSync('scripts/lint/owners.json', 'utf8')) as {
  stores: Record<string, { owner: string; exceptions?: string[] }>;
};

/** Returns the rule's findings, including exceptions, as sorted strings `file store` without duplicates. */
function reported(cwd: string, files: readonly string[]): string[] {
  const config = join(directory, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [resolve('scripts/lint/stores.js')],
      categories: { correctness: 'off' },
      rules: { 'stores/owned': ['error', { exceptions: false }] },
    }),
  );
  const oxlint = resolve('node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '-c', config, '--format=unix', ...files], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const found = stdout.split('\n').flatMap((line) => {
    const [, file, store] = /^wallet\/(.+?):\d+:\d+: .* accesses the store (\S+)\. /.exec(line) ?? [];
    return file === undefined ? [] : [`${file} ${store}`];
  });
  return [...new Set(found)].sort();
}

describe('the lint rule stores/owned', () => {
  it('reports every form of naming a store outside its owner', () => {
    const calls = "tx.objectStore('payments').get(id);\ndb.transaction(['coins', 'allowances'] as const);\n";
    const files = {
      'overview.ts': calls,
      'site-list.ts': "db.getAllFromIndex('payments', 'state', 'signed');\ntx.objectStore(name);\n",
      'payments/store.ts': calls,
      'coins/other.ts': "db.put('coins', coin);\nalarms.clear('payments work');\n",
      'store/database.ts': calls,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, ROOT, path)), { recursive: true });
      writeFileSync(join(directory, ROOT, path), text);
    }
    expect(reported(directory, [ROOT])).toEqual([
      'overview.ts allowances',
      'overview.ts coins',
      'overview.ts payments',
      'payments/store.ts allowances',
      'payments/store.ts coins',
      'site-list.ts *',
      'site-list.ts payments',
    ]);
  });
});

describe('scripts/lint/owners.json', () => {
  it('names an owner for every database store', () => {
    expect(Object.keys(owners.stores).sort()).toEqual([...STORES, '*'].sort());
  });

  it('contains no exception that is no longer needed', () => {
    // Only files with exceptions are checked, because lint itself reports all others.
    const files = new Set(Object.values(owners.stores).flatMap(({ exceptions = [] }) => exceptions));
    const recorded = Object.entries(owners.stores).flatMap(([store, { exceptions = [] }]) =>
      exceptions.map((file) => `${file} ${store}`),
    );
    expect(recorded.sort()).toEqual(
      reported(
        '.',
        [...files].map((file) => join(ROOT, file)),
      ),
    );
  });
});
