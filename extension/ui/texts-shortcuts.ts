/** The texts of the list of keyboard shortcuts. */
import { translatable } from './translatable.ts';

export const shortcutTexts = translatable('shortcuts', {
  title: 'Keyboard shortcuts',
  row: 'Press ? to see them anywhere',
  /** Names of keys, as they are printed on them. */
  ctrl: 'Ctrl',
  enter: 'Enter',
  escape: 'Esc',
  confirm: 'Confirm what’s on screen',
  leave: 'Refuse, or go back',
  search: 'Search',
  tabs: 'Move between tabs',
  rows: 'Move through a list',
  help: 'Show this list',
  care: 'Nothing is confirmed in the first half second after a window opens, or while a key is held down.',
  single: 'Single-key shortcuts',
  singleNote: 'Turn this off if / and ? get in the way, for example with speech input.',
});
