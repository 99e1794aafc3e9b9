export interface Periodic {
  /** Starts no further rounds, and resolves when the current one has finished. */
  stop(): Promise<void>;
}

/** Runs `work` now, and again `intervalMs` after each round ends, so rounds never overlap. */
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
