import { describe, expect, test } from 'vitest';
import { flattenDeclarations, type Declarations } from './declarations.ts';

function flatten(files: Record<string, string>, options: Partial<Declarations> = {}): Promise<Map<string, string>> {
  return flattenDeclarations({
    read: async (path) => files[path] ?? Promise.reject(new Error(`no ${path}`)),
    entries: new Map([['source/deep/index.d.ts', 'index.d.ts']]),
    packages: ['react'],
    ...options,
  });
}

describe('a package’s type declarations', () => {
  test('follow imports, and contain no source folder', async () => {
    const files = await flatten({
      'source/deep/index.d.ts': `/** Its words stay. */\nimport type { A } from '../a.ts';\nexport { B } from './b.ts';\nimport { type R } from 'react';\n`,
      'source/a.d.ts': `export type A = import('./deep/b.ts').B;\nimport './deep/index.ts';\n`,
      'source/deep/b.d.ts': 'export type B = 1;\n',
    });
    expect(Object.fromEntries(files)).toEqual({
      'index.d.ts': `/** Its words stay. */\nimport type { A } from './types/a.js';\nexport { B } from './types/b.js';\nimport { type R } from 'react';\n`,
      'types/a.d.ts': `export type A = import('./b.js').B;\nimport '../index.js';\n`,
      'types/b.d.ts': 'export type B = 1;\n',
    });
  });

  test('can’t import a package that users don’t have', async () => {
    await expect(flatten({ 'source/deep/index.d.ts': `import * as z from 'zod/mini';\n` })).rejects.toThrow(
      'imports zod/mini',
    );
    await expect(flatten({ 'source/deep/index.d.ts': `export type A = import("zod").A;\n` })).rejects.toThrow(
      'imports zod',
    );
  });

  test('can’t contain two files with the same name', async () => {
    await expect(
      flatten({
        'source/deep/index.d.ts': `import './a.ts';\nimport '../a.ts';\n`,
        'source/a.d.ts': '',
        'source/deep/a.d.ts': '',
      }),
    ).rejects.toThrow('the same name');
  });
});
