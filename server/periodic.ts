export interface Periodic {
  /** Starts no further round. Resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Runs `work` now, and `intervalMs` after the end of each round, so rounds never overlap. */
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
