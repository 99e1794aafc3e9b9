/** The texts of the notice that the browser keeps the wallet from pages. */
import { translatable } from './translatable.ts';

export const siteAccessTexts = translatable('siteAccess', {
  title: 'Your browser keeps the wallet from web pages',
  text: 'Buttons there cannot find it, and it may not reach the network.',
  allow: 'Allow on all sites',
});
