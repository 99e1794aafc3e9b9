/** The texts of the window in which the wallet's service asks to mint an asset. */
import { translatable } from './translatable.ts';

export const mintTexts = translatable('mint', {
  title: 'Mint an asset',
  asks: 'asks you to mint an asset',
  name: 'Name',
  supply: 'Supply',
  decimals: 'Decimals',
  what: 'Your wallet makes the whole supply in one transaction and keeps it. It can’t be changed afterwards.',
  earlier:
    'Before it was restored, your wallet already minted a token with this name, supply and decimals. It will be used for this asset. No second one will be minted, and there is no fee.',
  useIt: 'Use this token',
  locked: 'Unlock your wallet to see the asset. Nothing is minted yet.',
  look: 'Unlock and review',
  yes: 'Mint',
  unlockAnd: 'Unlock and mint',
  cannot: 'Can’t be minted',
  busy: 'Minting…',
  done: 'You approved it',
  refusedNote: 'Nothing was minted. No money has moved.',
  overTitle: 'This request is over',
  over: 'It’s no longer waiting for you. See your activity for what was minted.',
});
