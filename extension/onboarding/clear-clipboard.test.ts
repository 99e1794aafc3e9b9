import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CLIPBOARD_MS, clearClipboardLater, clearClipboardNow } from './clear-clipboard.ts';

let clipboard = '';
let isAllowed = true;
beforeEach(() => {
  vi.useFakeTimers();
  clipboard = 'the words';
  isAllowed = true;
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    if (!isAllowed) throw new DOMException('Document is not focused.', 'NotAllowedError');
    clipboard = text;
  });
});
afterEach(() => {
  dispatchEvent(new Event('copy')); // Cancels the test's timer.
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the clipboard is emptied a minute after words were pasted, and not before', async () => {
  clearClipboardLater();
  await vi.advanceTimersByTimeAsync(CLIPBOARD_MS - 1);
  expect(clipboard).toBe('the words');
  await vi.advanceTimersByTimeAsync(1);
  expect(clipboard).toBe('');
  clipboard = 'something later';
  await vi.advanceTimersByTimeAsync(10 * CLIPBOARD_MS);
  dispatchEvent(new Event('focus'));
  expect(clipboard).toBe('something later');
});

test('a refused attempt is repeated once the window has the focus again', async () => {
  clearClipboardLater();
  isAllowed = false;
  await vi.advanceTimersByTimeAsync(CLIPBOARD_MS);
  dispatchEvent(new Event('keydown'));
  await vi.advanceTimersByTimeAsync(0);
  expect(clipboard).toBe('the words');
  isAllowed = true;
  dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(0);
  expect(clipboard).toBe('');
});

test('text that the user copies here in the meantime stays', async () => {
  clearClipboardLater();
  dispatchEvent(new Event('copy'));
  clipboard = 'my note';
  await vi.advanceTimersByTimeAsync(2 * CLIPBOARD_MS);
  clearClipboardNow();
  expect(clipboard).toBe('my note');
});

test('nothing is emptied if no words were pasted', async () => {
  clearClipboardNow();
  await vi.advanceTimersByTimeAsync(2 * CLIPBOARD_MS);
  expect(clipboard).toBe('the words');
});
