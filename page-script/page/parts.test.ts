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

describe('texts of a language', () => {
  test.each(['', 'en', 'en-GB', 'xx', 'de_DE', 'constructor'])(
    'texts default to English for "%s", and nothing is loaded',
    (locale) => {
      expect(parts.textsFor(locale, settled).working).toBe('Check your wallet…');
      expect(load).not.toHaveBeenCalled();
    },
  );

  test.each(['de', 'de-AT', 'DE'])('texts load once for %s, and are announced when they have arrived', (locale) => {
    expect(parts.textsFor(locale, settled).working).toBe('Check your wallet…');
    parts.textsFor(locale, settled);
    expect(load).toHaveBeenCalledExactlyOnceWith('de');
    parts.provide('de', GERMAN);
    expect(settled).toHaveBeenCalledTimes(2);
    expect(parts.textsFor(locale, settled)).toBe(GERMAN);
    expect(settled).toHaveBeenCalledTimes(2);
  });

  test('texts for the exact locale are preferred to texts for its language', () => {
    parts.provide('pt-BR', GERMAN);
    expect(parts.textsFor('pt-br', settled)).toBe(GERMAN);
    parts.textsFor('pt-PT', settled);
    expect(load).toHaveBeenCalledExactlyOnceWith('pt');
  });

  test('texts may be in a language that the product doesn’t include', () => {
    parts.provide('eo', GERMAN);
    expect(parts.textsFor('eo', settled)).toBe(GERMAN);
  });

  test('texts stay English if a loaded file doesn’t provide them', async () => {
    load.mockResolvedValue(undefined);
    parts.textsFor('de', settled);
    await vi.waitFor(() => expect(settled).toHaveBeenCalledOnce());
    expect(parts.isAvailable('de')).toBe(false);
  });

  test('texts are requested only once if loading fails', async () => {
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

test('parts without a loader are available only if the page provides them', async () => {
  vi.resetModules();
  parts = await import('./parts.ts');
  expect(parts.isAvailable('phone')).toBe(false);
  expect(parts.part('phone', settled)).toBeUndefined();
  parts.provide('phone', GERMAN);
  expect(parts.part('phone', settled)).toBe(GERMAN);
});
