/** The texts of the window in which a site asks to sign in, or to make an account. */
import { translatable } from './translatable.ts';

export const signInTexts = translatable('signIn', {
  title: { 'sign-in': 'Sign in', register: 'Create an account' },
  asks: { 'sign-in': 'asks you to sign in', register: 'asks to create an account for you' },
  what: {
    'sign-in':
      'You’ll sign a message to prove that this wallet is yours. The site can’t make payments with it, and can’t see your balance or your keys.',
    register:
      'Anyone will be able to pay you at this handle. The service gives out your addresses for that and sees what’s paid to them. It can’t spend anything.',
  },
  as: 'You sign in as',
  account: 'Your new account',
  name: 'Name',
  key: 'Your public key',
  /** Where the site is not the wallet's own service. */
  foreign: (service: string) =>
    `This isn’t the service your wallet uses (${service}). Continue only if you know this site.`,
  foreignKey: 'It will know you by your public key, which is the same on every site you sign in to.',
  foreignAddresses: 'It will learn all the addresses people use to pay you through your service.',
  signed: 'Show what you’re signing',
  signedNote: 'Your wallet wrote this text and signs nothing else.',
  yes: { 'sign-in': 'Sign in', register: 'Create account' },
  unlockAnd: { 'sign-in': 'Unlock and sign in', register: 'Unlock and create account' },
  busy: 'Signing…',
  done: 'Signed',
  doneNote: 'You can return to the page.',
  refusedNote: 'This site didn’t get a signature. No money has moved.',
  overTitle: 'This request has expired',
});
