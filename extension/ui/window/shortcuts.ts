/**
 * Implements the keyboard shortcuts of the wallet's windows. Ignores synthetic events, and keys that were already held
 * down when the window opened. Decisions about money are also protected by the click guard.
 */
import { useLayoutEffect } from 'preact/hooks';

/** The action of a shortcut. {@link shortcutOf} maps keys to actions. */
export type Shortcut = 'leave' | 'confirm' | 'search' | 'help';

let single = true;

/** Enables or disables `/` and `?`, which can interfere with speech input (WCAG 2.2, 2.1.4). */
export function setSingleKeys(on: boolean): void {
  single = on;
}

type Press = Pick<
  KeyboardEvent,
  | 'key'
  | 'isTrusted'
  | 'repeat'
  | 'isComposing'
  | 'defaultPrevented'
  | 'ctrlKey'
  | 'metaKey'
  | 'altKey'
  | 'shiftKey'
  | 'target'
>;

/** Returns the shortcut of a key press, or null. While the user types, only Ctrl+Enter and Cmd+Enter are shortcuts. */
export function shortcutOf(press: Press): Shortcut | null {
  const { key, isTrusted, repeat, isComposing, defaultPrevented, ctrlKey, metaKey, altKey, shiftKey, target } = press;
  if (!isTrusted || repeat || isComposing || defaultPrevented || altKey) return null;
  if (key === 'Enter') return ctrlKey !== metaKey && !shiftKey ? 'confirm' : null;
  if (ctrlKey || metaKey || isTyping(target)) return null;
  if (key === 'Escape') return 'leave';
  if (!single) return null;
  if (key === '/') return 'search';
  return key === '?' || key === '؟' ? 'help' : null;
}

/** True if the element handles typed keys itself. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches(
      'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=file])',
    )
  );
}

/** Runs `run` for a shortcut while the component is mounted. Only one component can use a shortcut at a time. */
export function useShortcut(shortcut: Shortcut, run: (() => void) | null): void {
  useLayoutEffect(() => {
    if (run === null) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (shortcutOf(event) !== shortcut || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault(); // Otherwise, Escape would close the whole popup.
      run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

/** Ignores repeated events from a held Enter or space key, for buttons that need a separate press. */
export function ignoreHeldKeys(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
}

/** The keys for the next and previous item: on a line (in reading direction), or in a list. */
const ARROWS = { line: ['ArrowRight', 'ArrowLeft'], list: ['ArrowDown', 'ArrowUp'] } as const;

/** Moves focus among the elements that match `selector`, with arrow keys, Home and End. */
export function moveFocus(event: KeyboardEvent, selector: string, along: keyof typeof ARROWS): void {
  const container = event.currentTarget;
  if (!(container instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const items = [...container.querySelectorAll<HTMLElement>(selector)];
  const now = items.findIndex((item) => item === document.activeElement);
  if (now < 0) return;
  const [forward, back] = ARROWS[along];
  const step = along === 'line' && document.documentElement.dir === 'rtl' ? -1 : 1;
  const places: Record<string, number> = { [forward]: now + step, [back]: now - step, Home: 0, End: items.length - 1 };
  const next = items[places[event.key] ?? -1];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
