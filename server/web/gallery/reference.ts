/** The gallery's tables: CSS properties, parts, and pictured states. */
import type { GalleryTexts } from '../../page/texts.ts';
import { SITE_TEXTS } from '../../page/texts.ts';
import type { PictureName } from './pictures.ts';

/** A custom property and its default. Translated defaults are in the gallery's text. Colors are light / dark. */
export interface Property {
  name: keyof GalleryTexts['properties'];
  initial: string;
}

/** All custom properties that the button uses. A test compares them with its style sheet. */
export const PROPERTIES: readonly Property[] = [
  { name: '--sb-accent', initial: '#0b6b69 / #4cc4ba' },
  { name: '--sb-paper', initial: '#fff / #0a1b19' },
  { name: '--sb-track', initial: '#edf3f2 / #1b2524' },
  { name: '--sb-ink', initial: '#16211f / #edf4f2' },
  { name: '--sb-muted', initial: '#50605d / #a4b4b0' },
  { name: '--sb-outline', initial: '#7a8b87 / #6d7f7b' },
  { name: '--sb-success', initial: '#197a3d / #63cf88' },
  { name: '--sb-danger', initial: '#b3261e / #ff9d92' },
  { name: '--sb-height', initial: '' },
  { name: '--sb-width', initial: '' },
  { name: '--sb-radius', initial: '' },
  { name: '--sb-font', initial: 'system-ui, sans-serif' },
  { name: '--sb-font-size', initial: '14px' },
];

/** All parts that `::part()` can select. */
export const PARTS = Object.keys(SITE_TEXTS.en.gallery.parts) as (keyof GalleryTexts['parts'])[];

/** All button states in the order in which visitors encounter them, with their picture and `data-state`. */
export const STATES: readonly { picture: PictureName; state: string }[] = [
  { picture: 'loading', state: 'loading' },
  { picture: 'ready', state: 'ready' },
  { picture: 'working', state: 'working' },
  { picture: 'done', state: 'done' },
  { picture: 'receipt', state: 'done' },
  { picture: 'error', state: 'error' },
  { picture: 'no-wallet', state: 'no-wallet' },
  { picture: 'disabled', state: 'disabled' },
  { picture: 'failed', state: 'failed' },
  { picture: 'editable', state: 'ready' },
  { picture: 'rtl', state: 'ready' },
  { picture: 'compact', state: 'ready' },
  { picture: 'full', state: 'ready' },
];
