import { readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { freshModules } from './fresh-modules.ts';

const state = () => import('../wallet/prompts/kinds.ts');
const noState = () => import('../protocol/errors/service-error.ts');
const packaged = async () => (await import('lean-qr')).generate;

test("a module with state is loaded again on every request; a module of protocol/ isn't", async () => {
  const before = await Promise.all([state(), noState(), packaged()]);
  expect((await state()).kindOf).toBe(before[0].kindOf);
  freshModules();
  const [own, ofProtocol, ofPackage] = await Promise.all([state(), noState(), packaged()]);
  expect(own.kindOf).not.toBe(before[0].kindOf);
  expect([ofProtocol.ServiceError, ofPackage]).toEqual([before[1].ServiceError, before[2]]);
  freshModules();
  expect((await state()).kindOf).not.toBe(own.kindOf);
});

test('a package’s mock is used until it is removed', async () => {
  const real = await packaged();
  expect(real).toBeTypeOf('function');
  vi.doMock('lean-qr', () => ({ generate: 'a stand-in' }));
  freshModules();
  expect(await packaged()).toBe('a stand-in');
  vi.doUnmock('lean-qr');
  freshModules();
  expect(await packaged()).toBe(real);
});

test('protocol/ has no state', () => {
  const holding = readdirSync('protocol', { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.includes('testing'))
    .filter((path) =>
      /^(?:export )?(?:let |const [^;]*= new (?:Map|Set|WeakMap|WeakSet)\(\))/m.test(
        readFileSync(`protocol/${path}`, 'utf8'),
      ),
    );
  // This module's only state is a cache of compiled patterns.
  expect(holding).toEqual(['text/look-alike.ts']);
});

test('testkit/ mocks no modules, because the wallet’s modules would remain loaded without the mocks', () => {
  const files = readdirSync('testkit', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => /vi\.(?:do)?Mock\(/i.test(readFileSync(`testkit/${path}`, 'utf8')))).toEqual([]);
});
