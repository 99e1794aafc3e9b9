/** A stage that no test finds in disorder. */
import { afterAll, beforeEach, type TestContext } from 'vitest';

/**
 * Sets a file's stage before its first test, and anew after a test that failed: what that one left behind, a payment
 * that waits or a wallet that is locked, is nobody else's. Call it before `beforeEach` of others, which may need the
 * stage.
 * @param clear ends what is set, be it half of it
 */
export function onStage(set: () => Promise<void>, clear: () => Promise<void>): void {
  /** The latest test on the stage that is set. */
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
