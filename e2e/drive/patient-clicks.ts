/**
 * A click waits for what moves away under it: puppeteer scrolls to an element first and looks where it is then, so what
 * opens above it in between would make the click fail.
 */
import { ElementHandle } from 'puppeteer-core';
import { PATIENCE_MS } from '../../testing/patience.ts';

const { click } = ElementHandle.prototype;

ElementHandle.prototype.click = async function (options) {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    try {
      return await click.call(this, options);
    } catch (error) {
      // Puppeteer's words where no part of it is in sight: nothing was clicked.
      if (!String(error).includes('not clickable') || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
