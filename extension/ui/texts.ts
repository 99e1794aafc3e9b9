/** Every text of the wallet's windows: short, plain, in the second person. Error sentences stand in protocol/errors.ts. */
import { PRODUCT_NAME } from '../../protocol/product.ts';
import type { Network } from '../../protocol/address.ts';
import type { PaymentStatus, RecipientKind } from '../../protocol/payment.ts';

const statuses: Record<PaymentStatus, string> = { PENDING: 'Pending', RECEIVED: 'On the network', COMPLETED: 'Confirmed', FAILED: 'Failed' };
const kinds: Record<RecipientKind, string> = { ADDRESS: 'Address', SCRIPT: 'Custom script', PAYMAIL: 'Paymail', USER: `${PRODUCT_NAME} user` };
const networks: Record<Network, string> = { mainnet: 'Main network', testnet: 'Test network', devnet: 'Development network' };
const networksShort: Record<Network, string> = { mainnet: 'Main', testnet: 'Testnet', devnet: 'Devnet' };

export const texts = {
  product: PRODUCT_NAME,
  statuses,
  kinds,
  networks,
  networksShort,
  worthless: 'Coins here have no value.',
  tryAgain: 'Try again',
  close: 'Close window',
  back: 'Back',
  loading: 'One moment …',

  secret: { show: 'Show what you type', hide: 'Hide what you type' },
  copy: { ready: 'Copy', copied: 'Copied', failed: 'Could not copy' },
  password: 'Password',
  forgotten: 'Forgot it? Nobody can reset it. Remove the extension, install it again and restore your wallet from your recovery words.',

  faucet: {
    get: 'Get free test coins',
    busy: 'Asking for coins …',
    done: 'Coins are on their way to you.',
    failedNext: 'You can try again, or send coins to your address from another wallet.',
  },

  handle: {
    label: 'Handle',
    hint: 'Three to 30 letters, digits, dots or hyphens.',
    checking: 'Checking …',
    free: (handle: string) => `${handle} is free`,
    paymail: (paymail: string) => `Your paymail will be ${paymail}`,
    invalid: 'Use 3 to 30 lower-case letters and digits. Dots and hyphens may stand between them.',
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
    noRate: 'The exchange rate is not known right now.',
    rateAge: (age: string) => `Rate from ${age}`,
    unconfirmed: (amount: string) => `${amount} of it not confirmed yet`,
    noAccount: 'No account yet',
    lock: 'Lock',
    receive: 'Receive',
    activity: 'Activity',
    settings: 'Settings',
    sections: 'Sections',
    emptyTitle: 'Get some coins',
    emptyText: 'Your wallet is empty. Send coins to this address to start.',
    noActivity: 'Nothing has happened yet. Payments you make and coins you get show up here.',
    scan: (addresses: number, coins: number) => `Looking for your coins: ${addresses} ${addresses === 1 ? 'address' : 'addresses'} checked, ${coins} ${coins === 1 ? 'coin' : 'coins'} found.`,
    more: 'Show more',
    received: 'Received',
    receiveTitle: 'Receive coins',
    receiveText: 'Show this code or share the address. Your older addresses keep working.',
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

  activity: {
    sent: 'Sent',
    received: 'Received',
    site: 'Site',
    to: 'To',
    at: 'At address',
    asked: 'Asked for',
    amount: 'Amount',
    fee: 'Network fee',
    when: 'When',
    state: 'State',
    transaction: 'Transaction',
    copyTransaction: 'Copy transaction id',
    reason: 'Reason',
  },

  settings: {
    title: 'Settings',
    currency: 'Currency',
    lockAfter: 'Lock after',
    minutes: (n: number) => (n < 60 ? `${n} ${n === 1 ? 'minute' : 'minutes'}` : `${n / 60} ${n === 60 ? 'hour' : 'hours'}`),
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    advanced: 'Advanced',
    service: 'Service address',
    serviceHint: 'The server that keeps your account. Change it only if you know why.',
    serviceBad: 'Enter an address such as https://example.com, without a path.',
    save: 'Save',
    saved: 'Saved',
    network: 'Network',
  },
} as const;
