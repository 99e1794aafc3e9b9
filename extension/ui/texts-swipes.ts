/** The texts of one-swipe payments: their limits, and the offer to turn them on. */
import { translatable } from './translatable.ts';

export const swipeTexts = translatable('swipes', {
  title: 'One-swipe payments',
  about: 'Pay small amounts on any site with a single swipe, without a window to confirm.',
  /** `Up to $1.00 a swipe and $10.00 a day.` */
  limits: (perSwipe: string, perDay: string) => `Up to ${perSwipe} a swipe and ${perDay} a day, network fees included.`,
  otherwise: 'Anything above that opens a window, as before.',
  where: 'You can change this or turn it off in your wallet, under Sites.',
  on: 'One-swipe payments are on.',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  change: 'Change limits',
  perSwipe: 'Limit per swipe',
  perDay: 'Limit per day',
  missing: 'Enter both limits.',
  moreThanDay: 'The limit per swipe is more than the limit per day.',
});
