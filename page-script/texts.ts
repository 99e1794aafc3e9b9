/** Every text that people see or hear, in English. `{amount}` and `{label}` are filled in. Another language is another table. */
import type { ErrorCode } from '../protocol/errors.ts';

/** The texts of one language. */
export const TEXTS = {
  /** Shown where the page gives no label. */
  swipe: { buy: 'Swipe to pay', tip: 'Swipe to tip' },
  name: { buy: 'Swipe to pay {amount}', tip: 'Swipe to tip {amount}' },
  nameWithLabel: '{name}: {label}',
  percent: '{percent} percent',
  working: 'Check your wallet…',
  workingSpoken: 'Waiting for your wallet.',
  success: { buy: "It's yours!", tip: 'Thank you!' },
  paid: 'Paid {amount}',
  getWallet: 'Get the wallet',
  noWallet: 'No wallet found',
  noWalletTitle: 'No wallet was found in this browser.',
  opensNewTab: '{text} (opens in a new tab)',
  loadingTitle: 'Looking for your wallet…',
  disabledTitle: 'The page has switched this button off.',
  failed: 'Payment not available',
  failedTitle: 'The page has not set up this button correctly. No money has moved.',
  demo: 'Demo',
  demoTitle: 'Demo: no money moves.',
  demoPaid: 'Demo: nothing paid',
} as const;

/** One short line for each error, saying what to do; the whole sentence stands in the title. */
export const ERROR_LINES: { readonly [code in ErrorCode]?: string } = {
  'refused': 'Not paid. Swipe to try again',
  'approval-closed': 'Not paid. Swipe to try again',
  'approval-expired': 'Not paid. Swipe to try again',
  'page-gone': 'Not paid. Swipe to try again',
  'busy': 'Finish the open payment first',
  'too-many-requests': 'Wait a moment, then swipe',
  'wallet-locked': 'Unlock your wallet, then swipe',
  'wallet-not-set-up': 'Set up your wallet, then swipe',
  'insufficient-funds': 'Add money, then swipe again',
  'amount-too-small': 'The amount is too small to pay',
  'rate-unavailable': 'No exchange rate. Try later',
  'network-unavailable': 'Network is down. Swipe to retry',
  'payment-pending': 'Signed, not sent yet. Don\'t pay again',
  'wallet-disconnected': 'Reload the page, then swipe',
  'insecure-origin': 'Only secure pages can be paid',
};
/** For every error without a line of its own. */
export const OTHER_ERROR_LINE = 'Not done. Swipe to try again';

/** A text with its `{names}` filled in. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').trim();
}
