/** Notices from the background that something changed. */
import { CHANGES } from '../../../protocol/messages/wire.ts';

/** Calls `changed` at every change, until the returned function is called. */
export function onChanges(changed: () => void): () => void {
  const channel = new BroadcastChannel(CHANGES);
  channel.onmessage = () => changed();
  return () => channel.close();
}
