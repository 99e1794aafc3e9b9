import { afterEach, expect, test, vi } from 'vitest';
import { BUTTON_HOME } from '../../protocol/text/product.ts';
import { homeOf, partScripts, thisScript } from './script.ts';

const WRITTEN = 'https://pay.example/button/1.2.0-0a1b2c3d/';

afterEach(() => {
  document.head.replaceChildren();
  vi.restoreAllMocks();
});

function script(src: string, attributes: Record<string, string> = {}): HTMLScriptElement {
  const element = document.createElement('script');
  element.type = 'text/plain';
  for (const [name, value] of Object.entries({ ...(src && { src }), ...attributes })) element.setAttribute(name, value);
  return element;
}

const home = (src: string | null, written = WRITTEN, attributes = {}) => {
  const { service, addressOf } = homeOf(
    src === null ? null : script(src, attributes),
    written,
    'https://shop.example/a',
  );
  return [service, addressOf?.('de') ?? null];
};
const ELSEWHERE = ['https://pay.example/', `${WRITTEN}button.de.js`];

test.each([
  ['part of another file', 'https://shop.example/all.js'],
  ['part of a file with a query', 'https://shop.example/all.js?v=3#x'],
  ['a copy of the same name', 'https://shop.example/js/button.js'],
  ['a copy of the same name with a query', 'https://shop.example/button.js?v=3'],
  ['from another host', 'https://cdn.example/npm/button.js'],
  ['in the page itself', ''],
  ['a module without an element', null],
])('a served copy knows its service and loads its parts from there: %s', (_, src) => {
  expect(home(src)).toEqual(ELSEWHERE);
});

test.each([
  ['https://pay.example/button.js', 'https://pay.example/button.de.js'],
  ['https://pay.example/button.js?v=2', 'https://pay.example/button.de.js?v=2'],
])('the file of the service itself (%s) loads the parts next to it', (src, part) => {
  expect(home(src)).toEqual(['https://pay.example/', part]);
});

test('data-service sets the service, and a script named button.js then loads the parts next to itself', () => {
  expect(home('https://shop.example/button.js', WRITTEN, { 'data-service': 'https://two.example/x' })).toEqual([
    'https://two.example/',
    'https://shop.example/button.de.js',
  ]);
  expect(home('https://shop.example/all.js', WRITTEN, { 'data-service': 'https://two.example' })).toEqual([
    'https://two.example/',
    `${WRITTEN}button.de.js`,
  ]);
});

test.each([
  ['https://pay.example/button/1.2.0-0a1b2c3d/button.js', 'https://pay.example/'],
  ['https://shop.example/all.js', null],
  ['', null],
  [null, null],
])(
  'an unmodified build knows its service only from its own URL, and only if its file is still named button.js: %s',
  (src, service) => {
    expect(home(src, BUTTON_HOME)[0]).toBe(service);
  },
);

test('an unmodified build loads its parts from the service that data-service names', () => {
  expect(home('https://shop.example/all.js', BUTTON_HOME, { 'data-service': 'https://pay.example' })).toEqual([
    'https://pay.example/',
    'https://pay.example/button.de.js',
  ]);
});

test('the script element of a module is found by its file name, even with a query', () => {
  document.head.append(script('https://shop.example/other.js'), script('https://shop.example/button.js?v=3'));
  expect(thisScript(document)?.src).toBe('https://shop.example/button.js?v=3');
});

test('parts of a script without an element get the nonce of the page’s scripts', () => {
  const other = Object.assign(script('https://shop.example/main.mjs', { nonce: '' }), { nonce: 'R4nd0m' });
  document.head.append(other);
  const added = vi.spyOn(document.head, 'append').mockImplementation(() => {});
  void partScripts(null, (part) => `${WRITTEN}button.${part}.js`)('de');
  const [part] = added.mock.calls[0] as [HTMLScriptElement];
  expect([part.src, part.nonce]).toEqual([`${WRITTEN}button.de.js`, 'R4nd0m']);
});
