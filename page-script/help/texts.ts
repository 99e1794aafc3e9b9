/** The `help` part's English text (see {@link Texts}). */
import type { HelpTexts } from '../text/texts.ts';

const AGAIN = 'Not paid. Swipe to try again';

export const ENGLISH: HelpTexts = {
  step: { buy: 'Pay {amount}', tip: 'Tip {amount}', run: 'Confirm' },
  cancel: 'Cancel',
  fee: 'fee {fee}',
  cost: 'About {total}, network fee included ({fee}).',
  toSelf: 'You pay yourself',
  opensNewTab: '{text} (opens in a new tab)',
  payByPhone: 'Pay by phone',
  reloadPage: 'Reload this page',
  filePage: 'Open this page over http',
  filePageTitle:
    "This page was opened as a file, so wallets can't reach it. Open it over https or from http://localhost.",
  errors: {
    refused: AGAIN,
    'approval-closed': AGAIN,
    'approval-expired': AGAIN,
    'page-gone': AGAIN,
    busy: 'Finish the open payment first',
    'too-many-requests': 'Wait a moment, then swipe',
    'wallet-outdated': 'Update your wallet, then swipe',
    'wallet-unreadable': 'Restore your wallet, then swipe',
    'disk-full': 'Free disk space, then swipe',
    'wallet-locked': 'Unlock your wallet, then swipe',
    'wallet-not-set-up': 'Set up your wallet, then swipe',
    'insufficient-funds': 'Add money, then swipe again',
    'amount-too-small': 'The amount is too small to pay',
    'unsupported-recipient': "This recipient can't be paid",
    'unknown-recipient': "This recipient doesn't exist",
    'paymail-unavailable': 'Recipient offline. Swipe again',
    'operation-failed': "Your wallet can't decrypt this",
    'clock-ahead': 'Set your clock, then swipe',
    'rate-unavailable': 'No exchange rate. Try later',
    'network-unavailable': 'Network is down. Swipe to retry',
    'wallet-disconnected': 'Reload the page, then swipe',
    'insecure-origin': 'Payments need a secure page',
  },
};
