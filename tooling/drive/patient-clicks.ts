/** Clicks wait until their element is still: Puppeteer scrolls first, then reads the position, and would miss. */
import { ElementHandle } from 'puppeteer-core';
import { PATIENCE_MS } from '../../testing/patience.ts';

const { click } = ElementHandle.prototype;

ElementHandle.prototype.click = async function (options) {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    try {
      await this.scrollIntoView();
      await this.evaluate(untilItRests);
      return await click.call(this, options);
    } catch (error) {
      // Puppeteer's message if no part is visible. Nothing was clicked.
      if (!String(error).includes('not clickable') || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/**
 * Runs in the page: waits until an element hasn't moved for a frame, unless the page draws nothing. Without named
 * functions, for which `npm run demo` would need a helper.
 */
async function untilItRests(element: Element): Promise<void> {
  let before = '';
  for (let left = 50; left > 0; left--) {
    const { x, y, width, height } = element.getBoundingClientRect();
    const now = [x, y, width, height].map(Math.round).join(' ');
    if (now === before) return;
    before = now;
    await new Promise<unknown>((drawn) => {
      requestAnimationFrame(drawn);
      setTimeout(drawn, 100);
    });
  }
}
