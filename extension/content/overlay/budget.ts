/** So much at once, and one more every second. @returns takes one; false where nothing is left */
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
