/** The texts of sites' permissions in addition to payments (BRC-100): the prompts, and the list of sites. */
import { translatable } from './translatable.ts';

/** `name` is already quoted if it comes from the site. */
export const permissionTexts = translatable('permissions', {
  title: {
    connect: 'Connect to a site',
    identity: 'Share your identity key',
    protocol: 'Allow use of your keys',
    basket: 'Allow use of a basket',
  },
  asks: {
    connect: 'wants to connect to your wallet',
    identity: 'wants to know your identity key',
    protocol: 'wants to use keys of your wallet',
    basket: 'wants to use a basket in your wallet',
  },
  /** The abilities that this grants. */
  may: {
    connect: 'From now on, without asking you again, it can:',
    identity:
      'From now on it can see your identity key. The key is the same everywhere: sites can recognize you by it.',
    protocol: 'From now on it can sign, encrypt and decrypt with keys for this purpose, without asking you again.',
    protocolWith:
      'From now on it can sign, encrypt and decrypt with keys for this purpose and this counterparty, without asking you again.',
    basket: 'From now on it can see, add and remove what’s in this basket, without asking you again.',
  },
  /** The abilities that this doesn't grant. */
  not: {
    connect: 'It never gets the keys themselves. It can’t make payments, and can’t see your balance.',
    identity: 'It can’t make payments with it, and can’t see your balance.',
    protocol: 'It never gets the keys themselves. It can’t make payments with them, and can’t see your balance.',
    basket: 'It can’t see your other baskets or your balance, and can’t make payments.',
  },
  /** The abilities of a connected site, one line each. */
  mayOnceConnected: [
    'recognize you when you come back',
    'see whether your wallet is locked, and list its own earlier actions',
    'sign, encrypt and decrypt with keys that need no further permission',
  ],
  /** The effect of a connection, if nothing else is requested. */
  mayName:
    'It may find out who you are: some of these keys are the same on every site, and anyone who knows your identity key, which a paymail publishes, can tell that they’re yours.',
  /** The same below another permission, by which the site is connected. */
  connects:
    'This also connects the site: it can recognize you, see whether your wallet is locked, and use keys that need no further permission. It may find out by them who you are.',
  key: 'Your identity key',
  purpose: 'Purpose, as the site names it',
  basket: 'Basket, as the site names it',
  /** Replaces the standard's name for payments between people. */
  payments: 'Payments to people’s keys (BRC-29)',
  counterparty: 'With',
  self: 'Yourself only',
  anyone: 'Anyone',
  any: 'Anyone the site chooses',
  takeBack: 'You can take this back in your wallet, under Sites.',
  yes: 'Allow',
  unlockAndYes: 'Unlock and allow',
  busy: 'Allowing…',
  done: 'Allowed',
  doneNote: 'You can return to the page.',
  refusedNote: 'This site didn’t get your permission.',

  /** The window in which a site requests several. */
  group: {
    title: 'Several permissions',
    asks: 'wants several permissions at once',
    what: 'From now on it can do what you leave checked, without asking you again.',
    not: 'It never gets your keys themselves and can’t see your balance. It can only pay if you allow that here.',
    notPaying: 'It never gets your keys themselves, can’t see your balance, and can’t make payments.',
    list: 'What it wants to do',
    paying: 'Paying',
    certificates: 'It also wants certificates. Your wallet doesn’t have any, so they’re left out.',
    none: 'Check at least one',
    /** The button, if an allowance is included. */
    allowUpTo: (amount: string) => `Allow, up to ${amount}`,
    unlockAndAllowUpTo: (amount: string) => `Unlock and allow, up to ${amount}`,
  },

  /** The window of a site that waits for the wallet to be unlocked. */
  unlock: {
    title: 'Unlock your wallet',
    asks: 'needs your wallet unlocked',
    what: 'From now until it locks again, this site can use what you’ve allowed it before.',
    not: 'It gets no new permission, and never your password.',
    yes: 'Unlock',
    goOn: 'Continue',
    busy: 'Unlocking…',
    done: 'Unlocked',
    refusedNote: 'Your wallet stays locked.',
  },

  /** In a list: the abilities of a site. */
  lines: {
    connect: 'Recognize you, and use keys that need no further permission',
    identity: 'Know your identity key',
    protocol: (name: string) => `Use your keys for ${name}`,
    protocolSelf: (name: string) => `Use your keys for ${name}, with yourself only`,
    protocolAnyone: (name: string) => `Use your keys for ${name}, with anyone`,
    protocolKey: (name: string) => `Use your keys for ${name}, with the holder of this key:`,
    basket: (name: string) => `Use the basket ${name}`,
  },

  /** The list of sites. */
  permissions: 'Permissions',
  count: (n: number) => `${n} ${n === 1 ? 'permission' : 'permissions'}`,
  since: (age: string) => `Allowed ${age}`,
  remove: 'Remove',
  /** At the connection, which all other permissions include. */
  withAll: 'Removing this removes all other permissions.',
  /** Below the permissions of a site that has an allowance. */
  staysConnected: 'With an allowance a site stays connected.',
  removeAll: 'Remove all permissions',
  removeAllSure: 'Remove all',
  showAll: (n: number) => `Show all ${n}`,
  cancel: 'Cancel',
});
