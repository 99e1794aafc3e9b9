/** Attacks that hide the frame's contents from the user. */
import type { Attack } from './arena.ts';

const COVER = 'left:90px;top:90px;width:320px;height:68px;background:white;';
const BLIND = 'pointer-events:none;';

export const overlays: Attack[] = [
  {
    name: 'a popover over the frame that ignores the pointer',
    quick: true,
    ready: `popover('${COVER}${BLIND}', 'Slide to unlock')`,
  },
  {
    name: 'a transparent popover over the frame',
    ready: `popover('inset:0;width:100%;height:100%;background:none;${BLIND}')`,
  },
  { name: 'another amount over the amount', ready: `popover('left:220px;top:112px;${BLIND}', '$0.00')` },
  {
    name: 'a popover elsewhere that casts its shadow over the frame',
    ready: `popover('left:700px;top:700px;width:300px;height:48px;box-shadow:-600px -600px 0 0 white;${BLIND}')`,
  },
  {
    name: 'a popover elsewhere that its filter draws over the frame',
    ready: `popover('left:700px;top:700px;width:300px;height:48px;background:white;filter:drop-shadow(-600px -600px 0 white);${BLIND}')`,
  },
  {
    name: 'a popover without a size whose backdrop covers everything',
    before: `css('div::backdrop{background:white;pointer-events:none}')`,
    ready: `popover('width:0;height:0')`,
  },
  {
    name: 'a popover with a backdrop filter',
    ready: `popover('${COVER}background:none;backdrop-filter:invert(1) blur(4px);${BLIND}')`,
  },
  {
    name: 'a popover with a backdrop filter that isn’t rendered before the release',
    ready: `popover('${COVER}background:none;backdrop-filter:invert(1) blur(4px);${BLIND}'); void setTimeout(() => { for (const end = performance.now() + 1500; performance.now() < end; ); })`,
  },
  {
    name: 'a popover with a blend mode',
    ready: `popover('${COVER}mix-blend-mode:difference;${BLIND}')`,
  },
  {
    name: 'a popover that flies in from outside',
    ready: `popover('${COVER}${BLIND}').animate([{ transform: 'translateX(-900px)' }, { transform: 'none' }], { duration: 200, fill: 'forwards' })`,
  },
  {
    name: 'a popover that is shown in most animation frames',
    ready: `{ const it = popover('${COVER}${BLIND}'); let n = 0; (function next() { it.style.visibility = (n += 1) % 6 ? 'visible' : 'hidden'; requestAnimationFrame(next); })(); }`,
  },
  {
    name: 'a popover that appears while the page hangs',
    ready: `{ popover('${COVER}${BLIND}').animate([{ transform: 'translateX(900px)' }, { transform: 'none' }], { duration: 100, delay: 50, fill: 'both' }); const end = performance.now() + 400; while (performance.now() < end); }`,
  },
  { name: 'a popover that appears during the swipe', quick: true, held: `popover('${COVER}${BLIND}'); drawn()` },
  {
    name: 'a popover that appears and disappears during the swipe',
    held: `{ const it = popover('${COVER}${BLIND}'); new Promise((done) => setTimeout(() => { it.remove(); done(); }, 150)) }`,
  },
  {
    name: 'a frame in the top layer',
    ready: `{ const it = popover('${COVER}${BLIND}'); it.innerHTML = '<iframe srcdoc="Slide to unlock" style="border:0;width:100%;height:100%"></iframe>'; drawn() }`,
  },
  {
    name: 'a modal dialog',
    quick: true,
    ready: `document.body.appendChild(document.createElement('dialog')).showModal()`,
  },
  {
    name: 'a modal dialog without a backdrop, somewhere else',
    before: `css('dialog{margin:0;left:600px;top:600px;width:9px;height:9px;border:0;outline:0;background:none} dialog::backdrop{display:none}')`,
    ready: `document.body.appendChild(document.createElement('dialog')).showModal()`,
  },
  {
    name: 'another element in fullscreen',
    hand: async ({ page, run, swipe }) => {
      await page.mouse.click(600, 600); // Fullscreen requires a user gesture.
      await run(
        `document.body.appendChild(Object.assign(document.createElement('p'), { textContent: 'Slide' })).requestFullscreen()`,
      );
      await swipe();
      await run('document.fullscreenElement && document.exitFullscreen()');
    },
  },
  {
    name: 'the host itself in fullscreen',
    hand: async ({ page, run, swipe }) => {
      await page.mouse.click(600, 600);
      await run('{ const it = host(); it.hidePopover(); it.requestFullscreen().catch(() => {}); 0 }');
      await swipe();
      await run('document.fullscreenElement && document.exitFullscreen()');
    },
  },
  {
    name: 'a view transition that shows an old snapshot',
    before: `css('::view-transition-group(*),::view-transition-old(*),::view-transition-new(*){animation-duration:5s}')`,
    ready: `document.startViewTransition(() => document.body.append('new')).ready.catch(() => {})`,
  },
  {
    name: 'a view transition during the swipe',
    held: `document.startViewTransition(() => document.body.append('new')).ready.catch(() => {})`,
  },
];
