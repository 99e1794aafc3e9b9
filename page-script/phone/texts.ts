/** The panel's texts in English. */
import type { PhoneTexts } from '../texts.ts';

/** See {@link PhoneTexts}. */
export const ENGLISH: PhoneTexts = {
  title: 'Pay by phone',
  scan: 'Scan this code with a BSV wallet.',
  enterAmount: 'Enter {amount} there: the code holds no amount, because no exchange rate is known.',
  open: 'Open in a wallet on this device',
  note: 'This page cannot see a payment that is made this way.',
  close: 'Close',
};
