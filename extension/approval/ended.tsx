import { useLayoutEffect, useRef } from 'preact/hooks';
import { CheckIcon, CrossIcon, WarningIcon } from '../ui/controls/icons.tsx';
import { useShortcut } from '../ui/window/shortcuts.ts';
import { texts } from '../ui/texts/texts.ts';

/** How long the outcome is shown before the window closes (milliseconds). */
const LEAVE_MS = 1500;

/** If `leave` is set, the window closes automatically. */
export interface Ending {
  kind: 'paid' | 'refused' | 'over' | 'failed';
  title: string;
  text: string;
  /** The recipient's name. */
  to?: string;
  leave?: boolean;
}

/** Shows the window's last page: the user's decision, or why no decision is possible. */
export function Ended({ ending }: { ending: Ending }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus();
    if (!ending.leave) return undefined;
    const timer = setTimeout(() => window.close(), LEAVE_MS);
    return () => clearTimeout(timer);
  }, [ending]);
  useShortcut('leave', () => window.close());
  const Icon = ending.kind === 'paid' ? CheckIcon : ending.kind === 'refused' ? CrossIcon : WarningIcon;
  return (
    <main class={`approval-end approval-end-${ending.kind}`}>
      <span class="approval-end-icon">
        <Icon size={28} />
      </span>
      <h1 class="heading" tabIndex={-1} ref={heading}>
        {ending.title}
      </h1>
      {ending.to && (
        <p class="anywhere" data-part="paid-to" dir="auto">
          {ending.to}
        </p>
      )}
      <p class="muted">{ending.text}</p>
      {!ending.leave && (
        <button type="button" class="button button-quiet" onClick={() => window.close()}>
          {texts.close}
        </button>
      )}
    </main>
  );
}
