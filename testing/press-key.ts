/** Simulates trusted key presses in a DOM, because shortcuts ignore untrusted events. */
import { act } from '@testing-library/preact';

/** Presses a key on the focused element, or on `target`. */
export async function pressKey(
  key: string,
  { target, ...init }: KeyboardEventInit & { target?: Element } = {},
): Promise<void> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  Object.defineProperty(event, 'isTrusted', { value: true });
  await act(async () => void (target ?? document.activeElement ?? document.body).dispatchEvent(event));
}
