// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync('page-script/button/button.css', 'utf8');

/** Computes the relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const full = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const [r, g, b] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function color(token: string, theme: 'light' | 'dark'): string {
  const [, light, dark] = new RegExp(`--sb-${token}, light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)!;
  return theme === 'light' ? light! : dark!;
}

describe.each(['light', 'dark'] as const)('contrast of colors in %s', (theme) => {
  test.each([
    ['ink', 'track', 4.5],
    ['muted', 'track', 4.5],
    ['accent', 'track', 4.5],
    ['danger', 'track', 4.5],
    ['paper', 'accent', 4.5],
    ['paper', 'success', 4.5],
    ['outline', 'track', 3],
  ])('%s on %s has a contrast of at least %d to 1', (front, back, least) => {
    const [low, high] = [luminance(color(front, theme)), luminance(color(back, theme))].sort((a, b) => a - b) as [
      number,
      number,
    ];
    expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(least);
  });
});
