/**
 * Frames of other processes, such as the wallet's, must be queried in their own process. If several appear together,
 * puppeteer learns of a frame's session before it has added the frame (it waits for another's tree), and then queries
 * the page's session. That one never gets its contexts, so waits for the frame never end.
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
