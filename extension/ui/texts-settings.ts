/** The texts of the settings, of removing the wallet, and of the network's addresses. */
import type { Network } from '../../protocol/address.ts';
import { translatable } from './translatable.ts';

const payments = (n: number) => `${n} ${n === 1 ? 'payment is' : 'payments are'}`;

const examples: Record<Network, string> = {
  mainnet: 'https://woc.example.com/v1/bsv/main',
  testnet: 'https://woc.example.com/v1/bsv/test',
  devnet: 'http://localhost:3000/devnet/woc/v1/bsv/test',
};

export const settingsTexts = translatable('settings', {
  title: 'Settings',
  you: 'You',
  currency: 'Currency',
  lockAfter: 'Lock after',
  minutes: (n: number) =>
    n < 60 ? `${n} ${n === 1 ? 'minute' : 'minutes'}` : `${n / 60} ${n === 60 ? 'hour' : 'hours'}`,
  language: 'Language',
  languageOfBrowser: 'As the browser',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  notify: 'Tell me when money arrives',
  notifyNote: 'At your paymail or user ID. Your browser then shows amount, sender and note on the screen.',
  security: 'Security',
  lockNow: 'Lock now',
  network: 'Network',
  addresses: 'Network addresses',
  addressesNote: 'Where payments are sent and coins looked up',
  busy: 'One moment …',

  words: {
    title: 'Show recovery words',
    row: 'They bring your wallet back',
    warning: 'Who sees these words can take all your money, from anywhere, without this browser.',
    rules: [
      'Make sure that nobody looks over your shoulder, and that your screen is not shared.',
      'Nobody who helps you needs them. Who asks for them wants your money.',
      'No photo, no file, no message: paper.',
    ],
    password: 'Your password',
    show: 'Show the words',
    shown: 'They are hidden again after a minute, and as soon as you leave this page.',
    hidden: 'The words are hidden again.',
  },

  password: {
    title: 'Change password',
    row: 'What unlocks this wallet',
    lead: 'The new password is for this browser. Your recovery words stay the same.',
    now: 'Your password now',
    next: 'New password',
    change: 'Change password',
    changing: 'Changing your password …',
    done: 'Your password is changed.',
  },

  addressesPage: {
    lead: 'Your wallet sends payments and looks for coins here. Leave a field empty to use the usual address.',
    arc: 'Sends payments (ARC)',
    woc: 'Looks up coins (WhatsOnChain)',
    fromService: 'The one that your service names',
    hint: (network: Network) =>
      `For example ${network === 'devnet' ? 'http://localhost:3000/devnet/arc' : 'https://arc.example.com'}`,
    wocHint: (network: Network) => `With its path, for example ${examples[network]}`,
    save: 'Save',
    saving: 'Asking the network …',
    saved: 'Saved. Both addresses answer.',
    reset: 'Reset',
    failedNext: 'Nothing was changed.',
    missing: 'Enter both addresses of your network.',
  },

  remove: {
    title: 'Remove wallet',
    row: 'Remove wallet from this browser',
    lead: 'Everything of this wallet is deleted from this browser.',
    facts: [
      'Your coins stay on the network. Only your recovery words bring them back, here or in another wallet.',
      'Without the words they are lost. Nobody can bring them back.',
      'Allowances that you gave to sites, your settings and the list of your payments are gone for good.',
    ],
    holds: 'This wallet holds',
    sending: 'We look whether all your payments are sent …',
    unsent: (n: number) => `${payments(n)} signed, but not on the network yet`,
    unsentText:
      'We tried to send them just now. If you remove the wallet before they are sent, whoever you paid may never get the money.',
    again: 'Try to send again',
    haveWords: 'I have my recovery words on paper.',
    give: (n: number) => `I give up the ${n === 1 ? 'payment that is' : `${n} payments that are`} not sent.`,
    password: 'Your password',
    typeWord: (word: string) => `Type ${word} to go on`,
    word: 'REMOVE',
    confirm: 'Remove wallet',
    removing: 'Removing …',
    forgot: 'Forgot your password?',
    forgotTitle: 'Forgot your password',
    forgotLead:
      'Nobody can reset it. With your recovery words you can start again: remove the wallet from this browser, restore it from the words, and choose a new password.',
  },
});
