// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';

const SCRIPT = readFileSync(path.join(import.meta.dirname, 'assets/theme.js'), 'utf8');
const root = document.documentElement;
let systemIsDark: boolean;
let storage: Map<string, string> | null;

function load(): HTMLButtonElement {
  const ready: (() => void)[] = [];
  document.body.innerHTML =
    '<button class="theme-toggle" data-to-dark="To dark" data-to-light="To light" hidden></button>';
  const blocked = () => {
    throw new Error('blocked');
  };
  new Function('localStorage', 'matchMedia', 'document', SCRIPT)(
    {
      getItem: (key: string) => (storage ? (storage.get(key) ?? null) : blocked()),
      setItem: (key: string, value: string) => (storage ? storage.set(key, value) : blocked()),
    },
    () => ({ matches: systemIsDark, addEventListener: vi.fn() }),
    {
      documentElement: root,
      querySelector: (css: string) => document.querySelector(css),
      addEventListener: (_: string, listener: () => void) => ready.push(listener),
    },
  );
  ready.forEach((listener) => listener());
  return document.querySelector('button') as HTMLButtonElement;
}

beforeEach(() => {
  systemIsDark = false;
  storage = new Map();
  delete root.dataset.theme;
});

test('follows the system until the visitor chooses, and applies the choice to the next page', () => {
  const button = load();
  expect([button.hidden, button.title, root.dataset.theme]).toEqual([false, 'To dark', undefined]);
  button.click();
  expect([root.dataset.theme, button.title]).toEqual(['dark', 'To light']);
  delete root.dataset.theme;
  const next = load();
  expect([root.dataset.theme, next.title]).toEqual(['dark', 'To light']);
  next.click();
  expect([root.dataset.theme, storage?.get('theme')]).toEqual(['light', 'light']);
});

test('offers light first on a dark system, and ignores an invalid stored theme', () => {
  systemIsDark = true;
  storage?.set('theme', 'constructor');
  const button = load();
  expect([root.dataset.theme, button.title]).toEqual([undefined, 'To light']);
  button.click();
  expect(root.dataset.theme).toBe('light');
});

test('keeps the choice for the page if storage is blocked', () => {
  storage = null;
  const button = load();
  button.click();
  expect(root.dataset.theme).toBe('dark');
});
