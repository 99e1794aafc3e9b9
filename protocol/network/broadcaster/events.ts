/** Server-sent events about transactions from Arcade (docs/sse.md in its repository). */
import { networkTransaction, type NetworkTransaction } from '../arc.ts';

/** A change in a transaction's status. */
export interface TransactionEvent {
  /** Sent as `Last-Event-ID` to resume after this event. Null if the event lacks an ID. */
  id: string | null;
  transaction: NetworkTransaction;
}

/**
 * Maximum length of an event (characters). Longer events end the stream. A merkle path has fewer than 10,000
 * characters.
 */
const MAX_EVENT_CHARS = 1_000_000;
const MAX_ID_CHARS = 100;

/** Reads an event stream (HTML standard, 9.2), skipping malformed lines. @throws Error if an event is too long */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncIterable<TransactionEvent> {
  const decoder = new TextDecoder();
  let left: string[] = [];
  let length = 0;
  let id: string | null = null;
  let data: string[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    // Chunks of an unfinished line are only collected, because searching the whole line each time would be quadratic.
    const isUnfinished = !/[\r\n]/.test(text) && !left.at(-1)?.endsWith('\r');
    left.push(text);
    length += text.length;
    if (length + size > MAX_EVENT_CHARS) throw new Error('event too long');
    if (isUnfinished) continue;
    // A CR at the end might be the first half of CR LF.
    const lines = left.join('').split(/\r\n|\n|\r(?!$)/);
    left = [lines.pop() ?? ''];
    length = left[0]?.length ?? 0;
    for (const line of lines) {
      if (line === '') {
        const transaction = parse(data.join('\n'));
        if (transaction) yield { id, transaction };
        [data, size] = [[], 0];
        continue;
      }
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'id' && value.length <= MAX_ID_CHARS && !/[^\x20-\x7e]/.test(value)) id = value;
      if (name === 'data') {
        data.push(value);
        size += value.length + 1;
      }
    }
  }
}

function parse(text: string): NetworkTransaction | null {
  if (text === '') return null;
  try {
    return networkTransaction.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
