import type * as Parts from './parts.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';

let parts: typeof Parts;
const load = vi.fn<(name: string) => Promise<unknown>>();
const settled = vi.fn();
const GERMAN = { working: 'Wallet prüfen…' };

beforeEach(async () => {
  vi.resetModules();
  vi.resetAllMocks();
  parts = await import('./parts.ts');
  load.mockReturnValue(new Promise(() => {}));
  parts.setPartLoader(load, ['de', 'pt', 'phone']);
});

describe('texts', () => {
  test.each(['', 'en', 'en-GB', 'xx', 'de_DE', 'constructor'])(
    'for "%s" are English, and nothing is loaded',
    (locale) => {
      expect(parts.textsFor(locale, settled).working).toBe('Check your wallet…');
      expect(load).not.toHaveBeenCalled();
    },
  );

  test.each(['de', 'de-AT', 'DE'])('for %s are loaded once, and announced when they have arrived', (locale) => {
    expect(parts.textsFor(locale, settled).working).toBe('Check your wallet…');
    parts.textsFor(locale, settled);
    expect(load).toHaveBeenCalledExactlyOnceWith('de');
    parts.provide('de', GERMAN);
    expect(settled).toHaveBeenCalledTimes(2);
    expect(parts.textsFor(locale, settled)).toBe(GERMAN);
    expect(settled).toHaveBeenCalledTimes(2);
  });

  test('of exactly the language go before those of its first part', () => {
    parts.provide('pt-BR', GERMAN);
    expect(parts.textsFor('pt-br', settled)).toBe(GERMAN);
    parts.textsFor('pt-PT', settled);
    expect(load).toHaveBeenCalledExactlyOnceWith('pt');
  });

  test('may be of a language that the product does not speak', () => {
    parts.provide('eo', GERMAN);
    expect(parts.textsFor('eo', settled)).toBe(GERMAN);
  });

  test('that a file does not hold, although it came, are done without', async () => {
    load.mockResolvedValue(undefined);
    parts.textsFor('de', settled);
    await vi.waitFor(() => expect(settled).toHaveBeenCalledOnce());
    expect(parts.isAvailable('de')).toBe(false);
  });

  test('that cannot be loaded are not tried again and again', async () => {
    load.mockRejectedValue(new Error('policy'));
    parts.textsFor('de', settled);
    await vi.waitFor(() => expect(settled).toHaveBeenCalledOnce());
    expect(parts.textsFor('de', settled).working).toBe('Check your wallet…');
    expect(load).toHaveBeenCalledOnce();
    expect(parts.isAvailable('de')).toBe(false);
    parts.provide('de', GERMAN);
    expect(parts.textsFor('de', settled)).toBe(GERMAN);
  });
});

test('without a loader nothing is available but what the page provides', async () => {
  vi.resetModules();
  parts = await import('./parts.ts');
  expect(parts.isAvailable('phone')).toBe(false);
  expect(parts.part('phone', settled)).toBeUndefined();
  parts.provide('phone', GERMAN);
  expect(parts.part('phone', settled)).toBe(GERMAN);
});
