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
  languageOfBrowser: 'Same as browser',
  theme: 'Theme',
  themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
  notify: 'Notify me when money arrives',
  notifyNote: 'For payments to your paymail or user ID. Your browser will show the amount, sender and note.',
  security: 'Security',
  lockNow: 'Lock now',
  network: 'Network',
  addresses: 'Network addresses',
  addressesNote: 'Where payments are sent and coins are looked up',
  busy: 'One moment…',

  words: {
    title: 'Show recovery words',
    row: 'They restore your wallet',
    warning: 'Anyone who sees these words can take all your money, from anywhere.',
    rules: [
      'Make sure nobody can see your screen and that you aren’t sharing it.',
      'No one needs them to help you. Anyone who asks for them wants your money.',
      'Write them on paper. Don’t photograph or store them.',
    ],
    password: 'Your password',
    show: 'Show the words',
    shown: 'They’ll be hidden again after a minute, or when you leave this page.',
    hidden: 'The words are hidden again.',
  },

  password: {
    title: 'Change password',
    row: 'Unlocks this wallet',
    lead: 'The new password is for this browser. Your recovery words stay the same.',
    now: 'Current password',
    next: 'New password',
    change: 'Change password',
    changing: 'Changing your password…',
    done: 'Your password has been changed.',
  },

  searchPage: {
    title: 'Search for missing money',
    row: 'After restoring your wallet',
    lead: 'If money is missing after you restored this wallet, it may be at an address further on. Each search covers 500 more addresses of each kind.',
    note: 'Restoring stops 20 addresses after the last one that was ever used, 400 for change and for your account’s service.',
    search: 'Search further',
    searching: 'Searching…',
    searched: (n: number) => `The first ${n.toLocaleString('en')} addresses of each kind were searched.`,
    found: (n: number) =>
      n === 0
        ? 'No more payments to you were found.'
        : n === 1
          ? '1 more payment to you was found.'
          : `${n} more payments to you were found.`,
    goesOn: 'The search goes on by itself.',
  },

  addressesPage: {
    lead: 'Your wallet sends payments and looks up coins here. Leave a field empty to use the default.',
    arc: 'Sends payments (ARC or Arcade)',
    key: 'Key for sending payments',
    keyHint: 'Only if the address requires one. It’s kept encrypted, and used while your wallet is unlocked.',
    keyKept: 'A key is saved',
    woc: 'Looks up coins (WhatsOnChain)',
    indexKey: 'Key for looking up coins',
    fromService: 'From your service',
    hint: (network: Network) =>
      `For example ${network === 'devnet' ? 'http://localhost:3000/devnet/arc' : 'https://arc.example.com'}`,
    wocHint: (network: Network) => `With its path, for example ${examples[network]}`,
    servers: 'Payment servers',
    serversNote: 'They’re used in this order. One that fails comes last for a while.',
    notUsed: 'Not used yet',
    noKey: 'No key needed',
    failures: {
      key: 'Requires a key.',
      wrongKey: 'It didn’t accept your key.',
      wait: 'Asked your wallet to wait.',
      failed: 'The last attempt failed.',
    },
    lastUntil: (time: string) => `Comes last until ${time}.`,
    save: 'Save',
    saving: 'Contacting the network…',
    saved: 'Saved. Both addresses are responding.',
    reset: 'Reset',
    failedNext: 'Nothing has changed.',
    missing: 'Enter both addresses of your network.',
  },

  remove: {
    title: 'Remove wallet',
    row: 'Remove wallet from this browser',
    lead: 'Everything in this wallet will be deleted from this browser.',
    facts: [
      'Your coins stay on the network. Only your recovery words can restore them, here or in another wallet.',
      'Without the words they’re lost. Nobody can recover them.',
      'Your allowances, contacts, settings and payment history will be permanently deleted.',
    ],
    holds: 'This wallet holds',
    sending: 'Checking that all your payments have been sent…',
    unsent: (n: number) => `${payments(n)} signed, but not on the network yet`,
    unsentText:
      'We just tried to send them. If you remove the wallet before they’re sent, the people you paid may never get the money.',
    again: 'Try to send again',
    haveWords: 'I have my recovery words on paper.',
    give: (n: number) => `Discard the ${n === 1 ? 'payment that hasn’t' : `${n} payments that haven’t`} been sent.`,
    password: 'Your password',
    typeWord: (word: string) => `Type ${word} to continue`,
    word: 'REMOVE',
    confirm: 'Remove wallet',
    removing: 'Removing…',
    forgot: 'Forgot your password?',
    forgotTitle: 'Forgot your password?',
    forgotLead:
      'We can’t reset it. With your recovery words you can start over: remove the wallet from this browser, restore it, and choose a new password.',
  },
});
