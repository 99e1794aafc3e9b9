import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ServiceButton } from '../api.ts';

const render = vi.fn(() => ({ update: vi.fn(), destroy: vi.fn() }));
const api = { render } as unknown as ServiceButton;
const names = new Map<string, CustomElementConstructor>();

beforeEach(() => {
  vi.resetModules();
  names.clear();
  // An element's definition can't be removed, so each test gets its own registry.
  vi.spyOn(customElements, 'get').mockImplementation((name) => names.get(name));
  vi.spyOn(customElements, 'define').mockImplementation((name, element) => void names.set(name, element));
});
afterEach(() => {
  vi.restoreAllMocks();
  delete window.serviceButton;
});

test('the script defines the element immediately if it runs after button.js', async () => {
  window.serviceButton = api;
  await import('./element-script.ts');
  expect([...names.keys()]).toEqual(['service-button']);
});

test('the script waits until the page has loaded if it runs before button.js', async () => {
  await import('./element-script.ts');
  expect(names.size).toBe(0);
  window.serviceButton = api;
  window.dispatchEvent(new Event('load'));
  expect([...names.keys()]).toEqual(['service-button']);
});

test('a missing button.js is reported', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  await import('./element-script.ts');
  window.dispatchEvent(new Event('load'));
  expect(error).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/<service-button> needs button\.js.*serviceButton is undefined\. Write <script src=/),
  );
  expect(names.size).toBe(0);
});
