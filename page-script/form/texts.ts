/** The form's text in English. */
import type { FormTexts } from '../text/texts.ts';

export const ENGLISH: FormTexts = {
  to: 'Pay to',
  toExample: 'Paymail, user ID or address',
  amount: 'Amount',
  currency: 'Currency',
  badTo: 'Enter a paymail, user ID or address.',
  badAmount: 'Enter an amount, such as 0.50.',
  whichAmount: 'Which amount do you mean?',
  otherAmount: 'Other amount',
  note: 'Note to the seller (optional)',
  between: 'Enter an amount from {min} to {max}.',
  least: 'Enter at least {min}.',
  most: 'Enter at most {max}.',
  choose: 'Choose an amount or enter one.',
  again: 'Pay again',
};
