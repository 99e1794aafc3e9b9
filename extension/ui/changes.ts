/** Notices from the background that something changed. */
import type { CHANGES } from '../../protocol/wallet-messages.ts';

// Imported as a type, so that the windows do not load the validation library for one word; the compiler still holds
// both spellings equal.
const CHANNEL: typeof CHANGES = 'service-button-changes';

/** Calls `changed` at every change, until the returned function is called. */
export function onChanges(changed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => changed();
  return () => channel.close();
}
