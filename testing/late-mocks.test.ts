import { expect, test, vi } from 'vitest';
import { freshModules } from './fresh-modules.ts';

test('a mock that is declared while an import resolves another mock is applied', async () => {
  vi.doMock('./patience.ts', () => ({ PATIENCE_MS: 'first' }));
  freshModules();
  const first = import('./patience.ts');
  await Promise.resolve();
  vi.doMock('./code-of.ts', () => ({ codeOf: 'second' }));
  expect(await first).toMatchObject({ PATIENCE_MS: 'first' });
  expect(await import('./code-of.ts')).toMatchObject({ codeOf: 'second' });
  vi.doUnmock('./patience.ts');
  vi.doUnmock('./code-of.ts');
  freshModules();
  expect(await import('./code-of.ts')).toMatchObject({ codeOf: expect.any(Function) });
});
