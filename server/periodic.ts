/** Periodic work in the background. */

/** Running work. */
export interface Periodic {
  /** No further round begins; resolves when the one under way is over. */
  stop(): Promise<void>;
}

/**
 * Runs `work` now and then `intervalMs` after each round ended; rounds never overlap. `onError` hears of rounds that
 * threw.
 */
export function periodic(
  work: () => Promise<unknown>,
  intervalMs: number,
  onError: (error: unknown) => void,
): Periodic {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round = run();

  async function run(): Promise<void> {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
    if (stopped) return;
    timer = setTimeout(() => {
      round = run();
    }, intervalMs);
    timer.unref();
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
