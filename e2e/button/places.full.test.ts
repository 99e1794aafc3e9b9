import { describe, expect, test } from 'vitest';
import { ADDRESS } from '../drive/scene.ts';
import { buttonIn } from '../../tooling/drive/wallet.ts';
import { dragThumb, usePlaces, PAYS, site, page, visit, shows } from './places-stage.ts';

usePlaces();

async function withButton(act: (host: HTMLElement) => void): Promise<void> {
  const host = await page.evaluateHandle(() => {
    const all = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        element,
        ...(element.shadowRoot ? all(element.shadowRoot) : []),
      ]);
    return all(document).find((element) => element.matches('[data-to]')) as HTMLElement;
  });
  await host.evaluate(act as (host: HTMLElement) => void);
}

const PLACES: Record<string, { body?: string; script?: () => void }> = {
  'in a shadow root that the markup declares': {
    body: `<article><template shadowrootmode="open"><div ${PAYS}></div></template></article>`,
  },
  'in a shadow root that is declared in another one, and inserted later': {
    script: () => {
      const section = document.createElement('section');
      section.setHTMLUnsafe((window as unknown as { declared: string }).declared);
      document.body.append(section);
    },
  },
  'in a component that is defined after the button’s script has run': {
    body: '<x-card></x-card>',
    script: () =>
      customElements.define(
        'x-card',
        class extends HTMLElement {
          connectedCallback() {
            this.attachShadow({ mode: 'open' }).innerHTML = (window as unknown as { plain: string }).plain;
          }
        },
      ),
  },
  'in a component that draws itself a moment after it is there': {
    script: () => {
      const host = document.createElement('section');
      const root = host.attachShadow({ mode: 'open' });
      document.body.append(host);
      requestAnimationFrame(() => {
        root.innerHTML = (window as unknown as { plain: string }).plain;
      });
    },
  },
  'as a node of another document, taken over': {
    body: '<iframe title="Empty"></iframe>',
    script: () => {
      const other = document.querySelector('iframe')!.contentDocument!;
      other.body.innerHTML = (window as unknown as { plain: string }).plain;
      document.body.append(other.body.firstElementChild!);
    },
  },
  'in a picture of SVG that is inserted': {
    script: () => {
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      svg.setAttribute('viewBox', '0 0 400 100');
      svg.innerHTML = `<foreignObject width="400" height="100">${(window as unknown as { plain: string }).plain}</foreignObject>`;
      document.body.append(svg);
    },
  },
};

describe.each(Object.entries(PLACES))('%s', (_, { body = '', script }) => {
  test('a button appears, follows its attributes, and is removed', async () => {
    const plain = `<div ${PAYS}></div>`;
    const declared = `<div><template shadowrootmode="open"><section><template shadowrootmode="open">${plain}</template></section></template></div>`;
    const texts = JSON.stringify({ plain, declared }).replaceAll('<', String.raw`\u003c`);
    await visit(body, `<script>Object.assign(window, ${texts})</script>`);
    await page.waitForFunction(() => window.serviceButton && document.readyState === 'complete');
    if (script) await page.evaluate(script);
    await shows('ready');
    await withButton((host) => host.setAttribute('data-amount', '3'));
    await shows('ready', '$3.00');
    await withButton((host) => host.classList.remove('service-button'));
    await shows(null);
  });
});

test('an SVG document can contain an editable button in its language', async () => {
  site.page(
    '/picture.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><foreignObject width="400" height="300">
    <div xmlns="http://www.w3.org/1999/xhtml"><div class="service-button" lang="de" data-editable="true" data-to="${ADDRESS}"></div></div></foreignObject>
    <script xmlns="http://www.w3.org/1999/xhtml" src="/button.js"></script></svg>`,
    { 'content-type': 'image/svg+xml' },
  );
  await page.goto(`${site.origin}/picture.svg`);
  await page.waitForFunction(() =>
    document.querySelector('.service-button')?.shadowRoot?.querySelector('form')?.textContent?.includes('Zahlen an'),
  );
  await buttonIn(page, 'no-wallet');
  expect(
    await page.$eval('.service-button', (host) => (host.shadowRoot!.querySelector('.box') as HTMLElement).offsetHeight),
  ).toBe(48);
});

test.each([
  'transform: scale(0.5)',
  'transform: scale(2); transform-origin: 0 0',
  'zoom: 0.7',
  'zoom: 1.6',
  'rotate: 90deg; translate: 0 150px',
  'rotate: -90deg; translate: 0 150px',
  'rotate: 180deg',
  'rotate: 30deg; translate: 0 100px',
  'scale: -1 1',
  'transform: translateY(150px) scale(0.6) rotate(60deg)',
  'transform: skewX(20deg)',
  'direction: rtl; scale: 0.5',
])('[R-24] the thumb follows the pointer to the end of the track under %s', async (style) => {
  await visit(`<div style="inline-size:400px;padding:50px;${style}"><div ${PAYS} data-button-id="stuck"></div></div>`);
  await buttonIn(page, 'ready');
  expect(await dragThumb()).toBeLessThan(2);
  await buttonIn(page, 'working');
});

test('[R-24] a swipe doesn’t drag a draggable ancestor', async () => {
  await visit(
    `<div draggable="true" style="padding:40px"><div ${PAYS} data-button-id="stuck"></div></div>`,
    '<script>addEventListener("dragstart", ({ defaultPrevented }) => (window.isDragged = !defaultPrevented))</script>',
  );
  await buttonIn(page, 'ready');
  expect(await dragThumb()).toBeLessThan(2);
  await buttonIn(page, 'working');
  expect(await page.evaluate(() => (window as unknown as { isDragged?: boolean }).isDragged)).not.toBe(true);
});

test('[R-24] a finger swipes along a rotated track without scrolling the page', async () => {
  await visit(
    `<div style="rotate:90deg;translate:0 150px;inline-size:300px"><div ${PAYS} data-button-id="stuck"></div></div><p style="block-size:3000px">`,
  );
  await buttonIn(page, 'ready');
  const { x, y, width, height } = await page.$eval('.service-button', (host) => host.getBoundingClientRect().toJSON());
  const finger = await page.touchscreen.touchStart(x + width / 2, y + 20);
  for (let step = 1; step <= 10; step += 1) await finger.move(x + width / 2, y + 20 + (step / 10) * (height - 30));
  await finger.end();
  await buttonIn(page, 'working');
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('[R-24] ten arrow key presses lead to a second step, which the keyboard completes', async () => {
  await visit(`<div ${PAYS} data-button-id="stuck"></div>`);
  await buttonIn(page, 'ready');
  await page.focus('.service-button >>> [role=slider]');
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.service-button >>> [part=pay]');
  await page.keyboard.press('Enter');
  await buttonIn(page, 'working');
});
