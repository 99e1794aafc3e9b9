import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { call } from '../ui/window/call.ts';
import type { ClickGuard } from '../ui/window/click-guard.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { PasskeyButton } from '../ui/secrets/passkey-button.tsx';
import { SecretField } from '../ui/secrets/secret-field.tsx';
import { ShortcutHelp } from '../ui/window/shortcut-list.tsx';
import { ignoreHeldKeys, useShortcut } from '../ui/window/shortcuts.ts';
import { approvalTexts as t, texts } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import { BlockOffer } from './block-offer.tsx';

export type Choice = { yes: true } | { yes: false; blockHours?: 1 | 24 };

interface DecisionProps {
  title: string;
  locked: boolean;
  /** The approve button: its DOM name and visible label, and whether it is enabled. */
  yes: {
    action: 'pay' | 'grant' | 'sign' | 'mint' | 'permit' | 'unlock';
    label: string;
    busy: string;
    possible: boolean;
  };
  mayBlock: boolean;
  guard: ClickGuard;
  deciding: { current: boolean };
  decide: (choice: Choice) => Promise<void>;
  /**
   * Set if part of the prompt is hidden while the wallet is locked. The button then only unlocks the wallet and calls
   * this function.
   */
  lookFirst?: (() => Promise<void>) | undefined;
  children?: ComponentChildren;
}

/** Shows the buttons to approve and reject, and the fields to unlock the wallet in the same window. */
export function Decision({
  title,
  locked,
  yes,
  mayBlock,
  guard,
  deciding,
  decide,
  lookFirst,
  children,
}: DecisionProps) {
  const [password, setPassword] = useState('');
  const action = useAction(async (choice: Choice) => {
    if (!guard.ready()) {
      // A repeated click or key press might be accidental, so it counts only after a pause.
      guard.restart();
      throw new ServiceError('too-soon');
    }
    deciding.current = true;
    try {
      if (choice.yes && locked) {
        await call('vault/unlock', { password });
        setPassword('');
        if (lookFirst) {
          await lookFirst();
          // The button's action has changed, so a click in progress must not count.
          return guard.restart();
        }
      }
      return await decide(choice);
    } finally {
      deciding.current = false;
    }
  });
  const wrongPassword = action.error?.code === 'wrong-password' ? action.error.message : null;
  const needsPassword = locked && password === '';
  // The window's title also shows the prompt's title.
  useEffect(() => void (document.title = title), [title]);
  const form = useRef<HTMLFormElement>(null);
  const submit = () => {
    if (yes.possible && !needsPassword) void action.run({ yes: true });
  };
  useShortcut('leave', () => void action.run({ yes: false }));
  useShortcut('confirm', () => {
    if (yes.possible && needsPassword) form.current?.querySelector<HTMLElement>('input[type=password]')?.focus();
    else submit();
  });
  return (
    <form
      ref={form}
      class="approval-decision"
      aria-label={title}
      onKeyDown={ignoreHeldKeys}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ShortcutHelp />
      {children}
      {mayBlock && <BlockOffer busy={action.busy} onBlock={(blockHours) => action.run({ yes: false, blockHours })} />}
      {locked && yes.possible && (
        <SecretField
          label={texts.password}
          autocomplete="current-password"
          value={password}
          error={wrongPassword}
          onInput={(value) => {
            setPassword(value);
            action.clear();
          }}
        />
      )}
      {locked && yes.possible && (
        <PasskeyButton
          before={() => {
            if (guard.ready()) return;
            guard.restart();
            throw new ServiceError('too-soon');
          }}
          onUnlocked={async () => {
            await lookFirst?.();
            // The action of the button below has changed. Using a passkey never approves the prompt.
            guard.restart();
          }}
        />
      )}
      {!wrongPassword && (
        <ErrorNote error={action.error} kind={action.error?.code === 'too-soon' ? 'warning' : 'danger'} />
      )}
      <div class="approval-buttons">
        <button type="button" class="button button-quiet" onClick={() => action.run({ yes: false })}>
          {t.refuse}
        </button>
        <button
          type="submit"
          class="button button-primary"
          disabled={!yes.possible || needsPassword}
          aria-busy={action.busy}
          data-action={yes.action}
        >
          {action.busy ? yes.busy : yes.label}
        </button>
      </div>
    </form>
  );
}
