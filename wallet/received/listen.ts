/** Receives notifications about payments from the service's event stream (WHATWG HTML, 9.2) while a window is open. */
import { readKey } from '../store/database.ts';
import { openReceivedEvents } from '../service/client.ts';
import { receive } from './fetch.ts';
import { part, type Timer, type Wallet } from '../platform.ts';

/** How long the stream stays open after a window's last message (milliseconds). */
const LISTEN_MS = 30_000;
/**
 * Time without data after which a stream is considered broken (milliseconds). The service sends a comment every 15 s.
 */
const SILENCE_MS = 40_000;
/** Delay before the stream is first reopened (milliseconds). */
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 16_000;
const LOOK_EVERY_MS = 1000;
/** Maximum length of an event (characters). Events contain only their name. */
const MAX_EVENT_CHARS = 10_000;

const memoryOf = part(() => ({
  listenedAt: Number.NEGATIVE_INFINITY,
  running: false,
}));

const isListening = (wallet: Wallet) => Math.abs(wallet.now() - memoryOf(wallet).listenedAt) < LISTEN_MS;

/** Listens for 30 seconds from now, and fetches pending payments. Called repeatedly while a window is open. */
export function listen(wallet: Wallet): void {
  const memory = memoryOf(wallet);
  memory.listenedAt = wallet.now();
  if (memory.running) return;
  memory.running = true;
  void receive(wallet);
  void keepHearing(wallet);
}

async function keepHearing(wallet: Wallet): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (isListening(wallet) && (await readKey(wallet, 'account').catch(() => undefined))) {
    wait = (await hear(wallet)) ? FIRST_WAIT_MS : Math.min(MAX_WAIT_MS, 2 * wait);
    if (isListening(wallet)) await new Promise((resolve) => wallet.setTimeout(resolve, wait));
  }
  memoryOf(wallet).running = false;
}

/** Opens the stream and reads it until it ends. Never throws. @returns false if it couldn't be opened */
async function hear(wallet: Wallet): Promise<boolean> {
  const controller = new AbortController();
  let heardAt = wallet.now();
  let timer: Timer | undefined;
  const look = () => {
    if (!isListening(wallet) || Math.abs(wallet.now() - heardAt) > SILENCE_MS) controller.abort();
    else timer = wallet.setTimeout(look, LOOK_EVERY_MS);
  };
  look();
  let isOpen = false;
  try {
    const stream = await openReceivedEvents(wallet, controller.signal);
    isOpen = true;
    let text = '';
    const decoder = new TextDecoder();
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      heardAt = wallet.now();
      const events = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      text = events.pop() ?? '';
      // When a stream opens, the service also announces pending payments, so none are missed.
      if (events.some((event) => /^event: ?received$/m.test(event))) void receive(wallet);
      if (text.length > MAX_EVENT_CHARS) controller.abort();
    }
  } catch {
    // The stream was aborted or interrupted, the wallet is locked, or the service is unreachable. The next attempt may
    // succeed.
  }
  wallet.clearTimeout(timer);
  return isOpen;
}
