/**
 * Tests that, before any gesture, a page can find out only that the wallet is unlocked and one-swipe payments are on.
 */
import { expect, test } from 'vitest';
import type { Frame } from 'puppeteer-core';
import { fence } from '../../drive/raw-page.ts';
import { OUTPUT, PLACE, type Arena } from './arena.ts';

export function privacy(arena: () => Arena): void {
  /** Returns everything that a page can observe about an offer: the host's visible properties, and events. */
  async function seenOf(amount: string): Promise<unknown> {
    const { page, run, open } = arena();
    await open();
    await run(`offer({ options: { outputs: [${JSON.stringify({ ...OUTPUT, amount })}] } })`);
    await page.waitForFunction(() => {
      const shown = (window as unknown as { host(): HTMLElement | null }).host();
      return shown && getComputedStyle(shown).opacity === '1';
    });
    await fence(page);
    return page.evaluate(() => {
      const shown = (window as unknown as { host(): HTMLElement }).host();
      const { x, y, width, height } = shown.getBoundingClientRect();
      const attributes = [...shown.attributes].map(({ name, value }) => `${name}=${value}`);
      return { attributes, place: [x, y, width, height], open: shown.matches(':popover-open') };
    });
  }

  test('buttons within the limits, above them and above the balance look the same to their page', async () => {
    const within = await seenOf('0.10');
    expect(await seenOf('5')).toEqual(within); // above the limit for a swipe
    expect(await seenOf('900000')).toEqual(within); // above the balance
    await arena().swipe();
    expect(await arena().claim({ outputs: [{ ...OUTPUT, amount: '900000' }] })).toBe('busy');
    await arena().expectNothing();
  });
}

export function morePrivacy(arena: () => Arena): void {
  test('the track posts nothing to its page', async () => {
    const { page, open, run, stand, swipe } = arena();
    await open();
    await run(
      `window.all = []; addEventListener('message', (event) => all.push(event.source === window ? 'own' : 'other'), true)`,
    );
    await stand();
    await swipe({ to: 0.4 });
    await fence(page);
    expect(await page.evaluate(() => (window as unknown as { all: string[] }).all)).not.toContain('other');
  });
}

/** Returns the relative luminance (WCAG 2, section 1.4.3) of a computed `rgb()`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Button styles that would make the frame unreadable if adopted. */
const LOOKS: [string, string][] = [
  ['in its background color', 'color:#fff;background:#fff'],
  ['transparent', 'color:transparent;background:transparent'],
  ['almost transparent', 'color:#0001;background:#fff1'],
  ['in colors of other color spaces', 'color:oklch(99% 0 0);background:color(display-p3 1 1 1)'],
  ['in a symbol font', 'font-family:Wingdings,Webdings,Symbol'],
  ['in a font loaded by the page', 'font-family:Mine'],
  ['too small to read', 'font-size:1px'],
  ['too large to fit', 'font-size:90px'],
  ['with a radius that hides everything', 'border-radius:9999px'],
  [
    'with invalid values',
    'font-family:"}*{display:none}</style><script>",serif;color:color-mix(in srgb, white, white)',
  ],
];

/** Expects that the amount and the recipient are readable in the frame over a button with this style. */
async function canBeRead({ page, open, stand }: Arena, style: string): Promise<void> {
  await open('<style>@font-face{font-family:Mine;src:local("Wingdings"),local("DejaVu Sans")}</style>');
  await page.evaluate((text) => {
    for (const part of document.querySelector('#button')?.shadowRoot?.querySelectorAll<HTMLElement>('[part]') ?? [])
      part.style.cssText += `;${text}`;
  }, style);
  const frame: Frame = await stand();
  const shown = await frame.evaluate(() =>
    ['amount', 'to'].map((part) => {
      const element = document.querySelector(`.${part}`) as HTMLElement;
      const { color, fontSize, fontFamily, opacity, visibility } = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      let ground = 'rgba(0, 0, 0, 0)';
      for (let at: Element | null = element; at && /, 0\)$|^transparent$/.test(ground); at = at.parentElement)
        ground = getComputedStyle(at).backgroundColor;
      const isInside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
      return {
        part,
        text: element.textContent,
        color,
        ground,
        fontSize: Number.parseFloat(fontSize),
        fontFamily,
        opacity,
        visibility,
        isInside,
      };
    }),
  );
  for (const { color, ground, fontSize, fontFamily, opacity, visibility, isInside, text } of shown) {
    expect(text).not.toBe('');
    expect(contrast(color, ground), `${color} on ${ground}`).toBeGreaterThanOrEqual(4.4);
    expect(fontSize).toBeGreaterThanOrEqual(10);
    expect(fontFamily).not.toMatch(/wing|web?dings|symbol|mine/i);
    expect([opacity, visibility, isInside]).toEqual(['1', 'visible', true]);
  }
  expect(PLACE.width).toBe(await frame.evaluate(() => innerWidth));
}

export function looks(arena: () => Arena): void {
  test.each(LOOKS.slice(0, 1))('the frame over a button %s shows the amount and the recipient legibly', (_, style) =>
    canBeRead(arena(), style),
  );
}

export function moreLooks(arena: () => Arena): void {
  test.each(LOOKS.slice(1))('the frame over a button %s shows the amount and the recipient legibly', (_, style) =>
    canBeRead(arena(), style),
  );
}
