/**
 * Attacks by pages that hang: their process no longer updates its state, but the compositor continues to move elements.
 * Input still reaches the wallet's frame, which is in another process.
 */
import { expect, vi } from 'vitest';
import { PATIENCE_MS } from '../../../testing/patience.ts';
import type { Arena, Attack } from './arena.ts';
import { PLACE } from './arena.ts';

/** The style of a nearly opaque cover over the frame. */
export const COVER = `left:${PLACE.x}px;top:${PLACE.y}px;width:${PLACE.width}px;height:${PLACE.height}px;background:rgb(255 255 255 / 0.985);`;
const PATCH = `left:${PLACE.x + PLACE.width - 80}px;top:${PLACE.y + 6}px;width:76px;height:20px;background:white;`;
const BLIND = 'pointer-events:none;';

/**
 * Waits for two animation frames, then blocks the page for `ms`. `during` runs before the wait, and `afterwards` after
 * the block.
 */
const hang = (ms: number, during: string, afterwards = '') =>
  `${during}; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
    window.hangs = true;
    const end = performance.now() + ${ms};
    while (performance.now() < end);
    ${afterwards}
  })));`;

/** Hides a popover's invisible backdrop. Otherwise, the browser would report that the backdrop covers the frame. */
const NO_BACKDROP = `css('div::backdrop{display:none}')`;

/** Shows a popover that a compositor animation moves over the frame while the page hangs. */
export const fly = (style: string, text: string) =>
  `${NO_BACKDROP}; window.flown = popover('${style}${BLIND}', '${text}'); window.flown.animate([{ transform: 'translateX(200vw)' }, { transform: 'none' }], { duration: 10, delay: 300, fill: 'both' })`;

/** Starts a script in the page without waiting for it to finish, and swipes after a delay (milliseconds). */
const during = (script: string, after: number) => async (arena: Arena) => {
  await arena.run(script);
  await new Promise((next) => setTimeout(next, after));
  await arena.swipe();
};

let hangings = 0;

/**
 * Covers the frame, blocks the page during the whole gesture, and uncovers the frame again. Using a cookie, the test
 * times the end of the block more precisely than a real page could.
 * @param meanwhile a script that the blocked page runs about 60 times a second
 */
const whileSwiped =
  (meanwhile = '') =>
  async ({ page, run, scene, site, swipe }: Arena) => {
    const name = `over${(hangings += 1)}`;
    await run(`${fly(PATCH, '$0.01')}; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      const request = new XMLHttpRequest();
      request.open('GET', '/${name}', false);
      request.send();
      while (!document.cookie.includes('${name}=')) {
        ${meanwhile};
        for (const end = performance.now() + 15; performance.now() < end; );
      }
      flown.remove();
    })))`);
    await vi.waitFor(() => expect(site.asked).toContain(`/${name}`), { timeout: PATIENCE_MS });
    await new Promise((next) => setTimeout(next, 1000)); // the patch flies in after 300 ms
    await swipe();
    await scene.wallet.browser.setCookie({ name, value: '1', domain: new URL(site.origin).hostname, path: '/' });
    await page.evaluate('drawn()');
  };

/** Imitates the relay's heartbeat as well as a page can. */
const FORGED = `document.dispatchEvent(new Event('visibilitychange'));
  for (const type of ['pointermove', 'scroll', 'resize']) window.dispatchEvent(new Event(type))`;

/** Attacks by pages that stop drawing before, during or after the gesture. */
export const hangs: Attack[] = [
  {
    name: 'a cover that the compositor moves over the frame during a hang',
    hand: during(hang(2400, fly(COVER, 'Slide to unlock'), 'flown.remove()'), 1300),
  },
  {
    name: 'a patch that the compositor moves over the amount during a hang',
    hand: during(hang(2400, fly(PATCH, '$0.01'), 'flown.remove()'), 1300),
  },
  {
    name: 'only a hang',
    hand: during(hang(2400, ''), 1300),
  },
  {
    name: 'a hang that begins during the swipe',
    quick: true,
    held: `void setTimeout(() => { const end = performance.now() + 1500; while (performance.now() < end); })`,
  },
  {
    name: 'a hang of 300 ms that ends during the swipe, with a cover over the frame in between',
    hand: during(hang(300, fly(COVER, ''), 'flown.remove()'), 300),
  },
  { name: 'a hang from before the press until after the release', hand: whileSwiped() },
  { name: 'a hang with a forged heartbeat until after the release', quick: true, hand: whileSwiped(FORGED) },
  {
    name: 'a cover during a hang while workers of the page take the CPU',
    before: `for (let n = 0; n < 4; n += 1) new Worker(URL.createObjectURL(new Blob(['for (const end = Date.now() + 8000; Date.now() < end;);'])))`,
    hand: during(hang(2400, fly(COVER, 'Slide to unlock'), 'flown.remove()'), 1300),
  },
  {
    name: 'a cover during a hang of a page with thousands of nodes',
    inside: '<div style="position:absolute;top:700px">' + '<p><b>x</b></p>'.repeat(10_000) + '</div>',
    hand: during(hang(2400, fly(COVER, 'Slide to unlock'), 'flown.remove()'), 1300),
  },
  {
    name: 'a page that draws five frames a second',
    ready: `(function next() { const end = performance.now() + 200; while (performance.now() < end); requestAnimationFrame(next); })()`,
  },
  {
    name: 'a smooth scroll that moves the frame under a fixed cover during a hang',
    inside: '<style>#button{top:400px !important}</style>',
    ready: `${NO_BACKDROP}; popover('${COVER}${BLIND}'); drawn()`,
    hand: during(hang(2600, `scrollTo({ top: ${400 - PLACE.y}, behavior: 'smooth' })`), 1500),
  },
  {
    name: 'a scroll that moves the frame under the pointer 60 ms before the press',
    quick: true,
    inside: '<style>#button{top:400px !important}</style>',
    before: `addEventListener('pointermove', () => scrollTo(0, ${400 - PLACE.y}), { once: true })`,
    hand: async ({ page, swipe }) => {
      await page.mouse.move(PLACE.x + 20, PLACE.y + PLACE.height / 2);
      await new Promise((next) => setTimeout(next, 60));
      await swipe();
    },
  },
];
