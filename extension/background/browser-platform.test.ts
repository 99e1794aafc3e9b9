import { expect, test, vi } from 'vitest';
import { browserPlatform } from './browser-platform.ts';

vi.mock('webextension-polyfill', () => ({ default: { storage: {} } }));

test('the browser’s wallet derives keys from passwords with the recommended number of iterations', () => {
  vi.stubGlobal('__SERVICE_URL__', 'https://service.example');
  vi.stubGlobal('IDBKeyRange', {});
  // OWASP Password Storage Cheat Sheet, PBKDF2-HMAC-SHA256
  expect(browserPlatform().passwordIterations).toBeGreaterThanOrEqual(600_000);
});
