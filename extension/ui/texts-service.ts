/** The texts about where the account is. */
import { translatable } from './translatable.ts';

export const serviceTexts = translatable('service', {
  title: 'Account and service',
  legend: 'Where should your account be?',
  trust:
    'The service sees what you pay on sites, and tells people who pay your paymail where to send the money. It can never spend what is in your wallet.',
  builtInNote: 'The service that this wallet came with.',
  other: 'Another service',
  otherNote: 'One that you trust. You need its address.',
  none: 'No account',
  noneNote: 'You can pay, receive by address and restore your wallet, but have no paymail.',
  address: 'Address of the service',
  hint: 'For example https://example.com',
  use: 'Use this service',
  asking: 'Asking the service …',
  goOn: 'Continue without an account',
  unchanged: 'Nothing was changed.',
  changes: {
    title: 'If you change this',
    handle: (paymail: string, host: string) =>
      `Your handle stays at ${host}. Money sent to ${paymail} is still yours, but this wallet may learn of it only when you come back to ${host}, or restore it from your recovery words.`,
    payments:
      'Payments that you have made are on the network and are not affected. What has not been reported yet is reported once you have an account again.',
    move: 'To move, choose the same handle at the new service, if it is free there, and tell people your new paymail. Sites where you signed in know you by the old one.',
  },
  isNone: 'This wallet has no account.',
  is: (paymail: string) => `Your account is ${paymail}.`,
  elsewhere: 'To have it at another service, open Account and service in the settings.',
});
