import { describe, expect, test } from 'vitest';
import { planTests } from './test-plan.ts';

const FILES = [
  'protocol/money/money.ts',
  'protocol/money/money.test.ts',
  'page-script/form/form.test.ts',
  'extension/popup/popup.test.tsx',
  'wallet/payments/runner/payment.test.ts',
  'server/payments/routes.test.ts',
  'scripts/checks/manifest.test.ts',
  'look/pictures.full.test.ts',
  'e2e/payments/payment.test.ts',
  'node_modules/some/some.test.ts',
];
const plan = (filters: string[], projects: string[] = [], full = false) => {
  const { needs, rounds } = planTests(FILES, { filters, projects, full });
  return { needs: [...needs].sort(), rounds };
};

describe('the preparation of npm test', () => {
  test('plain tests need neither a build nor a browser', () => {
    expect(plan(['protocol']).rounds).toEqual([['unit']]);
    expect(plan(['protocol']).needs).not.toContain('build');
    expect(plan(['protocol']).needs).not.toContain('browsers');
    expect(plan(['page-script', 'popup'])).toEqual({ needs: [], rounds: [['dom']] });
  });

  test('browser tests need both, and run separately', () => {
    expect(plan(['e2e'])).toEqual({ needs: ['browsers', 'build'], rounds: [['e2e']] });
    expect(plan(['./e2e/payments/payment.test.ts:20']).rounds).toEqual([['e2e']]);
    expect(plan(['payment']).rounds).toEqual([['unit'], ['e2e']]);
  });

  test('tests that read build outputs need a build', () => {
    expect(plan(['manifest']).needs).toContain('build');
    expect(plan(['manifest']).needs).not.toContain('browsers');
  });

  test('a named project excludes the others', () => {
    expect(plan(['payment'], ['unit']).rounds).toEqual([['unit']]);
    expect(plan([], ['e2e'])).toEqual({ needs: ['browsers', 'build'], rounds: [['e2e']] });
  });

  test('all tests run if no project is named', () => {
    expect(plan([])).toEqual({ needs: ['browsers', 'build'], rounds: [['unit', 'dom'], ['e2e']] });
  });

  test('a full test file is planned in the full run and when its path is named', () => {
    expect(plan(['look/pictures'])).toEqual({ needs: [], rounds: [['unit']] });
    const onlyFull = (full: boolean) => planTests(['look/pictures.full.test.ts'], { full }).rounds;
    expect(onlyFull(false)).toEqual([]);
    expect(onlyFull(true)).toEqual([['unit']]);
  });

  test('a filter that matches no path plans nothing', () => {
    expect(plan(['protocl'])).toEqual({ needs: [], rounds: [] });
  });
});
