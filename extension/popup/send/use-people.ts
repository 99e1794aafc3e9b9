/** Whom the user may mean: contacts, and who was sent to lately. The forms work without them. */
import { useEffect, useState } from 'preact/hooks';
import type { ContactView } from '../../../protocol/wallet-messages.ts';
import { call } from '../../ui/call.ts';
import { useContacts } from '../contacts/use-contacts.ts';

/** See above; none until they are known. */
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
