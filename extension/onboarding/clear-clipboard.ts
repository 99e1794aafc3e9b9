/** How long pasted recovery words may stay on the clipboard (milliseconds). */
export const CLIPBOARD_MS = 60_000;

/** Events after which a rejected clipboard write may succeed. */
const CHANCES = ['focus', 'pointerdown', 'pointerup', 'keydown'] as const;

let pending: AbortController | null = null;

/**
 * Empties the clipboard a minute after recovery words were pasted from it. Browsers let only a focused window clear the
 * clipboard, and some require a user gesture, so a failed attempt is retried on focus and user gestures. Copying text
 * in this window cancels the timer.
 */
export function clearClipboardLater(): void {
  pending?.abort();
  const work = new AbortController();
  pending = work;
  const { signal } = work;
  for (const event of ['copy', 'cut']) addEventListener(event, () => work.abort(), { signal });
  const attempt = () => void clear(work);
  const timer = setTimeout(() => {
    for (const event of CHANCES) addEventListener(event, attempt, { signal, capture: true });
    attempt();
  }, CLIPBOARD_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
}

/**
 * Empties the clipboard if recovery words were pasted from it. Call it during a user gesture, when the words are no
 * longer needed.
 */
export function clearClipboardNow(): void {
  if (pending && !pending.signal.aborted) void clear(pending);
}

async function clear(work: AbortController): Promise<void> {
  await navigator.clipboard.writeText('').then(
    () => work.abort(),
    () => undefined,
  );
}
