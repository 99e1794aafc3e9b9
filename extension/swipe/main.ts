/**
 * Entry point for the overlay frame, the wallet's own track over a button. The frame reports swipes and never pays. See
 * protocol/messages/swipe-messages.ts.
 */
import type {
  SwipeBeatsAsked,
  SwipeFrameDrawn,
  SwipeHeartbeat,
  SwipeLookChanged,
  ToFrame,
  ToSwipeFrame,
} from '../../protocol/messages/swipe-messages.ts';
import { SWIPE_PORT } from '../../protocol/messages/wire.ts';
import { listenForPointer } from './pointer.ts';
import { createHeartbeat } from './heartbeat.ts';
import { watchSurface } from './surface.ts';
import './swipe.css';
import { createView } from './view.ts';

const around = [...location.ancestorOrigins];

function start({ secret, look }: ToSwipeFrame, relay: MessagePort): void {
  const port = chrome.runtime.connect({ name: SWIPE_PORT });
  const tell = (message: object) => {
    try {
      port.postMessage(message);
    } catch {
      end(); // The port is closed, because the wallet's worker has stopped.
    }
  };
  const view = createView();
  const heart = createHeartbeat((asked) => relay.postMessage({ asked } satisfies SwipeBeatsAsked));
  let rightToLeft = look.rightToLeft;
  let isDrawn = false;

  /** Hides the frame, which the relay then removes. The button beneath receives the pointer. */
  function end(): void {
    document.body.hidden = true;
    port.disconnect();
  }

  view.dress(look);
  relay.onmessage = ({ data }: MessageEvent<SwipeLookChanged | SwipeHeartbeat>) => {
    if ('beat' in data) return heart.beat(data.beat, data.moved, performance.now());
    rightToLeft = data.look.rightToLeft;
    if (!view.dress(data.look)) end();
  };
  // Text that fit before the resize might now be cut off.
  addEventListener('resize', () => view.fit() || end());
  port.onDisconnect.addListener(end);
  port.onMessage.addListener((message: ToFrame) => {
    if (message.swipe === 'over') return end();
    const isPaid = message.swipe === 'paid';
    const isWhole = isPaid ? view.showPaid(message.view, () => tell({ swipe: 'details' })) : view.show(message.view);
    if (!isWhole) return end();
    if (isDrawn) return;
    isDrawn = true;
    relay.postMessage({ drawn: true } satisfies SwipeFrameDrawn);
    if (isPaid) return;
    // Watches the body instead of the track, because the frame's own text covers the track during a payment.
    listenForPointer(view, watchSurface(document.body, heart, end), () => rightToLeft, {
      near: () => tell({ swipe: 'near' }),
      began: () => tell({ swipe: 'began' }),
      letGo: () => tell({ swipe: 'let-go' }),
      swiped: () => tell({ swipe: 'swiped' }),
    });
  });
  tell({ swipe: 'bind', secret, ancestors: around, scale: devicePixelRatio });
}

/** Handles the first message, which contains a port. Only the relay has a reference to this window. */
function heard({ source, origin, data, ports: [relay] }: MessageEvent): void {
  if (source !== window.parent || origin !== around[0] || !relay) return;
  removeEventListener('message', heard);
  start(data as ToSwipeFrame, relay);
}

addEventListener('message', heard);
