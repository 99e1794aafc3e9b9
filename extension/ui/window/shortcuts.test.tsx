import { cleanup, render } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { pressKey } from '../../../testing/press-key.ts';
import { moveFocus, setSingleKeys, shortcutOf, useShortcut } from './shortcuts.ts';

afterEach(() => {
  cleanup();
  setSingleKeys(true);
  document.documentElement.dir = 'ltr';
});

const press = (key: string, more: Partial<Parameters<typeof shortcutOf>[0]> = {}) =>
  shortcutOf({
    key,
    isTrusted: true,
    repeat: false,
    isComposing: false,
    defaultPrevented: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    target: document.body,
    ...more,
  });

function field(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
}

test('each shortcut works on any keyboard layout', () => {
  expect(press('Escape')).toBe('leave');
  expect(press('Enter', { ctrlKey: true })).toBe('confirm');
  expect(press('Enter', { metaKey: true })).toBe('confirm');
  expect(press('/')).toBe('search');
  expect(press('/', { shiftKey: true })).toBe('search');
  expect(press('?', { shiftKey: true })).toBe('help');
  expect(press('؟', { shiftKey: true })).toBe('help');
  for (const key of ['Enter', ' ', 'a', 'Tab']) expect(press(key)).toBeNull();
});

test('a held, composed, handled or scripted key press isn’t a shortcut', () => {
  const nots = [
    { repeat: true },
    { isComposing: true },
    { defaultPrevented: true },
    { isTrusted: false },
    { altKey: true },
  ];
  for (const not of nots) {
    for (const key of ['Escape', '/', '?']) expect(press(key, not), JSON.stringify(not)).toBeNull();
    expect(press('Enter', { ctrlKey: true, ...not }), JSON.stringify(not)).toBeNull();
  }
});

test('keys are text in a field, except for the confirmation keys', () => {
  for (const html of [
    '<input>',
    '<input type="search">',
    '<textarea></textarea>',
    '<select></select>',
    '<p contenteditable></p>',
  ]) {
    const target = field(html);
    for (const key of ['Escape', '/', '?']) expect(press(key, { target }), html).toBeNull();
    expect(press('Enter', { target, ctrlKey: true }), html).toBe('confirm');
  }
  for (const html of ['<button></button>', '<input type="checkbox">', '<input type="radio">'])
    expect(press('/', { target: field(html) }), html).toBe('search');
});

test('single-key shortcuts can be turned off without the others', () => {
  setSingleKeys(false);
  expect([press('/'), press('?'), press('Escape')]).toEqual([null, null, 'leave']);
});

test('a shortcut works while its component is mounted, and not under an open dialog', async () => {
  const run = vi.fn();
  function Window({ dialog }: { dialog: boolean }) {
    useShortcut('leave', run);
    return <dialog open={dialog} />;
  }
  const { rerender, unmount } = render(<Window dialog={false} />);
  await pressKey('Escape');
  rerender(<Window dialog />);
  await pressKey('Escape');
  expect(run).toHaveBeenCalledTimes(1);
  rerender(<Window dialog={false} />);
  unmount();
  await pressKey('Escape');
  expect(run).toHaveBeenCalledTimes(1);
});

test('arrow keys move through a list and along a line, in the language’s direction', async () => {
  const Row = ({ along }: { along: 'list' | 'line' }) => (
    <div onKeyDown={(event) => moveFocus(event, 'button', along)}>
      {['a', 'b', 'c'].map((name) => (
        <button key={name} type="button" id={name} />
      ))}
      <input />
    </div>
  );
  const at = () => document.activeElement?.id;
  const moves = async (...keys: string[]) => {
    const places = [];
    for (const key of keys) {
      await pressKey(key);
      places.push(at());
    }
    return places.join('');
  };
  render(<Row along="list" />);
  document.getElementById('a')?.focus();
  expect(await moves('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'ArrowUp', 'End')).toBe('bccbaac');
  expect(await moves('ArrowRight', 'a')).toBe('cc');
  document.querySelector('input')?.focus();
  expect(await moves('ArrowDown')).toBe('');
  cleanup();
  render(<Row along="line" />);
  document.getElementById('a')?.focus();
  expect(await moves('ArrowRight', 'ArrowLeft', 'ArrowDown')).toBe('baa');
  document.documentElement.dir = 'rtl';
  expect(await moves('ArrowLeft', 'ArrowRight')).toBe('ba');
});
