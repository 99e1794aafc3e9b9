/**
 * The page in the frame that a relay lays over a button: the wallet's own track, in the button's place. It never pays: it
 * reports what a hand does to the wallet. What is said to whom: protocol/swipe-messages.ts.
 */
import type {
  SwipeBeatsAsked,
  SwipeFrameDrawn,
  SwipeHeartbeat,
  SwipeLookChanged,
  ToFrame,
  ToSwipeFrame,
} from '../../protocol/swipe-messages.ts';
import { SWIPE_PORT } from '../../protocol/wire.ts';
import { listenForHands } from './hand.ts';
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
      end(); // the wallet's worker has stopped
    }
  };
  const view = createView();
  const heart = createHeartbeat((asked) => relay.postMessage({ asked } satisfies SwipeBeatsAsked));
  let rightToLeft = look.rightToLeft;
  let isDrawn = false;

  /** The button beneath has the hand from now on: the relay takes this away. */
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
  // What was whole in a wider frame may be cut off in this one.
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
    // Of the body: over the track lies the frame's own text while it works, which would count as something that covers it.
    listenForHands(view, watchSurface(document.body, heart, end), () => rightToLeft, {
      near: () => tell({ swipe: 'near' }),
      began: () => tell({ swipe: 'began' }),
      letGo: () => tell({ swipe: 'let-go' }),
      swiped: () => tell({ swipe: 'swiped' }),
    });
  });
  tell({ swipe: 'bind', secret, ancestors: around, scale: devicePixelRatio });
}

/** The first message of the document around this frame, with the end of a channel: only the relay has a hold of this window. */
function heard({ source, origin, data, ports: [relay] }: MessageEvent): void {
  if (source !== window.parent || origin !== around[0] || !relay) return;
  removeEventListener('message', heard);
  start(data as ToSwipeFrame, relay);
}

addEventListener('message', heard);
