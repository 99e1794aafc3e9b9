/** Test fixtures for the vault and its session, with a memory database and few rounds of key derivation. */
import { afterEach, beforeEach, vi } from 'vitest';
import { TestBrowser } from './browser.ts';
import { setTime } from './clock.ts';
import { useWallet } from './current.ts';
import { newDatabases, useDatabases } from './memory-database.ts';
import { testPlatform } from './platform.ts';

/** The time at which each test begins (milliseconds since 1970). The clock moves only if a test advances it. */
export const START = Date.UTC(2026, 0, 1);

async function loadModules() {
  // Imported before the other modules so that recently registered mocks apply to them.
  const seal = await import('../../wallet/vault/seal.ts');
  const [appLogKey, database, events, identity, passkeys, paymentKey, session, settings, vault] = await Promise.all([
    import('../../wallet/vault/app-log-key.ts'),
    import('../../wallet/store/database.ts'),
    import('../../wallet/events.ts'),
    import('../../wallet/vault/identity.ts'),
    import('../../wallet/vault/passkeys.ts'),
    import('../../wallet/vault/payment-key.ts'),
    import('../../wallet/vault/session.ts'),
    import('../../wallet/settings.ts'),
    import('../../wallet/vault/vault.ts'),
  ]);
  return { appLogKey, database, events, identity, passkeys, paymentKey, seal, session, settings, vault };
}

/** The vault modules of the current worker run, and the state that outlives it. */
export interface VaultRun extends Awaited<ReturnType<typeof loadModules>> {
  browser: TestBrowser;
  api: ReturnType<TestBrowser['api']>;
  /** Restarts the worker. All work of the previous run must have finished. */
  restart: () => Promise<void>;
}

/** Sets up each test with a browser that has no wallet. */
export function useVault(): VaultRun {
  const run = {} as VaultRun;

  run.restart = async () => {
    run.api = run.browser.api(async (_name, call) => call());
    useWallet(testPlatform(run.api));
    Object.assign(run, await loadModules());
  };

  beforeEach(async () => {
    setTime(START);
    useDatabases(newDatabases());
    run.browser = new TestBrowser();
    await run.restart();
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
  return run;
}
