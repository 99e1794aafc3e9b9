/** What there is to style, and the states that are pictured: the gallery's tables. */
import type { PictureName } from './pictures.ts';

/** A custom property: what it is where the page does not set it, and what it changes. Colours as light / dark. */
export interface Property {
  name: string;
  initial: string;
  text: string;
}

/** All custom properties that the button reads; a test compares them with its style sheet. */
export const PROPERTIES: readonly Property[] = [
  { name: '--sb-accent', initial: '#0b6b69 / #4cc4ba', text: 'Fill, thumb, links, focus ring' },
  { name: '--sb-paper', initial: '#fff / #0a1b19', text: 'Thumb, and text on a fill' },
  { name: '--sb-track', initial: '#edf3f2 / #1b2524', text: 'The track under the thumb' },
  { name: '--sb-ink', initial: '#16211f / #edf4f2', text: 'Text' },
  { name: '--sb-muted', initial: '#50605d / #a4b4b0', text: 'Hints, fees, disabled buttons' },
  { name: '--sb-outline', initial: '#7a8b87 / #6d7f7b', text: 'Outline' },
  { name: '--sb-success', initial: '#197a3d / #63cf88', text: 'Fill once paid' },
  { name: '--sb-danger', initial: '#b3261e / #ff9d92', text: 'Errors' },
  { name: '--sb-height', initial: '48px; 36px compact', text: 'Height of the track' },
  { name: '--sb-width', initial: '300px; 100% full', text: 'Width, at least 220px' },
  { name: '--sb-radius', initial: 'half the height', text: 'Corners' },
  { name: '--sb-font', initial: 'system-ui, sans-serif', text: 'Font family' },
  { name: '--sb-font-size', initial: '14px', text: 'Font size' },
];

/** All parts that `::part()` reaches. */
export const PARTS: readonly { name: string; text: string }[] = [
  { name: 'button', text: 'Everything but the form' },
  { name: 'track', text: 'The slider' },
  { name: 'thumb', text: 'The part you drag' },
  { name: 'fill', text: 'The colour behind the thumb' },
  { name: 'label', text: 'The text in the middle' },
  { name: 'amount', text: 'The amount to pay' },
  { name: 'cost', text: 'The network fee below the amount' },
  { name: 'get-wallet', text: 'The link shown when there’s no wallet' },
  { name: 'phone', text: 'The button that opens the code to scan' },
  { name: 'panel', text: 'The panel with that code' },
  { name: 'form', text: 'The fields of an editable button' },
  { name: 'field', text: 'One of them, with its name' },
];

/** A state: its picture, its `data-state`, and what to know of it. */
export interface PicturedState {
  picture: PictureName;
  state: string;
  title: string;
  text: string;
}

/** Every state a button can be in, in the order in which a visitor meets them. */
export const STATES: readonly PicturedState[] = [
  { picture: 'loading', state: 'loading', title: 'Looking for a wallet', text: 'For 0.6 seconds at most.' },
  { picture: 'ready', state: 'ready', title: 'Ready', text: 'Swipe, or use the arrow keys, Enter and Escape.' },
  {
    picture: 'working',
    state: 'working',
    title: 'Working',
    text: 'The wallet is asking the user. Nothing has been paid yet.',
  },
  { picture: 'done', state: 'done', title: 'Paid', text: 'Your success message, for a moment.' },
  { picture: 'receipt', state: 'done', title: 'The receipt', text: 'Stays, so nobody pays twice.' },
  {
    picture: 'error',
    state: 'error',
    title: 'An error',
    text: 'One short line says what to do. Swipe again to retry.',
  },
  { picture: 'no-wallet', state: 'no-wallet', title: 'No wallet', text: 'A way to get one, at the same size.' },
  {
    picture: 'disabled',
    state: 'disabled',
    title: 'Switched off',
    text: 'With data-disabled. Its title says why.',
  },
  {
    picture: 'failed',
    state: 'failed',
    title: 'Set up incorrectly',
    text: 'data-reason has a stable code; the console says what to change.',
  },
  { picture: 'editable', state: 'ready', title: 'Editable', text: 'With a form above the track.' },
  {
    picture: 'rtl',
    state: 'ready',
    title: 'Right to left',
    text: 'Swiped from right to left, in the page’s language.',
  },
  { picture: 'compact', state: 'ready', title: 'Compact', text: 'The same states at 36 pixels.' },
  { picture: 'full', state: 'ready', title: 'Full width', text: 'The amount stays at the end.' },
];
