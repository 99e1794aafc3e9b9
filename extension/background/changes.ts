/** Tells the wallet's own windows that something changed; they ask again for what they show. */
import { CHANGES } from '../../protocol/wallet-messages.ts';

/** Changes of the same moment are told once (milliseconds): an open window's questions must not slow a payment down. */
const TOGETHER_MS = 60;

const channel = new BroadcastChannel(CHANGES);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Something a window may show has changed. Carries nothing. */
export function announceChange(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    channel.postMessage(null);
  }, TOGETHER_MS);
}
