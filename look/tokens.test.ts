import { readFileSync } from 'node:fs';
import { expect, test, describe } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');

/** Returns all custom properties in the blocks whose selector is exactly `selector`. */
function properties(selector: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, head, body] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (head?.trim() !== selector) continue;
    for (const [, name, value] of (body ?? '').matchAll(/(--[\w-]+):\s*([^;]+);/g))
      if (name && value) found.set(name, value.trim());
  }
  return found;
}

// The selector of the reduced-motion block is also `:root`. The block contains only durations, so no color is
// overwritten.
const root = properties(':root');
const systemDark = properties(`:root:not([data-theme='light'])`);
const chosenDark = properties(`:root[data-theme='dark']`);

/** Returns the color that a name resolves to in a theme, through `var()`. */
function color(theme: Map<string, string>, name: string): string {
  const value = theme.get(name) ?? root.get(name);
  if (value === undefined) throw new Error(`${name} is not defined`);
  const reference = /^var\((--[\w-]+)\)$/.exec(value);
  return reference?.[1] ? color(theme, reference[1]) : value;
}

/** Returns the relative luminance of #rrggbb (WCAG 2.2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The ink and background colors of avatars without a picture. */
const circles = [
  ...readFileSync(new URL('../extension/ui/people/avatar.css', import.meta.url), 'utf8').matchAll(
    /\.avatar-\d \{\s*background: var\((--[\w-]+)\);\s*color: var\((--[\w-]+)\);/g,
  ),
].map(([, ground = '', ink = '']): [string, string] => [ink, ground]);

const grounds = ['--surface', '--paper', '--sunken'];
const text: [string, string][] = [
  ...grounds.flatMap((ground): [string, string][] =>
    ['--ink', '--ink-soft', '--ink-muted', '--accent', '--danger', '--success', '--warning'].map((ink) => [
      ink,
      ground,
    ]),
  ),
  ...['--accent', '--success', '--warning', '--danger'].flatMap((name): [string, string][] => [
    [name, `${name}-soft`],
    ['--ink', `${name}-soft`],
    ['--ink-muted', `${name}-soft`],
  ]),
  ...circles,
  ['--on-accent', '--accent'],
  ['--on-accent', '--accent-strong'],
  ['--on-danger', '--danger'],
  ['--on-danger', '--danger-strong'],
];

test('initials have six colors', () => expect(circles).toHaveLength(6));

test('both dark themes have the same values', () => {
  expect(chosenDark.size).toBeGreaterThan(15);
  expect([...systemDark]).toEqual([...chosenDark]);
});

test('the dark theme changes every color of the light theme', () => {
  for (const [name, value] of root) if (value.startsWith('#')) expect(chosenDark.has(name), name).toBe(true);
});

describe.each([
  ['light', new Map<string, string>()],
  ['dark', chosenDark],
] as const)('%s', (_, theme) => {
  test.each(text)('%s on %s has a contrast of at least 4.5', (ink, ground) => {
    expect(contrast(color(theme, ink), color(theme, ground))).toBeGreaterThanOrEqual(4.5);
  });
  test.each(['--surface', '--paper'])('outlines and the focus ring have a contrast of at least 3 on %s', (ground) => {
    expect(contrast(color(theme, '--outline'), color(theme, ground))).toBeGreaterThanOrEqual(3);
    expect(contrast(color(theme, '--accent'), color(theme, ground))).toBeGreaterThanOrEqual(3);
  });
});
