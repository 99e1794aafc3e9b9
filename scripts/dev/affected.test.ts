import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { affectedBy, WATCHED } from './affected.ts';

test('a change rebuilds exactly the parts that depend on it', () => {
  expect(affectedBy('page-script/button/pay-button.ts')).toEqual(['button']);
  expect(affectedBy('extension/popup/popup.tsx')).toEqual(['extension']);
  expect(affectedBy('wallet/payments/record.ts')).toEqual(['extension']);
  expect(affectedBy('manifest.json')).toEqual(['extension']);
  expect(affectedBy('server/payments/routes.ts')).toEqual(['service']);
  for (const shared of ['protocol/money/money.ts', 'look/tokens.ts'])
    expect(affectedBy(shared)).toEqual(['button', 'extension', 'service']);
});

test('tests, their helpers, and editors’ files rebuild nothing', () => {
  for (const path of [
    'server/payments/routes.test.ts',
    'extension/popup/send/send.test.tsx',
    'testkit/network/network.ts',
    'wallet/payments/runner/testing-crash.ts',
    'server/testing.ts',
    'server/.routes.ts.swp',
    'server/routes.ts~',
    'docs/architecture.md',
  ])
    expect(affectedBy(path), path).toEqual([]);
});

test('all watched files exist', () => {
  for (const place of WATCHED) expect(existsSync(place), place).toBe(true);
});
