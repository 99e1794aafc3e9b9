/** Attacks that move, shrink, remove or change a frame before or during the gesture. */
import { expect, vi } from 'vitest';
import { readyFrame } from '../../../tooling/drive/trusted-swipe.ts';
import { hasFrame, type Attack } from './arena.ts';

export const movements: Attack[] = [
  { name: 'the button moves during the swipe', quick: true, held: `button.style.left = '160px'; drawn()` },
  {
    name: 'the button shrinks during the swipe, which shortens it',
    held: `button.style.width = '150px'; drawn()`,
  },
  { name: 'the button grows during the swipe', held: `button.style.width = '340px'; drawn()` },
  { name: 'the page scrolls during the swipe', held: `scrollBy(0, 12); drawn()` },
  {
    name: 'the button passes under a resting pointer',
    hand: async ({ page, run }) => {
      await page.mouse.move(130, 124);
      await page.mouse.down();
      for (const left of [60, 10, -40, -90, -110]) await run(`button.style.left = '${left}px'; drawn()`);
      await page.mouse.up();
    },
  },
  {
    name: 'the page is zoomed out before the swipe',
    before: `document.documentElement.style.zoom = '0.2'`,
    frameless: true,
  },
  {
    name: 'the page is zoomed out once the frame is shown',
    quick: true,
    ready: `document.documentElement.style.zoom = '0.5'; drawn()`,
  },
  {
    name: 'the page is zoomed slightly during the swipe',
    held: `document.documentElement.style.zoom = '0.99'; drawn()`,
  },
  { name: 'the host is removed during the swipe', held: `host().remove()` },
  {
    name: 'the host is removed and reinserted during the swipe',
    held: `{ const it = host(); it.remove(); document.documentElement.append(it); it.showPopover(); drawn() }`,
  },
  {
    name: 'the host is moved into the body without being removed',
    ready: `{ const it = host(); document.body.style.zoom = '0.9'; document.body.moveBefore(it, null); drawn() }`,
  },
  {
    name: 'the host is moved away and immediately back',
    quick: true,
    ready: `{ const it = host(); document.body.moveBefore(it, null); document.documentElement.moveBefore(it, null); drawn() }`,
    hand: async ({ page, swipe }) => {
      // Either the frame is removed, or it becomes visible again after a while.
      await Promise.race([readyFrame(page).catch(() => null), vi.waitFor(() => expect(hasFrame(page)).toBe(false))]);
      await swipe();
    },
  },
  {
    name: 'the host is hidden and shown again',
    quick: true,
    ready: `host().hidePopover(); host()?.showPopover(); drawn()`,
  },
  {
    name: 'the host is hidden and shown again during the swipe',
    held: `{ const it = host(); it.hidePopover(); it.isConnected && it.showPopover(); drawn() }`,
  },
  {
    name: 'the host is changed to another type of popover',
    ready: `{ const it = host(); it.popover = 'auto'; it.isConnected && it.showPopover(); drawn() }`,
  },
  { name: 'the host is no longer a popover', ready: `host().removeAttribute('popover'); drawn()` },
  { name: 'the host is inert', ready: `host().inert = true; drawn()` },
  { name: 'the whole page is inert', ready: `document.documentElement.inert = true; drawn()` },
  {
    name: 'the page prevents the host from opening',
    before: `addEventListener('beforetoggle', (event) => event.preventDefault(), true)`,
    frameless: true,
  },
  {
    name: 'the page removes the host as soon as it appears',
    before: `new MutationObserver(() => host()?.remove()).observe(document.documentElement, { childList: true })`,
    frameless: true,
  },
  {
    name: 'the page is not displayed',
    ready: `document.documentElement.style.display = 'none'`,
  },
  {
    name: 'the page’s content is not visible',
    ready: `document.documentElement.style.contentVisibility = 'hidden'`,
  },
  {
    name: 'the root element is replaced',
    ready: `{ const root = document.documentElement; document.replaceChild(document.createElement('html'), root); document.replaceChild(root, document.documentElement); drawn() }`,
  },
  {
    name: 'the document is rewritten',
    hand: async ({ run, swipe, open }) => {
      await run(
        `{ const all = document.documentElement.outerHTML; document.open(); document.write(all); document.close() }`,
      );
      await swipe();
      await open();
    },
  },
  { name: 'the button is removed when the pointer arrives', ready: `button.remove(); drawn()` },
  { name: 'the button is hidden during the swipe', held: `button.style.display = 'none'; drawn()` },
  {
    name: 'the button is as large as the page',
    before: `button.style.cssText = 'left:0;top:0;width:100%;height:880px'`,
    frameless: true,
  },
  { name: 'the button is too narrow to read', before: `button.style.width = '70px'`, frameless: true },
  { name: 'the button is half outside the window', before: `button.style.left = '-150px'`, frameless: true },
];
