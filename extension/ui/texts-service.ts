/** The texts about where the account is. */
import { translatable } from './translatable.ts';

export const serviceTexts = translatable('service', {
  title: 'Account and service',
  legend: 'Who should host your account?',
  trust:
    'The service sees what you pay on sites, and gives people who pay your paymail an address to send to. It can never spend your money.',
  builtInNote: 'The service this wallet came with.',
  other: 'Another service',
  otherNote: 'One you trust. You’ll need its address.',
  none: 'No account',
  noneNote: 'You can pay, receive at an address and restore your wallet, but you won’t have a paymail.',
  address: 'Service address',
  hint: 'For example https://example.com',
  use: 'Use this service',
  asking: 'Contacting the service…',
  goOn: 'Continue without an account',
  unchanged: 'Nothing has changed.',
  changes: {
    title: 'If you change this',
    handle: (paymail: string, host: string) =>
      `Your handle stays at ${host}. Money sent to ${paymail} is still yours, but this wallet may only find it when you return to ${host} or restore from your recovery words.`,
    payments:
      'Payments you’ve made are on the network and aren’t affected. Anything not reported yet will be reported once you have an account again.',
    move: 'To move, choose the same handle at the new service, if it’s available there, and tell people your new paymail. Sites you’ve signed in to know you by the old one.',
  },
  isNone: 'This wallet doesn’t have an account.',
  is: (paymail: string) => `Your account is ${paymail}.`,
  elsewhere: 'To move it to another service, open Account and service in Settings.',
});
