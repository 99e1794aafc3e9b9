import { describe, expect, test } from 'vitest';
import { contrast, fontsOf, propertiesOf, readable, type Rgb } from './look.ts';

/** Parses only `rgb(r g b)` and #rrggbb. */
function read(text: string): Rgb | null {
  const hex = /^#(..)(..)(..)$/.exec(text);
  if (hex) return hex.slice(1).map((part) => Number.parseInt(part, 16)) as unknown as Rgb;
  const parts = /^rgb\((\d+) (\d+) (\d+)\)$/.exec(text);
  return parts && (parts.slice(1).map(Number) as unknown as Rgb);
}

const look = {
  dark: false,
  rightToLeft: false,
  track: '',
  outline: '',
  ink: '',
  muted: '',
  accent: '',
  paper: '',
  radius: 24,
  fontSize: 14,
  fontWeight: 500,
  fontFamily: '',
};
const drawn = (change: Partial<typeof look>) => propertiesOf({ ...look, ...change } as never, read);

describe('fonts of a page', () => {
  test.each([
    ['Georgia, "Times New Roman", serif', 'Georgia, "Times New Roman", serif, system-ui, sans-serif'],
    ["'Segoe UI',ROBOTO", '"Segoe UI", ROBOTO, system-ui, sans-serif'],
    ['Wingdings, Arial', 'Arial, system-ui, sans-serif'],
    ['"MS Outlook"', 'system-ui, sans-serif'],
    ['"Digits Swapped", "Free 3 of 9"', 'system-ui, sans-serif'],
    ['', 'system-ui, sans-serif'],
    ['x; } body { display: none', 'system-ui, sans-serif'],
    ['Arial Wingdings', 'system-ui, sans-serif'],
  ])('%s become %s', (family, expected) => {
    expect(fontsOf(family)).toBe(expected);
    expect(drawn({ fontFamily: family })['--font']).toBe(expected);
  });
});

test.each([
  [{ track: 'rgb(255 255 255)', ink: 'rgb(254 254 254)' }, '--ink', '--track'],
  [{ track: 'rgb(0 0 0)', muted: 'rgb(30 30 30)' }, '--muted', '--track'],
  [{ accent: 'rgb(255 255 0)', paper: 'rgb(255 255 255)' }, '--paper', '--accent'],
] as const)('the text is legible for any colors of the page: %j', (change, front, back) => {
  const properties = drawn(change);
  expect(contrast(read(properties[front]!)!, read(properties[back]!)!)).toBeGreaterThanOrEqual(4.5);
});

test('a legible color of the page stays', () => {
  expect(readable([10, 10, 60], [255, 255, 255], 4.5)).toEqual([10, 10, 60]);
});

test.each([
  [{ radius: -5 }, '--radius', '0px'],
  [{ radius: Number.NaN }, '--radius', '200px'],
  [{ fontSize: 1 }, '--size', '12px'],
  [{ fontSize: 900 }, '--size', '22px'],
  [{ fontWeight: 1 }, '--weight', '400'],
] as const)('sizes stay within limits: %j', (change, name, value) => {
  expect(drawn(change)[name]).toBe(value);
});
