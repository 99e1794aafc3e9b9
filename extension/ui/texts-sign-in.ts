/** The texts of the window in which a site asks to sign in, or to make an account. */
import { translatable } from './translatable.ts';

export const signInTexts = translatable('signIn', {
  title: { 'sign-in': 'Sign in', register: 'Create an account' },
  asks: { 'sign-in': 'asks you to sign in', register: 'asks to create an account for you' },
  what: {
    'sign-in':
      'You show this site that this wallet is yours, by a signature. It cannot pay with that, and it does not see your balance or your keys.',
    register:
      'Anyone can then pay you at this handle. This service hands out addresses of yours for that, and sees what is paid to them. It cannot spend anything.',
  },
  as: 'You sign in as',
  account: 'Your new account',
  name: 'Name',
  key: 'Your public key',
  /** Where the site is not the wallet's own service. */
  foreign: (service: string) =>
    `This is not the service that your wallet is set to (${service}). Go on only if you know this site.`,
  foreignKey: 'It will know you by your public key, which is the same on every site where you sign in.',
  foreignAddresses: 'It will learn all addresses at which others pay you through your service.',
  signed: 'Show what is signed',
  signedNote: 'Your wallet wrote this text itself, and signs nothing else.',
  yes: { 'sign-in': 'Sign in', register: 'Create account' },
  unlockAnd: { 'sign-in': 'Unlock and sign in', register: 'Unlock and create account' },
  busy: 'Signing …',
  done: 'Signed',
  doneNote: 'The page goes on now.',
  refusedNote: 'This site gets no signature. No money has moved.',
  overTitle: 'Too late',
});
