/**
 * Creates a token bucket that regains one token per second.
 * @returns a function that takes a token, and returns false if none is left
 */
export function createBudget(most: number): () => boolean {
  let left = most;
  let since = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(most, left + (now - since) / 1000);
    since = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
