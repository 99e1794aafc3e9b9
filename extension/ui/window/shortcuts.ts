/**
 * Keyboard shortcuts of the wallet's windows. Only a user's own press counts: no scripted event, and no key held down
 * since before the window opened. Decisions about money also have the click guard.
 */
import { useLayoutEffect } from 'preact/hooks';

/** The effect of a shortcut. For its keys, see {@link shortcutOf}. */
export type Shortcut = 'leave' | 'confirm' | 'search' | 'help';

let single = true;

/** Turns `/` and `?` on or off. They can disturb speech input (WCAG 2.2, 2.1.4). */
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

/** The shortcut of a key press, or null. While the user types, only Ctrl or Cmd with Enter is one. */
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

/** True for a field that handles the keys itself. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches(
      'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=file])',
    )
  );
}

/** Runs `run` for a shortcut while the component is mounted. One component at a time. */
export function useShortcut(shortcut: Shortcut, run: (() => void) | null): void {
  useLayoutEffect(() => {
    if (run === null) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (shortcutOf(event) !== shortcut || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault(); // the browser would close the whole popup
      run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

/** Ignores the repeated presses of a held Enter or space, for buttons that must be pressed once. */
export function ignoreHeldKeys(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
}

/** The keys that move forward and back: along a line, by reading direction, or down a list. */
const ARROWS = { line: ['ArrowRight', 'ArrowLeft'], list: ['ArrowDown', 'ArrowUp'] } as const;

/** Moves the focus among the elements that `selector` finds, with arrow keys, Home and End. */
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
