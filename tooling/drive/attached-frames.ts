/**
 * Fixes Puppeteer's handling of frames in separate processes. If several frames appear together, Puppeteer can receive
 * a frame's session before it has added the frame. It then uses the page's session, which never receives the frame's
 * contexts.
 */
import type { CdpFrame } from 'puppeteer-core/internal/cdp/Frame.js';
import { FrameManager } from 'puppeteer-core/internal/cdp/FrameManager.js';
import { FrameManagerEvent } from 'puppeteer-core/internal/cdp/FrameManagerEvents.js';

const { onAttachedToTarget } = FrameManager.prototype;

FrameManager.prototype.onAttachedToTarget = function (target) {
  const { type, targetId } = target._getTargetInfo();
  const session = target._session();
  const adopt = (frame: CdpFrame): void => {
    if (frame._id !== targetId || !session) return; // a frame has the same ID as its target
    this.off(FrameManagerEvent.FrameAttached, adopt);
    frame.updateClient(session);
  };
  if (type === 'iframe' && !this.frame(targetId)) this.on(FrameManagerEvent.FrameAttached, adopt);
  onAttachedToTarget.call(this, target);
};
