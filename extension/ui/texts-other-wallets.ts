/** The texts about coins of other wallets. */
import { translatable } from './translatable.ts';

export const otherWalletTexts = translatable('otherWallets', {
  title: 'Words from another wallet?',
  lead: 'Other wallets keep coins at other paths of the same words. Your wallet can search those too.',
  own: 'Searched so far:',
  passphrase: 'Passphrase (optional)',
  passphraseHint: 'Only if the other wallet asked for one in addition to the words. For Centbee, it’s your PIN.',
  search: 'Search other wallets',
  searching: 'Searching…',
  searched: 'Paths that were searched',
  none: 'There are no coins at these paths.',
  found: 'Coins found',
  withPassphrase: 'This wallet, with the passphrase',
  fee: 'Network fee',
  move: 'Move to this wallet',
  moving: 'Moving…',
  moved: 'The coins are on their way to this wallet.',
  noFee: 'This is too little to pay the network fee. Receive some money first, then search again.',
  assetsFound: 'Tokens and ordinals found',
  moveAssets: 'Move them to this wallet',
  assetsMoved: 'The tokens and ordinals are on their way to this wallet.',
  assetsNoFee:
    'This wallet has too little money to pay the network fee. Move coins here or receive some, then search again.',
  assetsLeft: (n: number) =>
    n === 1
      ? 'One more token or ordinal was left out. Search again after moving these.'
      : `${n} more tokens and ordinals were left out. Search again after moving these.`,
  assetsUnknown: 'Not all addresses could be searched for tokens and ordinals. Search again later.',
  tokens: (n: number) =>
    n === 1
      ? 'There is one other coin of one satoshi at these paths. Your wallet can’t tell what it carries, and doesn’t move it.'
      : `There are ${n} other coins of one satoshi at these paths. Your wallet can’t tell what they carry, and doesn’t move them.`,
  left: (n: number) =>
    n === 1
      ? 'One more coin was left out. Search again after moving these.'
      : `${n} more coins were left out. Search again after moving these.`,
});
