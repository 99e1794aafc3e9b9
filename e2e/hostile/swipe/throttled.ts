/** Attacks by pages that the browser throttles or stops drawing, while the user sees something else. */
import type { CDPSession } from 'puppeteer-core';
import type { Arena, Attack } from './arena.ts';
import { PLACE } from './arena.ts';
import { COVER, fly } from './hangs.ts';

const SWIPE_AFTER_MS = 800;

/**
 * Returns an attack that swipes while the browser throttles or doesn't draw the page. `change` starts this state, and
 * `undo` ends it.
 */
const treated =
  (
    script: string,
    change: (session: CDPSession) => Promise<unknown>,
    undo: (session: CDPSession) => Promise<unknown>,
  ) =>
  async ({ page, run, swipe }: Arena) => {
    const session = await page.createCDPSession();
    await run(script);
    await change(session);
    await new Promise((next) => setTimeout(next, SWIPE_AFTER_MS)); // the cover moves in after 300 ms
    await swipe();
    await undo(session);
    await session.detach();
    await run('drawn()');
  };

export const throttled: Attack[] = [
  {
    name: 'a cover in a page throttled to a hundredth of the CPU',
    hand: treated(
      fly(COVER, 'Slide to unlock'),
      (session) => session.send('Emulation.setCPUThrottlingRate', { rate: 100 }),
      (session) => session.send('Emulation.setCPUThrottlingRate', { rate: 1 }),
    ),
  },
  {
    name: 'a tab that was in the background until just before the press',
    hand: async ({ page, scene, swipe }) => {
      const front = await scene.wallet.browser.newPage();
      await front.bringToFront();
      await page.bringToFront();
      await swipe();
      await front.close();
    },
  },
  {
    name: 'a frame that was outside the window, where the browser renders less, until just before the press',
    ready: `(async () => { scrollTo(0, 2000); await drawn(); scrollTo(0, 0); })()`,
  },
  {
    name: 'a button in a part of the page with content-visibility: auto',
    inside: '<style>#button{content-visibility:auto;contain-intrinsic-size:300px 48px}</style>',
    ready: `(async () => { document.body.style.paddingTop = '2000px'; button.style.top = '2600px'; await drawn(); button.style.top = '${PLACE.y}px'; })()`,
  },
];
