/** The texts of assets: tokens and ordinals. */
import { translatable } from './translatable.ts';

export const assetTexts = translatable('assets', {
  title: 'Assets',
  tokens: 'Tokens',
  ordinals: 'Ordinals',
  looking: 'Looking for assets…',
  none: 'No assets yet',
  noneText: 'Tokens (BSV-21) and ordinals (1Sat) that people send you appear here.',
  invalid: (n: string) => `Coins that claim to hold a token but don’t: ${n}`,
  unchecked: (n: string) => `Coins with a token that couldn’t be checked yet: ${n}`,
  tooLarge: (n: string) => `Ordinals that are too large for your wallet: ${n}. They stay where they are.`,
  names: 'Names and pictures are chosen by whoever made the token. Anyone can use any name: compare the ID.',

  /** In the window of a payment: the page's name, and the host that resolved it to a token. */
  requested: 'Requested',
  according: (name: string, host: string) => `${name}, according to ${host}`,
  held: 'You have',
  anyName: 'Anyone can use any name for a token. The ID tells them apart.',
  indexWord: 'Your wallet couldn’t check this token back to its origin itself. It relies on the index.',

  receive: 'Receive assets',
  receiveText: 'Give this address to people who send you tokens or ordinals. Money sent here arrives too.',

  token: 'Token',
  ordinal: 'Ordinal',
  nameless: 'No name',
  id: 'ID',
  amount: 'Amount',
  spendable: 'Can be sent now',
  supply: 'Total supply',
  checked: 'Checked by',
  byWallet: 'Your wallet, back to where the token was made',
  byIndex: 'The index only: your wallet couldn’t follow it back itself',
  unconfirmed: 'Not confirmed yet',
  accordingToIndex: 'According to the index only',
  /** In the activity: received coins that claim to be a token. */
  claims: { unchecked: 'Unchecked token', forged: 'Fake token' },
  claimMeans: {
    unchecked: 'Your wallet couldn’t check it yet. Open your assets to try again.',
    forged: 'This coin claims to hold a token, but doesn’t.',
  },
  type: 'Type',
  place: 'Output',
  origin: 'Origin, according to the index',
  content: 'Content',
  noPreview: 'This content isn’t shown here. Only plain text and small pictures are.',
  cannotSend: 'Your wallet can’t read this for certain, so it won’t send it: that could destroy a token.',
  copyId: 'Copy ID',

  send: 'Send',
  sendTitle: (name: string) => `Send ${name}`,
  to: 'To',
  noScript: 'Tokens and ordinals can’t be sent to this script. Ask for an address or a paymail.',
  noOrdinals: (host: string) => `${host} doesn’t accept tokens or ordinals. Ask for an address.`,
  max: 'Max',
  badAmount: (decimals: number) =>
    decimals === 0
      ? 'Enter a whole number.'
      : `Enter an amount with at most ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}.`,
  fee: 'Network fee',
  review: 'Review',
  reviewing: 'One moment…',
  checkTitle: 'Check before you send',
  checkText:
    'Once it’s sent, only the recipient can send it back. A wallet that doesn’t know tokens and ordinals may spend it as money, and then it’s lost.',
  asset: 'Asset',
  pay: (name: string) => `Send ${name}`,
  paying: 'Sending…',
  back: 'Back',
  changed: 'Something has changed since you reviewed this. Check it again. Nothing was sent.',
  unmoved: 'Nothing was sent.',
  unknown: 'We can’t tell right now whether it was sent. Check your activity before you try again.',
  sentTitle: 'On its way',
  sentText: 'The network has it. It’s usually confirmed within minutes.',
  waitingTitle: 'Signed and waiting',
  waitingText:
    'We can’t reach the network right now. It’s signed and will be sent as soon as possible. Don’t send it again.',
  transaction: 'Transaction ID',
  done: 'Show assets',

  index: 'Where assets are looked up',
  indexHint: 'An index of 1Sat ordinals. It sees your addresses. Leave it empty for the usual one.',
  save: 'Save',
});
