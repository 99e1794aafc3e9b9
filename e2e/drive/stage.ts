/** A setup that is reset after each failed test. */
import { afterAll, beforeEach, type TestContext } from 'vitest';

/**
 * Creates a file's setup before its first test, and again after a failed test, because its state could affect later
 * tests. Must be called before any other `beforeEach`.
 * @param clear removes the setup, even if it is incomplete
 */
export function onStage(set: () => Promise<void>, clear: () => Promise<void>): void {
  let latest: TestContext['task'] | null = null;
  const end = async () => {
    if (!latest) return;
    latest = null;
    await clear();
  };
  beforeEach(async ({ task }) => {
    if (latest?.result?.state === 'fail') await end();
    const isSet = latest !== null;
    latest = task;
    if (!isSet) await set();
  });
  afterAll(end);
}
