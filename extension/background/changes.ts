/** Tells the wallet's own windows that something changed; they ask again for what they show. */
import { CHANGES } from '../../protocol/wallet-messages.ts';

const channel = new BroadcastChannel(CHANGES);

/** Something a window may show has changed. Carries nothing. */
export function announceChange(): void {
  channel.postMessage(null);
}
