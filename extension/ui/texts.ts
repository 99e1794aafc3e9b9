/**
 * Every text of the wallet's windows: short, plain, in the second person. Error sentences are in protocol/errors.ts.
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
  /** Words of a site or person, as theirs. */
  quoted: (words: string) => `“\u2068${words}\u2069”`,
  statuses,
  kinds,
  networks,
  networksShort,
  worthless: 'Coins here have no value.',
  /** For an amount below the smallest unit. */
  under: (amount: string) => `under ${amount}`,
  satoshis: (amount: string, one: boolean) => `${amount} ${one ? 'satoshi' : 'satoshis'}`,
  tryAgain: 'Try again',
  close: 'Close window',
  back: 'Back',
  loading: 'One moment…',

  /** Above two buttons, each with one meaning of the typed text. `1,000` is 1 or 1000. */
  whichAmount: 'Which amount do you mean?',
  rate: {
    line: (price: string, age: string) => `1 BSV = ${price}, ${age}`,
    oneSource:
      'Only one source gives this rate. Check it before you pay. Allowances are paused until a second source agrees.',
    clockAhead: (time: string) =>
      `Your computer's clock is ${time} ahead. Set it right, then try again. No money has moved.`,
    unknown: 'The exchange rate is unavailable right now.',
    differ: 'The two exchange rate sources differ by more than 5%. Until they agree, you can pay in BSV only.',
  },

  secret: { show: 'Show what you type', hide: 'Hide what you type' },
  copy: { ready: 'Copy', copied: 'Copied', failed: 'Couldn’t copy' },
  password: 'Password',

  faucet: {
    get: 'Get free test coins',
    busy: 'Requesting coins…',
    done: 'Coins are on their way.',
    arrived: 'Your coins have arrived.',
    failedNext: 'You can try again, or send coins to your address from another wallet.',
  },

  getCoins: {
    devnet: 'Coins on the development network are free and have no value.',
    testnet:
      'Coins on the test network are free and have no value. To get some, give this address to a public BSV testnet faucet.',
    mainnet:
      'Send BSV to this address from another wallet, or buy some on an exchange that sells BSV and withdraw it here. A dollar’s worth is enough to try it out.',
  },

  handle: {
    label: 'Handle',
    hint: '3 to 30 letters, digits, dots or hyphens.',
    checking: 'Checking…',
    free: (handle: string) => `${handle} is available`,
    paymail: (paymail: string) => `Your paymail will be ${paymail}`,
    invalid:
      'Use 3 to 30 lowercase letters and digits, with at least one letter. Dots and hyphens are allowed in between.',
    name: 'Your name (optional)',
    nameHint: 'People who pay you may see this.',
    register: 'Create account',
    registering: 'Creating your account…',
    unsure: 'We can’t check handles right now.',
    failedNext: 'Your wallet works without an account. You can create one later.',
  },

  unlock: {
    title: 'Welcome back',
    button: 'Unlock',
    busy: 'Unlocking…',
  },

  lost: {
    title: 'Your wallet’s data can’t be opened',
    lead: 'Restore it from your words. Your money is on the network, not in this browser.',
    button: 'Restore from my words',
    noWords:
      'If it worked a moment ago, restart the browser first. Without your words, no one can recover the money. To start over, remove the extension and install it again.',
  },
  vanish:
    'This browser may delete your wallet when it closes. Before you receive money, keep your recovery words at hand and turn off the deletion of site data.',

  welcome: {
    title: 'Pay with one swipe',
    lead: 'Your wallet lives in this browser, and only you hold its keys.',
    button: 'Set up your wallet',
  },

  popup: {
    prompts: {
      title: 'Waiting for your decision',
      show: 'Show window',
      kinds: {
        payment: 'Payment',
        mint: 'New token',
        'sign-in': 'Sign-in',
        allowance: 'Allowance',
        permission: 'Permission',
        'permission-group': 'Permissions',
        operations: 'Signature or encryption',
        unlock: 'Unlock',
      },
    },
    balance: 'Balance',
    showIn: (currency: string) => `Show in ${currency}`,
    unconfirmed: (amount: string) => `Includes ${amount} not confirmed yet`,
    keptApart: (coins: number) =>
      `${coins} ${coins === 1 ? 'coin of 1 satoshi is' : 'coins of 1 satoshi are'} set aside and never spent as money, because ${coins === 1 ? 'it may hold a token' : 'they may hold tokens'}.`,
    setAside: 'Set aside',
    setAsideText: 'Kept for payments that sites haven’t finished. You can end them.',
    setAsideGivenUp: 'Given up. Your next payment frees these coins, or cancel it under Activity.',
    endSetAside: 'End',
    endSetAsideOf: (site: string) => `End what ${site} hasn’t finished`,
    unfinished: (payments: number) => `${payments} unfinished ${payments === 1 ? 'payment' : 'payments'}`,
    noAccount: 'No account yet',
    lock: 'Lock',
    receive: 'Receive',
    activity: 'Activity',
    settings: 'Settings',
    sections: 'Sections',
    emptyTitle: 'Get some coins',
    emptyText: 'Your wallet is empty.',
    history: (left: number) =>
      left === 0
        ? 'Reading your past payments. Your activity isn’t complete yet.'
        : `Your activity isn’t complete yet: ${left} past ${left === 1 ? 'payment is' : 'payments are'} still to be read.`,
    unread: (payments: number) =>
      `${payments} ${payments === 1 ? 'payment' : 'payments'} to you couldn’t be verified yet, so ${payments === 1 ? 'it isn’t' : 'they aren’t'} in your balance. Your wallet will keep trying.`,
    crowded: (addresses: number) =>
      `${addresses === 1 ? 'One of your addresses has' : `${addresses} of your addresses have`} received more payments than we can list. Some of those coins may be missing from your balance.`,
    update: (version: string) => `Version ${version} of the wallet is available.`,
    updateFrom: (host: string) => `Get it from ${host}`,
    scan: (addresses: number, coins: number) =>
      `Looking for your coins: ${addresses} ${addresses === 1 ? 'address' : 'addresses'} checked, ${coins} ${coins === 1 ? 'coin' : 'coins'} found.`,
    receiveTitle: 'Receive coins',
    receiveText: 'Show this code or share your address. Older addresses keep working.',
    receiveBy: 'How people pay you',
    requestAmount: 'Request an amount',
    requestHowMuch: 'Amount',
    requestCurrency: 'Currency',
    requestLabel: (words: string) => `Payment link for ${words}`,
    copyRequest: 'Copy payment link',
    requestUse:
      'Whoever scans this code or opens the link in a wallet sees this amount filled in. It’s worked out at today’s rate.',
    yourPaymail: 'Your paymail',
    paymailUse:
      'Best for most people: easy to say and type, and you can see who paid and why. Each payment gets its own address.',
    addressUse: 'For wallets and shops that can’t pay a paymail. You won’t see who paid. Older addresses keep working.',
    addressLabel: 'Your address',
    copyAddress: 'Copy address',
    accountTitle: 'Your account',
    accountText: 'An account gives you a paymail: an address people can read and remember.',
    accountUse: 'Sites you sign in to know you by this account. Anyone can pay you at your paymail or user ID.',
    paymail: 'Paymail',
    name: 'Name',
    userId: 'User ID',
    copyPaymail: 'Copy paymail',
    problemNext: 'Your money is safe. We’ll keep trying.',
  },
});
