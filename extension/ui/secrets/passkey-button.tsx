import browser from 'webextension-polyfill';
import { ErrorNote } from '../controls/error-note.tsx';
import { inPopup } from '../window/popup-and-tabs.ts';
import { passkeyTexts as t } from '../texts/texts.ts';
import { useAction } from '../window/use-action.ts';
import { unlockByTouch, useLeaving, usePasskeys } from './use-passkeys.ts';

/** URL hash of a popup in a separate window that unlocks with a passkey. */
export const UNLOCK_HASH = '#unlock';

interface PasskeyButtonProps {
  onUnlocked: () => Promise<void>;
  /** Called before the browser's prompt. If it throws, the click is ignored. */
  before?: () => void;
}

/**
 * Shows a button that unlocks with a passkey, or nothing if there is no passkey. Callers always show the password field
 * as well.
 */
export function PasskeyButton({ onUnlocked, before }: PasskeyButtonProps) {
  const { passkeys } = usePasskeys();
  const signal = useLeaving();
  const unlock = useAction(async () => {
    before?.();
    if (inPopup()) return openWindow();
    await unlockByTouch(passkeys, signal());
    await onUnlocked();
  });
  if (passkeys.length === 0) return null;
  return (
    <div class="stack stack-tight">
      <button
        type="button"
        class="button button-quiet button-block"
        aria-busy={unlock.busy}
        onClick={() => void unlock.run()}
      >
        {unlock.busy ? t.waiting : t.unlock}
      </button>
      <ErrorNote error={unlock.error} kind="warning" />
    </div>
  );
}

/** Opens a window, because the browser's prompt takes focus, which closes a popup. */
async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(`extension/popup/index.html${UNLOCK_HASH}`);
  await browser.windows.create({ type: 'popup', url, width: 380, height: 640 });
  window.close();
}
