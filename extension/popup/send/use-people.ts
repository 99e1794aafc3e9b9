import { useEffect, useState } from 'preact/hooks';
import type { ContactView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { useContacts } from '../contacts/use-contacts.ts';

/** Returns the contacts and the recent recipients. Both lists are empty until they are read. */
export function usePeople(): { contacts: readonly ContactView[]; recents: readonly string[] } {
  const [recents, setRecents] = useState<readonly string[]>([]);
  useEffect(() => {
    call('send/recents', {}).then(
      (answer) => setRecents(answer.recipients),
      () => undefined,
    );
  }, []);
  return { contacts: useContacts() ?? [], recents };
}
