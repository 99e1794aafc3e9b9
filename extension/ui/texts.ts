/**
 * Every text of the wallet's windows: short, plain, in the second person. Error sentences stand in protocol/errors.ts.
 */
import { PRODUCT_NAME } from '../../protocol/product.ts';
import type { Network } from '../../protocol/address.ts';
import type { PaymentStatus, RecipientKind } from '../../protocol/payment.ts';
import { translatable } from './translatable.ts';

const statuses: Record<PaymentStatus, string> = {
  PENDING: 'Pending',
  RECEIVED: 'On the network',
  COMPLETED: 'Confirmed',
  FAILED: 'Failed',
};
const kinds: Record<RecipientKind, string> = {
  ADDRESS: 'Address',
  SCRIPT: 'Custom script',
  PAYMAIL: 'Paymail',
  USER: `${PRODUCT_NAME} user`,
};
const networks: Record<Network, string> = {
  mainnet: 'Main network',
  testnet: 'Test network',
  devnet: 'Development network',
};
const networksShort: Record<Network, string> = { mainnet: 'Main', testnet: 'Testnet', devnet: 'Devnet' };

export const texts = translatable('texts', {
  product: PRODUCT_NAME,
  statuses,
  kinds,
  networks,
  networksShort,
  worthless: 'Coins here have no value.',
  satoshis: (amount: string, one: boolean) => `${amount} ${one ? 'satoshi' : 'satoshis'}`,
  tryAgain: 'Try again',
  close: 'Close window',
  back: 'Back',
  loading: 'One moment …',

  rate: {
    line: (price: string, age: string) => `1 BSV = ${price}, ${age}`,
    oneSource: 'Only one source tells this rate. Check it before you pay. Allowances wait for a second one.',
    unknown: 'The exchange rate is not known right now.',
    differ: 'The two sources of the exchange rate differ by more than 5%. Until they agree, you can pay in BSV alone.',
  },

  secret: { show: 'Show what you type', hide: 'Hide what you type' },
  copy: { ready: 'Copy', copied: 'Copied', failed: 'Could not copy' },
  password: 'Password',

  faucet: {
    get: 'Get free test coins',
    busy: 'Asking for coins …',
    done: 'Coins are on their way to you.',
    arrived: 'Your coins have arrived.',
    failedNext: 'You can try again, or send coins to your address from another wallet.',
  },

  getCoins: {
    devnet: 'Coins of the development network are free and have no value.',
    testnet:
      'Coins of the test network are free and have no value. A public faucet for BSV testnet sends you some: give it this address.',
    mainnet:
      'Send BSV to this address from another wallet, or buy some at an exchange that sells BSV and withdraw it to here. A dollar’s worth is enough to try.',
  },

  handle: {
    label: 'Handle',
    hint: 'Three to 30 letters, digits, dots or hyphens.',
    checking: 'Checking …',
    free: (handle: string) => `${handle} is free`,
    paymail: (paymail: string) => `Your paymail will be ${paymail}`,
    invalid:
      'Use 3 to 30 lower-case letters and digits, with at least one letter. Dots and hyphens may stand between them.',
    name: 'Your name (optional)',
    nameHint: 'People who pay you may see it.',
    register: 'Create account',
    registering: 'Creating your account …',
    unsure: 'We cannot check handles right now.',
    failedNext: 'Your wallet works without an account, and you can create one later.',
  },

  unlock: {
    title: 'Welcome back',
    button: 'Unlock',
    busy: 'Unlocking …',
  },

  welcome: {
    title: 'Pay with one swipe',
    lead: 'Your wallet lives in this browser, and only you hold its keys.',
    button: 'Set up your wallet',
  },

  popup: {
    balance: 'Balance',
    unconfirmed: (amount: string) => `${amount} of it not confirmed yet`,
    keptApart: (coins: number) =>
      `${coins} ${coins === 1 ? 'coin of 1 satoshi is' : 'coins of 1 satoshi are'} kept apart, never spent as money: ${coins === 1 ? 'it may hold a token' : 'they may hold tokens'}.`,
    noAccount: 'No account yet',
    lock: 'Lock',
    receive: 'Receive',
    activity: 'Activity',
    settings: 'Settings',
    sections: 'Sections',
    emptyTitle: 'Get some coins',
    emptyText: 'Your wallet is empty.',
    unread: (payments: number) =>
      `${payments} ${payments === 1 ? 'payment' : 'payments'} to you could not be checked yet, so ${payments === 1 ? 'it is' : 'they are'} not in your balance. The wallet keeps trying.`,
    crowded: (addresses: number) =>
      `${addresses === 1 ? 'One of your addresses has' : `${addresses} of your addresses have`} received more payments than can be listed. Some of those coins may be missing from your balance.`,
    update: (version: string) => `Version ${version} of the wallet is available.`,
    updateFrom: (host: string) => `Get it from ${host}`,
    scan: (addresses: number, coins: number) =>
      `Looking for your coins: ${addresses} ${addresses === 1 ? 'address' : 'addresses'} checked, ${coins} ${coins === 1 ? 'coin' : 'coins'} found.`,
    receiveTitle: 'Receive coins',
    receiveText: 'Show this code or share the address. Your older addresses keep working.',
    receiveBy: 'What others pay to',
    yourPaymail: 'Your paymail',
    paymailUse:
      'Best for most: easy to say and to type, and you see who paid and what for. Every payment gets an address of its own.',
    addressUse:
      'For wallets and shops that cannot pay a paymail. You do not see who paid. Your older addresses keep working.',
    addressLabel: 'Your address',
    copyAddress: 'Copy address',
    accountTitle: 'Your account',
    accountText: 'An account gives you a paymail: an address that people can read and remember.',
    accountUse: 'Sites where you sign in know you by this account. Anyone can pay you at your paymail or user ID.',
    paymail: 'Paymail',
    name: 'Name',
    userId: 'User ID',
    copyPaymail: 'Copy paymail',
    problemNext: 'Your money is safe. We keep trying.',
  },
});
