/** The texts of allowances and of the list of sites. */
import { translatable } from './translatable.ts';

const periods = { day: 'a day', week: 'a week', month: 'a month' } as const;

export const allowanceTexts = translatable('allowance', {
  periods,
  /** `$5.00 a week`. */
  perPeriod: (amount: string, period: keyof typeof periods) => `${amount} ${periods[period]}`,
  resets: {
    day: 'It starts anew every day at 00:00, your time.',
    week: 'It starts anew every Monday at 00:00, your time.',
    month: 'It starts anew on the 1st of each month at 00:00, your time.',
  },
  amount: 'Up to',
  currency: 'Currency',
  period: 'Each',
  periodNames: { day: 'Day', week: 'Week', month: 'Month' },
  perPayment: 'At most for one payment',
  perPaymentHint: 'Leave it empty for no such limit.',
  badAmount: 'Enter an amount such as 5 or 0.50.',
  missingAmount: 'Enter how much.',
  about: (amount: string) => `That is about ${amount} now.`,
  moreThanLimit: 'This is more than the whole allowance.',
  belowMinimum: (minimum: string) => `This site says that less than ${minimum} is of no use to it.`,
  aboveBalance: (balance: string) => `This is more than your wallet holds now (${balance}).`,
  may: {
    swipe: (amount: string) =>
      `When you swipe to pay on this site, it is paid at once, without this window, up to ${amount}, network fees included.`,
    automatic: (amount: string) =>
      `This site then pays by itself, without asking you, up to ${amount}, network fees included.`,
  },
  ceilingNow: (coins: string, dollars: string) =>
    `Never more than ${coins} (${dollars} now), whatever the exchange rate does.`,
  takeBack: 'You can change or take it back in your wallet, under Sites.',
  replaces: 'It takes the place of the allowance that this site has.',

  // In the approval of a payment
  open: 'Allow this site…',
  on: { swipe: 'Pay what I swipe here without this window', automatic: 'Let this site pay by itself' },
  payAndAllow: (label: string, amount: string) => `${label} and allow ${amount}`,
  incomplete: 'Complete the allowance',
  current: 'Allowance for this site',
  left: 'Left',
  leftOf: (left: string, limit: string) => `${left} of ${limit}`,
  resetsOn: (time: string) => `Starts anew ${time}`,
  ceiling: 'Limit in BSV',
  short: {
    'too-much-at-once': 'This payment is more than you allow at once.',
    'used-up': 'Not enough of it is left for this payment, so you are asked.',
    'above-ceiling': 'At today’s exchange rate this payment takes more BSV than this allowance may, so you are asked.',
    'rate-moved':
      'This currency’s rate against the US dollar has moved by more than 20% since you gave this allowance, so you are asked. To use it again, change it in your wallet, under Sites.',
  },
  atOnce: 'For one payment',
  application: 'The site’s own name for its application',

  // The window in which a site asks for one
  asksTitle: 'Give an allowance',
  asks: 'asks to make payments by itself',
  what: 'Say yes only if you trust this site with the amount below. It can spend it, network fees included, without asking you again.',
  grant: (amount: string) => `Allow ${amount}`,
  unlockAndGrant: (amount: string) => `Unlock and allow ${amount}`,
  granting: 'Allowing …',
  granted: 'Allowance given',
  refusedNote: 'This site gets no allowance. No money has moved.',

  // Blocking
  blockOffer: 'You refused this site twice just now. It need not ask again.',
  blockHour: 'Block for an hour',
  blockDay: 'Block for a day',
  blocked: 'Site blocked',
  blockedNote:
    'It cannot ask you for anything until then. You can unblock it in your wallet, under Sites. No money has moved.',

  // The list of sites
  sites: 'Sites',
  none: 'Nothing here yet.',
  noneNote:
    'Sites that you let pay without asking show up here, with what they spent. So do sites that you blocked or refused.',
  refusedAgo: (age: string) => `Refused ${age}`,
  blockedFor: (time: string) => `Blocked until ${time}`,
  blockedForGood: 'Blocked',
  leftShort: (left: string) => `${left} left`,
  kinds: { swipe: 'What you swipe', automatic: 'Pays by itself' },
  spent: 'Spent',
  spentNow: (spent: string, period: keyof typeof periods) =>
    `${spent} ${{ day: 'today', week: 'this week', month: 'this month' }[period]}`,
  total: 'In all',
  totalOf: (amount: string, n: number) => `${amount} in ${n} ${n === 1 ? 'payment' : 'payments'}`,
  limit: 'Limit',
  change: 'Change',
  save: 'Save',
  cancel: 'Cancel',
  revoke: 'Take back',
  revokeSure: 'Take it back now',
  block: 'Block this site',
  blockNow: 'Block',
  blockFor: 'For how long',
  blockTimes: { hour: 'An hour', day: 'A day', always: 'Until I unblock it' },
  unblock: 'Unblock',
});
