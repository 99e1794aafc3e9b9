/** Reads a button's appearance from the page's styles. */
import type { SwipeLook } from '../../../protocol/messages/swipe-messages.ts';
import { MAX_LOOK_TEXT } from '../../../protocol/messages/wire.ts';

/** True for a dark color scheme. If the scheme allows both, the user's preference decides. */
function isDark(scheme: string): boolean {
  return scheme.includes('dark') && (!scheme.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches);
}

/** Reads the styles to use in the frame. @param box the button's outermost element, in its shadow root */
export function readLook(box: HTMLElement): SwipeLook {
  const piece = (name: string) => getComputedStyle(box.querySelector(`[part~=${name}]`) ?? box);
  const style = getComputedStyle(box);
  // Transforms and `zoom` make the drawn size differ from the size in the computed styles.
  const drawn = box.getBoundingClientRect().height;
  const scale = drawn / (box.offsetHeight || 1);
  const radius = Number.parseFloat(style.borderTopLeftRadius) || 0;
  const text = (value: string) => value.slice(0, MAX_LOOK_TEXT);
  return {
    rightToLeft: style.direction === 'rtl',
    dark: isDark(style.colorScheme),
    radius: Math.min(drawn / 2, style.borderTopLeftRadius.endsWith('%') ? (radius / 100) * drawn : radius * scale),
    fontFamily: text(style.fontFamily),
    fontSize: Number.parseFloat(style.fontSize) * scale || 0,
    fontWeight: Number.parseFloat(style.fontWeight) || 0,
    track: text(style.backgroundColor),
    // The outline is a box shadow. A box shadow's computed value starts with the color.
    outline: text(/^([a-z]+\(.*?\)|[a-z]+)/.exec(style.boxShadow)?.[0] ?? ''),
    ink: text(piece('amount').color),
    muted: text(piece('cost').color),
    accent: text(piece('fill').backgroundColor),
    paper: text(piece('thumb').backgroundColor),
  };
}
