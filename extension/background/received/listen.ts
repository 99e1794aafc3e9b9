/** Receives notifications of arrivals while a window is open, by the service's event stream (WHATWG HTML, 9.2). */
import { readKey } from '../database.ts';
import { openReceivedEvents } from '../service/client.ts';
import { receive } from './fetch.ts';

/** How long the stream stays open after a window's last message (milliseconds). */
const LISTEN_MS = 30_000;
/** A stream without data for this long is broken, because a comment comes every 15 s (milliseconds). */
const SILENCE_MS = 40_000;
/** Waits before a stream is opened again: after the first and at most (milliseconds). */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 16_000;
const LOOK_EVERY_MS = 1000;
/** An event consists of its name only: anything longer is not one (characters). */
const LONGEST_EVENT = 10_000;

let listenedAt = Number.NEGATIVE_INFINITY;
let running = false;

const isListening = () => Math.abs(Date.now() - listenedAt) < LISTEN_MS;

/** A window is open: listens for half a minute from now, and fetches pending payments. */
export function listen(): void {
  listenedAt = Date.now();
  if (running) return;
  running = true;
  void receive();
  void keepHearing();
}

async function keepHearing(): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (isListening() && (await readKey('account').catch(() => undefined))) {
    wait = (await hear()) ? FIRST_WAIT_MS : Math.min(LONGEST_WAIT_MS, 2 * wait);
    if (isListening()) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  running = false;
}

/** Opens the stream and reads it to its end. @returns whether there was one. Never throws */
async function hear(): Promise<boolean> {
  const controller = new AbortController();
  let heardAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (!isListening() || Math.abs(Date.now() - heardAt) > SILENCE_MS) controller.abort();
    else timer = setTimeout(look, LOOK_EVERY_MS);
  };
  look();
  let isOpen = false;
  try {
    const stream = await openReceivedEvents(controller.signal);
    isOpen = true;
    let text = '';
    const decoder = new TextDecoder();
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      heardAt = Date.now();
      const events = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      text = events.pop() ?? '';
      // Waiting transactions are announced when the stream opens, so nothing is missed in between.
      if (events.some((event) => /^event: ?received$/m.test(event))) void receive();
      if (text.length > LONGEST_EVENT) controller.abort();
    }
  } catch {
    // Cut off by us or on its way, locked, or unreachable: the next try may do better.
  }
  clearTimeout(timer);
  return isOpen;
}
