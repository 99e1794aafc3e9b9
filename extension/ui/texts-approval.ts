/** The texts of the approval window. */
import { translatable } from './translatable.ts';

export const approvalTexts = translatable('approval', {
  title: 'Confirm payment',
  asks: 'asks you to pay',
  foreignLetters: 'This site’s name has letters of another script. It may look like a site that you know.',
  notEncrypted: 'The connection to this site is not encrypted. Others may have changed what it asks.',
  oddOrigin: 'This is not an ordinary web address.',
  to: 'To',
  recipients: (n: number) => `To ${n} recipients`,
  together: 'Together',
  scrollRecipients: 'Scroll the list to see all of them.',
  odd: (numbers: number[]) =>
    numbers.length === 1
      ? `Number ${numbers[0]} needs a second look.`
      : `${numbers.length} of them need a second look: ${numbers.slice(0, 8).join(', ')}${numbers.length > 8 ? ' …' : ''}`,
  own: 'Your own address',
  notAnAddress: 'This recipient is paid through a script of its own.',
  scripts: {
    address: 'Only the holder of this address can take the money.',
    key: 'Only the holder of this public key can take the money.',
    keys: (needed: number, n: number) =>
      n === 1
        ? 'Only the holder of this public key can take the money.'
        : needed === n
          ? `Only the holders of these ${n} public keys together can take the money.`
          : `Any ${needed} of the holders of these ${n} public keys can take the money.`,
    puzzle:
      'This script asks for no signature. Anybody who finds what it asks for can take the money; perhaps nobody can.',
    anyone: 'Anybody can take this money.',
    dataOnly: 'This pays nobody. It only writes data.',
    nobody: 'Nobody can ever take this money. It would be lost.',
    retired: 'The network takes no payments of this kind any more.',
    unreadable:
      'The wallet cannot read this script. Whoever wrote it decides who can take the money; perhaps nobody can.',
  },
  ownUnseen: 'The key is yours, but this wallet does not look for money in such scripts.',
  publicKeys: 'Public keys',
  scriptData: 'Written in it for everybody to read, for ever:',
  scriptDataPart: (n: number) => `Data ${n}`,
  scriptSource: (size: string) => `The script itself (${size})`,
  scriptAsm: 'Script in words',
  scriptHex: 'Script in hexadecimal',
  data: 'Written to the chain for everybody to read, for ever',
  dataHex: 'This is not text. Shown as hexadecimal.',
  dataMore: 'Show more of it',
  dataCut: 'The rest is too long to show.',
  total: 'Total',
  asked: 'Asked for',
  fee: 'Network fee',
  feeUnknown: 'Not known yet',
  /** The service of the page's button, where the user has no account. */
  reportedTo: 'Reported to',
  reportedNote: 'It gets the payment and a proof that it is from this wallet, but neither your name nor your paymail.',
  balance: 'Your balance',
  testNetwork: 'Coins here have no value.',
  need: (need: string, have: string) => `You need ${need} and have ${have}. Once coins arrive, you can pay here.`,
  feeMissing: 'plus the network fee',
  moreBelow: 'There is more to read',
  refuse: 'Refuse',
  pay: (amount: string) => `Pay ${amount}`,
  paying: 'Paying …',
  cannotPay: 'Cannot be paid',
  unlockAndPay: (amount: string) => `Unlock and pay ${amount}`,
  unlock: 'Unlock',
  locked: 'Your wallet is locked',
  approved: (amount: string) => `You approved ${amount}`,
  approvedNote: 'The page gets its answer now.',
  refused: 'You refused',
  refusedNote: 'No money has moved.',
  goneTitle: 'This payment is over',
  gone: 'It is no longer waiting for a decision: it was decided, it ran out of time, or its page was closed. Your activity shows what was paid.',
  failedTitle: 'This did not work',
  pendingTitle: 'Payment signed',
});
