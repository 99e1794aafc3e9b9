/** The texts of sending money. */
import { translatable } from './translatable.ts';

export const sendTexts = translatable('send', {
  send: 'Send',
  title: 'Send coins',
  to: 'To',
  recipient: (n: number) => `Recipient ${n}`,
  toHint: 'Paymail, user ID or address',
  recents: 'Recent',
  amount: 'Amount',
  amountIn: (currency: string) => `Amount (${currency})`,
  currency: 'Currency',
  everything: 'Max',
  everythingLabel: 'Send everything that’s left',
  allThatIsLeft: 'Everything that’s left',
  add: 'Add recipient',
  remove: 'Remove',
  removeLabel: (n: number) => `Remove recipient ${n}`,
  note: 'Note',
  noteOptional: 'Note (optional)',
  noteHint: 'Only you can see it, in your activity.',
  review: 'Review',
  reviewing: 'One moment…',

  missingTo: 'Enter a recipient.',
  missingAmount: 'Enter an amount.',
  badAmount: 'Enter an amount such as 5 or 0.5.',
  tooSmall: 'This is less than one satoshi, the smallest possible amount.',
  tooMuch: 'This is more than all the coins there are.',
  nobody: 'This isn’t an address, paymail or other recipient that your wallet recognizes.',
  mistyped: 'This address has a mistake: some letters are wrong or missing. Copy it again.',
  otherKind:
    'Your wallet can’t pay this type of address. Ask for one that starts with 1 (on a test network, with m or n).',
  otherNetwork: 'This address is for a different network than your wallet’s. Money sent there would be lost.',
  otherChain: 'This payment link is for a different currency. Ask for a BSV address or link.',
  badLink: 'Your wallet can’t read this payment link. Ask for the address instead.',
  unspendable: 'Nobody could ever spend this money.',

  /** The host that is queried about a paymail or a user ID. */
  hosts: {
    asking: (host: string) => `Contacting ${host}…`,
    found: (host: string) => `Found at ${host}`,
    unknown: (host: string) =>
      `${host} doesn’t know this recipient. Compare it letter by letter with what you were given.`,
    unknownUser: 'There is no user with this ID.',
    unavailable: (host: string) =>
      `We can’t reach ${host} right now. Check the spelling, try again later, or ask for an address.`,
    nonsense: (host: string) =>
      `${host} gave an invalid answer, so it can’t be paid. Try again later, or ask for an address.`,
    unsupported: (host: string) => `${host} can’t accept payments from this wallet. Ask for an address.`,
  },

  cost: 'Cost',
  sum: (n: number) => (n === 1 ? 'Recipient gets' : `${n} recipients get`),
  fee: 'Network fee',
  total: 'Total',
  left: 'Balance after',
  balance: 'Your balance',
  short: (need: string, have: string) => `You need ${need}, plus the network fee, and have ${have}.`,

  checkTitle: 'Check before you send',
  checkText: 'Once it’s sent, only the recipient can refund it. Compare every recipient with the one you were given.',
  atMost: 'at most',
  pay: (amount: string) => `Send ${amount}`,
  paying: 'Sending…',
  back: 'Back',
  changed: 'Something has changed since you reviewed this. These are the new figures. No money has moved.',
  unmoved: 'No money has moved.',
  unknown: 'We can’t tell right now whether it was sent. Check your activity before you try again.',

  sentTitle: 'On its way',
  sentText: 'The network has your payment. It’s usually confirmed within minutes.',
  waitingTitle: 'Signed and waiting',
  waitingText:
    'We can’t reach the network right now. Your payment is signed and will be sent as soon as possible. Don’t send it again.',
  transaction: 'Transaction ID',
  copyTransaction: 'Copy transaction ID',
  activity: 'Show activity',
});
