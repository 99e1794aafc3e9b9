/** Attacks with gestures that imitate the user's, or that the user intended for a different target. */
import type { Attack } from './arena.ts';
import { PLACE } from './arena.ts';

const MIDDLE = PLACE.y + PLACE.height / 2;
const at = (part: number): number => PLACE.x + PLACE.width * part;
const SYNTHETIC = `for (const target of [host(), document.elementFromPoint(${at(0.1)}, ${MIDDLE}), button, button.shadowRoot.querySelector('[part=track]')])
  for (const [type, x] of [['pointerdown', ${at(0.1)}], ['pointermove', ${at(0.5)}], ['pointermove', ${at(0.95)}], ['pointerup', ${at(0.95)}], ['click', ${at(0.95)}]])
    target.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true, isPrimary: true, pointerId: 1, clientX: x, clientY: ${MIDDLE}, screenX: x, screenY: ${MIDDLE} }))`;

export const hands: Attack[] = [
  { name: 'events created by a script', quick: true, hand: ({ run }) => run(SYNTHETIC) },
  { name: 'a click by a script on the host', hand: ({ run }) => run('host().click(); host().focus()') },
  { name: 'a click', hand: ({ page }) => page.mouse.click(at(0.5), MIDDLE) },
  {
    name: 'a double click',
    // The four events of the double click are sent together. After the first click, the wallet's window can hide the
    // page at any moment, and a hidden page doesn't acknowledge input.
    hand: async ({ page }) => {
      await page.mouse.move(at(0.95), MIDDLE);
      const events = [1, 2].flatMap((clickCount) => [page.mouse.down({ clickCount }), page.mouse.up({ clickCount })]);
      const front = setInterval(() => void page.bringToFront().catch(() => undefined), 100);
      await Promise.all(events).finally(() => clearInterval(front));
    },
  },
  {
    name: 'a long press',
    hand: async ({ page, run }) => {
      await page.mouse.move(at(0.95), MIDDLE);
      await page.mouse.down();
      await run('drawn()');
      await page.mouse.up();
    },
  },
  { name: 'half a swipe', quick: true, hand: ({ swipe }) => swipe({ from: 0.08, to: 0.5 }) },
  {
    name: 'many small swipes',
    hand: async ({ swipe }) => {
      for (const from of [0.05, 0.3, 0.6]) await swipe({ from, to: from + 0.3 });
    },
  },
  {
    name: 'a swipe that goes back',
    hand: async ({ page }) => {
      await page.mouse.move(at(0.08), MIDDLE);
      await page.mouse.down();
      for (const part of [0.5, 0.95, 0.5, 0.2]) await page.mouse.move(at(part), MIDDLE);
      await page.mouse.up();
    },
  },
  { name: 'a swipe in the wrong direction', hand: ({ swipe }) => swipe({ from: 0.95, to: 0.05 }) },
  { name: 'a drag that begins in the page', quick: true, hand: ({ swipe }) => swipe({ from: -0.1 }) },
  {
    name: 'a drag that begins in the page, which captures the pointer',
    before: `addEventListener('pointerdown', (event) => document.body.setPointerCapture(event.pointerId)); addEventListener('pointermove', (event) => { try { document.body.setPointerCapture(event.pointerId) } catch {} })`,
    hand: ({ swipe }) => swipe({ from: -0.1 }),
  },
  { name: 'a drag that ends in the page', hand: ({ swipe }) => swipe({ to: 1.2 }) },
  {
    name: 'a drag that leaves the frame below',
    hand: async ({ page }) => {
      await page.mouse.move(at(0.08), MIDDLE);
      await page.mouse.down();
      await page.mouse.move(at(0.95), MIDDLE + 200, { steps: 4 });
      await page.mouse.up();
    },
  },
  {
    name: 'the mouse’s other buttons',
    hand: async ({ page }) => {
      for (const button of ['right', 'middle'] as const) {
        await page.mouse.move(at(0.08), MIDDLE);
        await page.mouse.down({ button });
        await page.mouse.move(at(0.95), MIDDLE, { steps: 4 });
        await page.mouse.up({ button });
      }
    },
  },
  {
    name: 'keys typed while the page focuses the host',
    hand: async ({ page, run }) => {
      await page.mouse.click(at(0.1), MIDDLE);
      // On a busy machine, the wallet may have removed its element already.
      await run('host()?.focus()');
      for (const key of ['Enter', 'Space', 'ArrowRight', 'End', 'Tab', 'Enter', 'Space'] as const)
        await page.keyboard.press(key);
    },
  },
  {
    name: 'a second finger',
    hand: async ({ page }) => {
      const session = await page.createCDPSession();
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...parts: number[]) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: parts.map((part, id) => ({ x: at(part), y: MIDDLE, id })),
        });
      await touch('touchStart', 0.08);
      await touch('touchStart', 0.08, 0.5);
      for (const part of [0.3, 0.6, 0.95]) await touch('touchMove', part, 0.5);
      await touch('touchEnd', 0.5);
      await touch('touchEnd');
      await session.detach();
    },
  },
  {
    name: 'a pointer that the page has locked',
    hand: async ({ page, run }) => {
      await page.mouse.click(600, 600);
      await run('document.body.requestPointerLock()');
      await page.mouse.move(at(0.08), MIDDLE);
      await page.mouse.down();
      await page.mouse.move(at(0.5), MIDDLE);
      await run('document.exitPointerLock()');
      await page.mouse.move(at(0.95), MIDDLE + 60);
      await page.mouse.up();
    },
  },
  {
    name: 'one drag across two buttons',
    inside: `<div id="other" class="service-button" style="position:absolute;left:${PLACE.x}px;top:${PLACE.y + 60}px;width:300px;height:48px"></div>`,
    before: `offer({ options: { outputs: [{ to: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', amount: '0.01', currency: 'USD' }] } }, document.getElementById('other'))`,
    hand: async ({ page }) => {
      await page.mouse.move(at(0.08), MIDDLE + 60);
      await page.mouse.down();
      await page.mouse.move(at(0.5), MIDDLE + 30);
      await page.mouse.move(at(0.95), MIDDLE);
      await page.mouse.up();
    },
  },
  {
    name: 'another button replaces it during the swipe',
    inside: `<div id="other" class="service-button" style="position:absolute;left:900px;top:${PLACE.y}px;width:300px;height:48px"></div>`,
    held: `button.style.left = '900px'; document.getElementById('other').style.left = '${PLACE.x}px'; drawn()`,
  },
  {
    name: 'another button replaces it just before the swipe',
    inside: `<div id="other" class="service-button" style="position:absolute;left:900px;top:${PLACE.y}px;width:300px;height:48px"></div>`,
    ready: `button.remove(); document.getElementById('other').style.left = '${PLACE.x}px'; offer({ options: { outputs: [{ to: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', amount: '0.10', currency: 'USD' }] } }, document.getElementById('other')); drawn()`,
  },
];
