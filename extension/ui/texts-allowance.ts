/** The texts of allowances and of the list of sites. */
import { translatable } from './translatable.ts';

const periods = { day: 'a day', week: 'a week', month: 'a month' } as const;

export const allowanceTexts = translatable('allowance', {
  periods,
  /** `$5.00 a week`. */
  perPeriod: (amount: string, period: keyof typeof periods) => `${amount} ${periods[period]}`,
  resets: {
    day: 'Resets every day at 00:00, your time.',
    week: 'Resets every Monday at 00:00, your time.',
    month: 'Resets on the 1st of each month at 00:00, your time.',
  },
  amount: 'Up to',
  currency: 'Currency',
  period: 'Per',
  periodNames: { day: 'Day', week: 'Week', month: 'Month' },
  perPayment: 'Limit per payment',
  perPaymentHint: 'Leave empty for no limit.',
  badAmount: 'Enter an amount such as 5 or 0.50.',
  missingAmount: 'Enter an amount.',
  about: (amount: string) => `About ${amount} right now.`,
  moreThanLimit: 'This is more than the allowance itself.',
  belowMinimum: (minimum: string) => `This site says it needs at least ${minimum}.`,
  aboveBalance: (balance: string) => `This is more than your current balance (${balance}).`,
  may: {
    swipe: (amount: string) =>
      `When you swipe to pay on this site, it’s paid right away, without this window, up to ${amount} including network fees.`,
    automatic: (amount: string) =>
      `This site can then pay by itself, without asking you, up to ${amount} including network fees.`,
  },
  ceilingNow: (coins: string, dollars: string) =>
    `Never more than ${coins} (${dollars} now), even if the exchange rate changes.`,
  takeBack: 'You can change or remove it in your wallet, under Sites.',
  replaces: 'This replaces this site’s current allowance.',

  // In the approval of a payment
  open: 'Allow this site…',
  on: { swipe: 'Skip this window when I swipe here', automatic: 'Let this site pay by itself' },
  payAndAllow: (label: string, amount: string) => `${label} and allow ${amount}`,
  incomplete: 'Finish the allowance',
  current: 'Allowance for this site',
  left: 'Left',
  leftOf: (left: string, limit: string) => `${left} of ${limit}`,
  resetsOn: (time: string) => `Resets ${time}`,
  ceiling: 'Limit in BSV',
  short: {
    'too-much-at-once': 'This payment is more than you allow for one payment.',
    'used-up': 'There isn’t enough left for this payment, so you need to approve it.',
    'above-ceiling':
      'At today’s exchange rate, this payment takes more BSV than the allowance permits, so you need to approve it.',
    'rate-moved':
      'This currency’s rate against the US dollar has moved by more than 20% since you gave this allowance, so you need to approve this payment. To use it again, change it in your wallet, under Sites.',
  },
  atOnce: 'Per payment',
  application: 'Application (named by the site)',

  // The window in which a site requests one.
  asksTitle: 'Give an allowance',
  asks: 'wants to make payments by itself',
  what: 'Only allow this if you trust this site with the amount below. It can spend it, including network fees, without asking you again.',
  grant: (amount: string) => `Allow ${amount}`,
  unlockAndGrant: (amount: string) => `Unlock and allow ${amount}`,
  granting: 'Allowing…',
  granted: 'Allowance given',
  refusedNote: 'This site didn’t get an allowance. No money has moved.',

  // Blocking
  blockOffer: 'You’ve refused this site twice just now. You can block it.',
  blockHour: 'Block for an hour',
  blockDay: 'Block for a day',
  blocked: 'Site blocked',
  blockedNote:
    'It can’t ask you for anything until then. You can unblock it in your wallet, under Sites. No money has moved.',

  // The list of sites
  sites: 'Sites',
  none: 'Nothing here yet.',
  noneNote:
    'Sites that can pay without asking appear here, with what they’ve spent. So do sites with other permissions, and those you blocked or refused.',
  refusedAgo: (age: string) => `Refused ${age}`,
  blockedFor: (time: string) => `Blocked until ${time}`,
  blockedForGood: 'Blocked',
  leftShort: (left: string) => `${left} left`,
  kinds: { swipe: 'Pays when you swipe', automatic: 'Pays by itself' },
  spent: 'Spent',
  spentNow: (spent: string, period: keyof typeof periods) =>
    `${spent} ${{ day: 'today', week: 'this week', month: 'this month' }[period]}`,
  total: 'Total',
  totalOf: (amount: string, n: number) => `${amount} in ${n} ${n === 1 ? 'payment' : 'payments'}`,
  limit: 'Limit',
  change: 'Change',
  save: 'Save',
  cancel: 'Cancel',
  revoke: 'Remove',
  revokeSure: 'Remove allowance',
  block: 'Block this site',
  blockNow: 'Block',
  blockFor: 'For how long',
  blockTimes: { hour: 'An hour', day: 'A day', always: 'Until I unblock it' },
  unblock: 'Unblock',
});
