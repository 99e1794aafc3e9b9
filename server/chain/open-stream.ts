/** If an operator can't open a stream within this time, it is polled instead (ms). */
const OPEN_TIMEOUT_MS = 10_000;
/** Arcade sends a comment every 15 seconds. After four missed comments, the connection is considered broken (ms). */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Opens a stream. Doesn't follow redirects.
 * @throws if no stream starts within 10 s. Iterating throws if nothing arrives for `idleMs`, or after `signal` is
 * aborted
 */
export async function openStream(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  idleMs = IDLE_TIMEOUT_MS,
): Promise<{ status: number; body: AsyncIterable<Uint8Array> | null }> {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let timer = setTimeout(end, OPEN_TIMEOUT_MS);
  const release = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
  };
  try {
    const { status, body } = await fetch(url, {
      headers: { Accept: 'text/event-stream', ...headers },
      redirect: 'error',
      signal: ending.signal,
    });
    clearTimeout(timer);
    if (status === 200 && body) return { status, body: chunks(body.getReader()) };
    release();
    return { status, body: null };
  } catch (error) {
    release();
    throw error;
  }

  async function* chunks(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncIterable<Uint8Array> {
    // Node's fetch can miss an abort after its request is garbage-collected, so the reader is also canceled.
    ending.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
    try {
      for (;;) {
        clearTimeout(timer);
        timer = setTimeout(end, idleMs);
        timer.unref();
        const { done, value } = await reader.read();
        if (ending.signal.aborted) throw new Error('the stream was ended');
        if (done) return;
        yield value;
      }
    } finally {
      release();
    }
  }
}
