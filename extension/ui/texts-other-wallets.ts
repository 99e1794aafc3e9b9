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
  tokens: (n: number) =>
    n === 1
      ? 'There is one coin of one satoshi at these paths. It may carry a token or an ordinal, which this wallet doesn’t move.'
      : `There are ${n} coins of one satoshi at these paths. They may carry tokens or ordinals, which this wallet doesn’t move.`,
  left: (n: number) =>
    n === 1
      ? 'One more coin was left out. Search again after moving these.'
      : `${n} more coins were left out. Search again after moving these.`,
});
