/** The texts of the approval window. */
import { translatable } from './translatable.ts';

export const approvalTexts = translatable('approval', {
  title: 'Confirm payment',
  asks: 'asks you to pay',
  foreignLetters: 'This site’s name uses letters from another alphabet. It may be imitating a site you know.',
  notEncrypted: 'The connection to this site isn’t encrypted. Someone may have changed what it asks for.',
  oddOrigin: 'This isn’t an ordinary web address.',
  to: 'To',
  recipients: (n: number) => `To ${n} recipients`,
  /** Who gets it, once it is approved. */
  toName: (name: string) => `To ${name}`,
  together: 'Together',
  /** `quoted`: in quotation marks already. */
  yourNote: (quoted: string) => `Your note to the seller: ${quoted}`,
  /** An amount that was chosen on the page, with its bounds. */
  youChose: (least: string | undefined, most: string | undefined) =>
    least && most
      ? `You chose this amount, from ${least} to ${most}.`
      : least
        ? `You chose this amount, at least ${least}.`
        : `You chose this amount, at most ${most}.`,
  siteSays: (quoted: string) => `The site says: ${quoted}`,
  siteData: 'Data the site attached for its own use',
  scrollRecipients: 'Scroll to see all of them.',
  odd: (numbers: number[]) =>
    numbers.length === 1
      ? `Check number ${numbers[0]} carefully.`
      : `Check ${numbers.length} of them carefully: ${numbers.slice(0, 8).join(', ')}${numbers.length > 8 ? ' …' : ''}`,
  own: 'Your own address',
  notAnAddress: 'This recipient is paid with a custom script.',
  scripts: {
    address: 'Only the owner of this address can spend the money.',
    key: 'Only the owner of this public key can spend the money.',
    keys: (needed: number, n: number) =>
      n === 1
        ? 'Only the owner of this public key can spend the money.'
        : needed === n
          ? `Only the owners of these ${n} public keys, together, can spend the money.`
          : `Any ${needed} of the ${n} owners of these public keys can spend the money.`,
    puzzle:
      'This script doesn’t need a signature. Anyone who finds what it asks for can take the money; maybe nobody can.',
    anyone: 'Anyone can take this money.',
    dataOnly: 'This pays no one. It only writes data.',
    nobody: 'Nobody can ever take this money. It would be lost.',
    retired: 'The network no longer accepts payments of this kind.',
    unreadable:
      'Your wallet can’t read this script. Whoever wrote it decides who can take the money; maybe nobody can.',
  },
  ownUnseen: 'The key is yours, but this wallet doesn’t look for money in scripts like this.',
  publicKeys: 'Public keys',
  scriptData: 'Written in it, public forever:',
  scriptDataPart: (n: number) => `Data ${n}`,
  scriptSource: (size: string) => `The script itself (${size})`,
  scriptAsm: 'Script as text',
  scriptHex: 'Script as hexadecimal',
  data: 'Written to the blockchain, public forever',
  dataHex: 'This isn’t text, so it’s shown as hexadecimal.',
  dataMore: 'Show more',
  dataCut: 'The rest is too long to show.',
  total: 'Total',
  asked: 'Requested',
  fee: 'Network fee',
  feeUnknown: 'Not known yet',
  /** The service of the page's button, where the user has no account. */
  reportedTo: 'Reported to',
  reportedNote: 'It gets the payment and proof that it came from this wallet, but not your name or paymail.',
  /** The application's own funds. */
  brought: 'The site adds',
  changeableId: 'Until a block confirms this transaction, others can change its ID, but not what you pay.',
  setAside: 'Set aside until the site finishes',
  balance: 'Your balance',
  testNetwork: 'Coins here have no value.',
  need: (need: string, have: string) => `You need ${need} and have ${have}. Once coins arrive, you can pay here.`,
  feeMissing: 'plus the network fee',
  twice: 'An earlier payment that seemed to fail may go through after all. If you pay again, both could be paid.',
  moreBelow: 'Scroll for more',
  refuse: 'Refuse',
  pay: (amount: string) => `Pay ${amount}`,
  paying: 'Paying…',
  cannotPay: 'Can’t be paid',
  unlockAndPay: (amount: string) => `Unlock and pay ${amount}`,
  unlock: 'Unlock',
  locked: 'Your wallet is locked',
  approved: (amount: string) => `You approved ${amount}`,
  approvedNote: 'The page is getting its answer.',
  refused: 'You refused',
  refusedNote: 'No money has moved.',
  goneTitle: 'This payment is over',
  gone: 'It’s no longer waiting for you: it was already decided, it timed out, or its page was closed. See your activity for what was paid.',
  failedTitle: 'That didn’t work',
  pendingTitle: 'Payment signed',
});
