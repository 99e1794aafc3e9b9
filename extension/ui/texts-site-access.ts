/** The texts of the notice that the browser keeps the wallet from pages. */
import { translatable } from './translatable.ts';

export const siteAccessTexts = translatable('siteAccess', {
  title: 'Your browser is blocking the wallet on web pages',
  text: 'Payment buttons can’t find it, and it may not be able to reach the network.',
  allow: 'Allow on all sites',
});
