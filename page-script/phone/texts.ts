/** The phone panel's English text. */
import type { PhoneTexts } from '../text/texts.ts';

export const ENGLISH: PhoneTexts = {
  title: 'Pay by phone',
  scan: 'Scan this code with a BSV wallet.',
  enterAmount: 'Enter {amount} yourself: the code has no amount because no exchange rate is available.',
  open: 'Open in a wallet on this device',
  note: "This page can't see payments made this way.",
  close: 'Close',
};
