/** The texts of sending money. */
import { translatable } from './translatable.ts';

export const sendTexts = translatable('send', {
  send: 'Send',
  title: 'Send coins',
  to: 'To',
  recipient: (n: number) => `Recipient ${n}`,
  toHint: 'Paymail, user ID or address',
  amount: 'Amount',
  amountIn: (currency: string) => `Amount (${currency})`,
  currency: 'Currency',
  everything: 'Max',
  everythingLabel: 'Send all that is left',
  allThatIsLeft: 'All that is left',
  add: 'Add recipient',
  remove: 'Remove',
  removeLabel: (n: number) => `Remove recipient ${n}`,
  review: 'Review',
  reviewing: 'One moment …',

  missingTo: 'Enter who gets the money.',
  missingAmount: 'Enter an amount.',
  badAmount: 'Enter an amount such as 5 or 0.5, with a point and without separators.',
  tooSmall: 'This is less than one satoshi, the smallest amount there is.',
  tooMuch: 'This is more than exists.',
  nobody: 'This is no address, paymail or other recipient that the wallet knows.',
  mistyped: 'This address has a mistake in it: letters are wrong or missing. Copy it again.',
  otherKind:
    'The wallet cannot pay addresses of this form. Ask for one that starts with 1 (on a test network with m or n).',
  otherNetwork: 'This address belongs to another network than your wallet. Money sent there would be lost.',
  otherChain: 'This payment link is for another currency than yours. Ask for an address or a link for BSV.',
  badLink: 'The wallet cannot read this payment link. Ask for the address instead.',
  unspendable: 'Nobody could ever take this money.',

  /** Of the host that is asked about a paymail or a user ID. */
  hosts: {
    asking: (host: string) => `Asking ${host} …`,
    found: (host: string) => `Found at ${host}`,
    unknown: (host: string) => `${host} knows no such recipient. Compare it letter by letter with what you were given.`,
    unknownUser: 'There is no user with this ID.',
    unavailable: (host: string) =>
      `${host} cannot be reached right now. See whether it is written right, try again later, or ask for an address.`,
    nonsense: (host: string) =>
      `${host} gave an answer that makes no sense, so nothing can be paid there. Try again later, or ask for an address.`,
    unsupported: (host: string) => `${host} cannot take payments from this wallet. Ask for an address.`,
  },

  cost: 'What it costs',
  sum: (n: number) => (n === 1 ? 'They get' : `${n} recipients get`),
  fee: 'Network fee',
  total: 'Total',
  left: 'Left afterwards',
  balance: 'Your balance',
  short: (need: string, have: string) => `You need ${need}, plus the network fee, and have ${have}.`,

  checkTitle: 'Check before you send',
  checkText: 'A payment cannot be taken back. Compare every recipient with the one you were given.',
  atMost: 'at most',
  pay: (amount: string) => `Send ${amount}`,
  paying: 'Sending …',
  back: 'Back',
  changed: 'Something has changed since you looked: these are the new figures. No money has moved.',
  unmoved: 'No money has moved.',
  unknown: 'Nobody can say right now whether it was sent. Look at your activity before you try again.',

  sentTitle: 'On its way',
  sentText: 'The network has your payment. A block confirms it, usually within minutes.',
  waitingTitle: 'Signed, and waiting',
  waitingText:
    'The network cannot be reached right now. Your payment is signed and will be sent as soon as it can be. Do not send it again.',
  transaction: 'Transaction id',
  copyTransaction: 'Copy transaction id',
  activity: 'Show activity',
});
