/**
 * Adapts the frame's appearance to the button's, which the page determines. Sizes are limited, text has sufficient
 * contrast, and no font can replace letters with symbols.
 */
import type { SwipeLook } from '../../protocol/messages/swipe-messages.ts';

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Default colors of button.css, light and dark. */
const USUAL = {
  track: ['#edf3f2', '#1b2524'],
  outline: ['#7a8b87', '#6d7f7b'],
  ink: ['#16211f', '#edf4f2'],
  muted: ['#50605d', '#a4b4b0'],
  accent: ['#0b6b69', '#4cc4ba'],
  paper: ['#ffffff', '#0a1b19'],
} as const;

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;
const [MIN_FONT_PIXELS, MAX_FONT_PIXELS] = [12, 22];

/** Fallback fonts, listed after any of the page's fonts that are in {@link KNOWN_FONTS}. */
const OWN_FONTS = ['system-ui', 'sans-serif'];
/**
 * Fonts that show every letter and digit correctly. A page might exploit other fonts that its visitor has installed.
 */
const KNOWN_FONTS = new Set([
  ...['system-ui', 'ui-sans-serif', 'ui-serif', 'ui-monospace', 'ui-rounded', 'sans-serif', 'serif', 'monospace'],
  ...[
    '-apple-system',
    'blinkmacsystemfont',
    'segoe ui',
    'roboto',
    'ubuntu',
    'cantarell',
    'oxygen',
    'noto sans',
    'noto serif',
  ],
  ...[
    'arial',
    'helvetica',
    'helvetica neue',
    'verdana',
    'tahoma',
    'trebuchet ms',
    'georgia',
    'times',
    'times new roman',
  ],
  ...['cambria', 'calibri', 'courier', 'courier new', 'menlo', 'consolas', 'monaco', 'inter', 'open sans', 'lato'],
  ...['dejavu sans', 'dejavu serif', 'liberation sans', 'liberation serif', 'fira sans', 'source sans pro'],
]);

/** Returns the known fonts in a font list, followed by the wallet's own. */
export function fontsOf(family: string): string {
  const names = family.split(',').map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'));
  const known = names.filter((name) => KNOWN_FONTS.has(name.toLowerCase()));
  const quoted = known.map((name) => (name.includes(' ') ? `"${name}"` : name));
  return [...new Set([...quoted, ...OWN_FONTS])].join(', ');
}

/** Computes the relative luminance (WCAG 2.2). */
function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Computes the contrast ratio, from 1 (none) to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns `front` if it is legible on `back`, otherwise the more legible of black and white. */
export function readable(front: Rgb, back: Rgb, least: number): Rgb {
  if (contrast(front, back) >= least) return front;
  const [black, white]: [Rgb, Rgb] = [
    [0, 0, 0],
    [255, 255, 255],
  ];
  return contrast(black, back) >= contrast(white, back) ? black : white;
}

const within = (least: number, value: number, most: number, otherwise: number) =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;

const css = (color: Rgb) => `rgb(${color.join(' ')})`;

/**
 * Returns the custom properties for swipe.css.
 * @param read parses a CSS color as drawn over a background color; returns null if it is invalid
 */
export function propertiesOf(
  look: SwipeLook,
  read: (text: string, over: Rgb) => Rgb | null,
): Readonly<Record<string, string>> {
  const at = look.dark ? 1 : 0;
  const page: Rgb = look.dark ? [0, 0, 0] : [255, 255, 255];
  const color = (name: keyof typeof USUAL, over: Rgb): Rgb => read(look[name], over) ?? read(USUAL[name][at], over)!;
  const track = color('track', page);
  const accent = color('accent', track);
  return {
    '--track': css(track),
    '--outline': css(color('outline', track)),
    '--ink': css(readable(color('ink', track), track, MIN_CONTRAST)),
    '--muted': css(readable(color('muted', track), track, MIN_CONTRAST)),
    '--accent': css(accent),
    '--paper': css(readable(color('paper', accent), accent, MIN_CONTRAST)),
    '--radius': `${within(0, look.radius, 200, 200)}px`,
    '--size': `${within(MIN_FONT_PIXELS, look.fontSize, MAX_FONT_PIXELS, 14)}px`,
    '--weight': `${within(400, look.fontWeight, 700, 500)}`,
    '--font': fontsOf(look.fontFamily),
  };
}

/** Returns a color parser, which lets the browser draw the color. */
export function colorReader(): (text: string, over: Rgb) => Rgb | null {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  return (text, over) => {
    if (!context || !CSS.supports('color', text)) return null;
    for (const fill of [css(over), text]) {
      context.fillStyle = fill;
      context.fillRect(0, 0, 1, 1);
    }
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b];
  };
}
