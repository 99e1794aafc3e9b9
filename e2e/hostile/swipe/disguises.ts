/**
 * Tests styles that would hide or change the frame. With each style, the frame must either look the same or reject
 * swipes.
 */
import { expect, test } from 'vitest';
import { swipeFrames } from '../../../tooling/drive/trusted-swipe.ts';
import { OUTPUT, PLACE, type Arena } from './arena.ts';

const AROUND = [
  'opacity: 0.02',
  'mask: linear-gradient(transparent, transparent)',
  'mask: radial-gradient(circle at 110px 120px, black 20px, transparent 0)',
  'filter: invert(1) blur(8px)',
  'clip-path: inset(0 0 100% 0)',
  'transform: translateX(150px) scale(0.1)',
  'perspective: 1px; transform: rotateX(80deg)',
  'rotate: 20deg; scale: 3; translate: 9px 9px',
  'contain: strict; width: 1px; height: 1px; overflow: hidden',
  'visibility: hidden',
  'mix-blend-mode: difference; background: white',
  'isolation: isolate; will-change: transform, opacity, filter',
  'direction: rtl; unicode-bidi: bidi-override',
  'font: 200px serif; letter-spacing: 40px; text-indent: -999px; color: white',
  'backdrop-filter: blur(9px)',
  'cursor: none; user-select: none; pointer-events: none',
  'border-radius: 50%; overflow: hidden',
  'animation: none; transition: all 9s; view-transition-name: all',
];
const ON_HOST = [
  'opacity: 0',
  'visibility: hidden',
  'mask: linear-gradient(transparent, transparent)',
  'mask-border: linear-gradient(transparent, transparent) 9',
  'filter: blur(9px)',
  'clip-path: inset(50%)',
  'transform: scale(0.1)',
  'scale: 0.1; rotate: 180deg; translate: 200px 0',
  'zoom: 0.3',
  'left: 500px; top: 500px; inset: 0; width: 10px; height: 10px',
  'max-width: 20px; min-height: 300px; padding: 90px; margin: 90px; border: 30px solid red; box-sizing: content-box',
  'mix-blend-mode: multiply; isolation: isolate',
  'outline: 60px solid white; outline-offset: -50px; box-shadow: inset 0 0 0 99px white',
  'background: white; color: white; font-size: 0; line-height: 0',
  'border-radius: 50%; overflow: clip; corner-shape: bevel; shape-outside: circle()',
  'content-visibility: auto; contain: strict; contain-intrinsic-size: 1px',
  'perspective: 1px; transform-style: preserve-3d; backface-visibility: hidden; offset-path: path("M0 0 L 300 300"); offset-distance: 100%',
  'position: static; float: right; display: inline; columns: 3; order: 3; z-index: -1; position-anchor: --a; anchor-name: --a',
  'animation: away 1s infinite; transition: all 9s 9s',
  'view-transition-name: host; will-change: scroll-position; object-fit: none; image-rendering: pixelated; -webkit-box-reflect: below 0 linear-gradient(white, white)',
];
const PSEUDO = [
  '::after { content: "Slide to unlock"; position: absolute; inset: 0; background: white; z-index: 9; display: block; pointer-events: none }',
  '::before { content: "$0.00"; position: absolute; left: 99px; top: 9px; background: white; z-index: 9; display: block }',
  '::backdrop { background: white; position: fixed; inset: 0; z-index: 9; transform: translateZ(9px) }',
  '::marker { content: "Slide to unlock"; font-size: 40px }',
  '::part(track) { opacity: 0 }',
];
/** Gives declarations the highest priority available to a page. */
const weighty = (style: string): string => style.replaceAll(/;|$/g, ' !important;');
const SHEETS = [
  ...AROUND.flatMap((style) => [`html { ${weighty(style)} }`, `body { ${weighty(style)} }`]),
  ...ON_HOST.map(
    (style) =>
      `@keyframes away { to { opacity: 0; transform: scale(0) } } html > [popover][popover][popover] { ${weighty(style)} }`,
  ),
  ...PSEUDO.map((rule) => `html > [popover]${rule.replaceAll(';', ' !important;').replace(' }', ' !important }')}`),
  ...ON_HOST.slice(0, 4).map(
    (style) =>
      `@layer a { html > * { ${weighty(style)} } } @scope (html) { :scope > :popover-open { ${weighty(style)} } }`,
  ),
];
/** Scripts that change the host itself. */
const SCRIPTS = [
  `host().style.cssText = ${JSON.stringify(weighty(ON_HOST.join('; ')))}`,
  `host().animate([{ opacity: 0, transform: 'scale(0)', clipPath: 'inset(50%)', filter: 'opacity(0)' }], { duration: 1, fill: 'forwards' })`,
  `host().animate([{ opacity: 0 }, { opacity: 0, left: '700px' }], { duration: 1e6, iterations: Infinity, composite: 'accumulate' })`,
  `document.documentElement.animate([{ opacity: 0, filter: 'blur(9px)', transform: 'scale(0.1)' }], { duration: 1, fill: 'forwards' })`,
  `host().append('Slide to unlock'); host().setHTMLUnsafe?.('<slot></slot><b style="position:fixed;inset:0">Slide</b>')`,
  `try { host().attachShadow({ mode: 'open' }).innerHTML = 'Slide' } catch {}`,
  `document.adoptedStyleSheets = [Object.assign(new CSSStyleSheet(), {})]; document.adoptedStyleSheets[0].replaceSync('* { opacity: 0 !important; visibility: hidden !important }')`,
  `host().hidden = true; host().setAttribute('style', 'display:none!important')`,
  `host().className = 'service-button'; host().id = 'button'; host().slot = 'x'; host().dir = 'rtl'; host().draggable = true`,
];

export function disguises(arena: () => Arena): void {
  test('no style or script of the page changes the frame’s content without removing it', async () => {
    const { page } = arena();
    /**
     * Only the middle of the frame is compared, because the page's background is visible at the frame's rounded
     * corners.
     */
    const clip = { x: PLACE.x + 26, y: PLACE.y + 4, width: PLACE.width - 52, height: PLACE.height - 8 };
    const picture = async () => {
      await arena().run('drawn()');
      return page.screenshot({ clip, encoding: 'base64', captureBeyondViewport: false });
    };
    /** True if the frame hasn't been replaced since `stand` returned. */
    const stands = () =>
      page.evaluate(() => {
        const { host, drawnHost } = window as unknown as { host(): HTMLElement | null; drawnHost: HTMLElement };
        return host() === drawnHost;
      });
    const stand = async () => {
      await arena().open();
      await arena().run(`offer({ options: { outputs: [${JSON.stringify(OUTPUT)}] } })`);
      await page.waitForFunction(() => {
        const tools = window as unknown as { host(): HTMLElement | null; drawnHost: HTMLElement | null };
        tools.drawnHost = tools.host();
        return tools.drawnHost && getComputedStyle(tools.drawnHost).opacity === '1';
      });
      await swipeFrames(page)[0]?.waitForFunction(() => document.querySelector('.cost')?.textContent?.trim());
    };
    await stand();
    const plain = await picture();
    expect(await stands()).toBe(true);
    let seen = 0;
    const changed: string[] = [];
    for (const [what, undo] of [
      ...SHEETS.map((sheet) => [`css(${JSON.stringify(sheet)})`, 'document.head.lastElementChild.remove()'] as const),
      ...SCRIPTS.map((script) => [script, ''] as const),
    ]) {
      await arena().run(`{ ${what} }`);
      const shown = await picture();
      if (await stands()) {
        seen += 1;
        if (shown !== plain) changed.push(what);
        if (undo) {
          await arena().run(undo);
          continue;
        }
      }
      await stand();
    }
    expect(changed).toEqual([]);
    // If most styles removed the frame, the comparison would prove little.
    expect(seen).toBeGreaterThan(SHEETS.length / 2);
  });
}
