/**
 * Frames of other processes, of which the wallet's are some, are asked in the process that they are in. Where several
 * appear at once, puppeteer hears that one has a session of its own before it has taken the frame in (it waits for the
 * tree of another), and then asks the page's session about it: that one never has its contexts, and whoever waits for
 * the frame waits for ever.
 */
import type { CdpFrame } from 'puppeteer-core/internal/cdp/Frame.js';
import { FrameManager } from 'puppeteer-core/internal/cdp/FrameManager.js';
import { FrameManagerEvent } from 'puppeteer-core/internal/cdp/FrameManagerEvents.js';

const { onAttachedToTarget } = FrameManager.prototype;

FrameManager.prototype.onAttachedToTarget = function (target) {
  const { type, targetId } = target._getTargetInfo();
  const session = target._session();
  const adopt = (frame: CdpFrame): void => {
    if (frame._id !== targetId || !session) return; // a frame's target has its ID
    this.off(FrameManagerEvent.FrameAttached, adopt);
    frame.updateClient(session);
  };
  if (type === 'iframe' && !this.frame(targetId)) this.on(FrameManagerEvent.FrameAttached, adopt);
  onAttachedToTarget.call(this, target);
};
