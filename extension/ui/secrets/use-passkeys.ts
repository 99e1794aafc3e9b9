import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PasskeyView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../window/call.ts';
import { passkeysPossible, touchPasskey } from './passkey.ts';

/** Returns the wallet's passkeys and a function to reload them. Empty if passkeys can't be used or read. */
export function usePasskeys(): { passkeys: PasskeyView[]; read: () => Promise<void> } {
  const [passkeys, setPasskeys] = useState<PasskeyView[]>([]);
  const read = useCallback(async () => {
    if (!(await passkeysPossible())) return;
    // If passkeys can't be read, the password still unlocks the wallet.
    setPasskeys(
      await call('passkeys/list', {}).then(
        (answer) => answer.passkeys,
        () => [],
      ),
    );
  }, []);
  useEffect(() => void read(), [read]);
  return { passkeys, read };
}

/** Returns a signal that aborts passkey prompts when the window or component is closed. */
export function useLeaving(): () => AbortSignal {
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const left = new AbortController();
    leaving.current = left;
    const leave = () => left.abort();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return () => leaving.current.signal;
}

/** Unlocks the wallet with a passkey. @throws ServiceError `wrong-passkey`, `too-many-requests` */
export async function unlockByTouch(passkeys: readonly PasskeyView[], signal: AbortSignal): Promise<void> {
  const touched = await touchPasskey(passkeys, signal);
  try {
    await call('vault/unlock-with-passkey', touched);
  } finally {
    touched.output.fill(0);
  }
}
