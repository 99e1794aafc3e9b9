/**
 * Makes clicks wait until the element stops moving. Otherwise, a click can miss an element that moves after Puppeteer
 * has read its position.
 */
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
      // Puppeteer's error if no part of the element is visible. There was no click.
      if (!String(error).includes('not clickable') || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/**
 * Runs in the page: waits until an element hasn't moved for an animation frame, unless the page isn't rendered. Must
 * not contain named functions, which tsx would wrap in a helper that the page lacks.
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
