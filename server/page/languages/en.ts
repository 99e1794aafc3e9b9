/** The texts of the pages in English, each area in a separate folder. Other languages are next to it. */
import { PRODUCT_NAME } from '../../../protocol/product.ts';
import { SCOPE_LIMITS, USER_SCOPES, type UserScope } from '../../identity/scopes.ts';
import { html, type Html } from '../html.ts';
import { account } from './account/en.ts';
import { applications } from './applications/en.ts';
import { assets } from './assets/en.ts';
import { gallery } from './gallery/en.ts';
import { reference } from './reference/en.ts';
import { shop } from './shop/en.ts';

/** An application's permissions, and their limits. */
export type ScopeTexts = Record<UserScope, { may: string; not: string }>;

const scopes = Object.fromEntries(
  Object.entries(USER_SCOPES).map(([scope, words]) => [
    scope,
    { may: words.charAt(0).toUpperCase() + words.slice(1), not: SCOPE_LIMITS[scope as UserScope] },
  ]),
) as ScopeTexts;

export const texts = {
  frame: {
    skip: 'Skip to content',
    pages: 'Pages',
    gallery: 'Gallery',
    docs: 'Docs',
    shop: 'Demo shop',
    signedInAs: 'Signed in as',
    signIn: 'Sign in',
    toDark: 'Dark theme',
    toLight: 'Light theme',
    networks: {
      devnet: 'Devnet: play money on this machine',
      testnet: 'Testnet: coins have no value',
      mainnet: 'Mainnet',
    },
    /** The buttons that scripts put next to text to copy. */
    copying: {
      copy: 'Copy',
      copyWhat: 'Copy: {what}',
      copied: 'Copied',
      notCopied: 'Not copied',
      copyYourself: 'Could not copy. Select the text instead.',
    },
  },

  docs: {
    title: 'Documentation',
    description: 'How to use the button, the wallet and the service, and how they work.',
    /** In other languages: a note that the documents are in English. */
    inEnglish: '',
    contentsLabel: 'Contents of the documentation',
    searchLabel: 'Search the documentation',
    noneFound: 'Nothing found. Try another word, an attribute or an error code.',
  },

  landing: {
    title: 'Pay with a swipe',
    description: 'A payment button for web pages, and a browser wallet that keeps your keys to itself.',
    lead: 'A button for any web page, and a wallet in your browser to pay with. Ten cents or ten dollars, paid instantly, with coins only you control.',
    shop: 'Try the demo shop',
    gallery: 'See every button',
    tryLabel: 'Read this article',
    tryText: 'A real button to try. Swipe it: this one pays nothing, and it needs no wallet.',
    how: 'How it works',
    asks: 'A page asks',
    asksText:
      'The button says what it’s for and what it costs. A page can’t see into your wallet or pay on your behalf.',
    decide: 'You decide',
    decideText: 'You swipe, and your wallet shows who’s asking, who gets paid and how much, including the network fee.',
    paid: 'It’s paid',
    paidText: 'Your wallet signs and sends the payment. Your keys never leave your browser.',
    embed: 'Put it on your page',
    embedText: (link: (name: string) => Html) =>
      html`One script, and one element for each button. The ${link('gallery')} shows every size, state and language, with the code for each.`,
    example: 'Example of a page with a button',
    custody: `${PRODUCT_NAME} never holds your customers’ money or yours: payments go straight from wallet to wallet.`,
  },

  wallet: {
    title: 'Get the wallet',
    lead: 'It takes a few clicks, then the wallet guides you. Write down your recovery words: without them, nobody can restore your money.',
    otherBrowser: 'Another browser',
    chromium: 'Chrome, Edge, Brave or Opera',
    download: 'Download the wallet',
    downloadForFirefox: 'Download the wallet for Firefox',
    version: (version: string) => `Version ${version}`,
    unzip: 'Unzip the file into a folder you’ll keep: the browser loads the wallet from there every time it starts.',
    developerMode: (address: Html) => html`Open ${address} and switch on “Developer mode”.`,
    developerModeOfEdge: (address: Html) =>
      html`Open ${address} and switch on “Developer mode” in the column on the left.`,
    loadUnpacked: 'Choose “Load unpacked”.',
    selectFolder: 'Select the unzipped folder.',
    update:
      'To update, unzip a newer download over the same folder and click the wallet’s reload icon on that page. Your wallet stays as it is.',
    keepZip: 'Don’t unzip the file: Firefox loads it as it is.',
    loadTemporary: (address: Html) => html`Open ${address} and choose “Load Temporary Add-on…”.`,
    selectFile: 'Select the downloaded file.',
    unsigned:
      'This wallet isn’t signed by Mozilla, so Firefox removes it, with everything in it, when you close the browser. Only your recovery words can restore it.',
    addTo: (browser: string) => `Add to ${browser}`,
    from: (host: string) => `from ${host}`,
    edgeStores: 'Edge may ask whether to allow extensions from other stores: allow it.',
    upToDate: 'Your browser keeps it up to date.',
    withoutStore: 'Without the store',
    onComputers: 'The wallet runs on computers',
    onComputersText: (address: Html) =>
      html`It’s an extension for Chrome, Edge, Brave and Firefox on a computer. Phone browsers don’t support it. Open ${address} on your computer to get it.`,
    fromPhone: 'Paying from this phone',
    fromPhoneText:
      'You can also pay with another BSV wallet on your phone. Go back to the page you want to pay and tap the QR code next to “Get the wallet”. It opens the payment in that wallet, or lets another phone scan it. Only buttons that pay a single address have a QR code.',
    tryShop: 'Try it in the demo shop',
    howOnComputer: 'How to install it on a computer',
    safari: 'The wallet isn’t available for Safari. Open this page in Chrome, Edge, Brave or Firefox to get it.',
  },

  signIn: {
    title: 'Sign in',
    titleRegister: 'Create your account',
    description: 'Sign in with the wallet in your browser. No password needed.',
    lead: 'Your wallet signs you in. No password, no email.',
    leadRegister: 'All you need is a handle. No password, no email.',
    leadFor: (application: Html) =>
      html`Your wallet signs you in. Then we’ll ask whether ${application} may access what it’s requesting.`,
    leadRegisterFor: (application: Html) =>
      html`All you need is a handle. Then we’ll ask whether ${application} may access what it’s requesting.`,
    noScript: 'Signing in requires JavaScript: this page uses it to talk to your wallet.',
    looking: 'Looking for your wallet…',
    noWallet: 'No wallet found in this browser',
    noWalletText:
      'Your account belongs to a wallet: a small browser extension that keeps your keys and signs for you. Nobody else has your keys, and there’s no password for us to lose.',
    newTab: '(opens in a new tab)',
    stay: 'Leave this page open. It continues by itself once the wallet is installed.',
    window: 'Your wallet will open a window that shows this site’s address and what you’re signing.',
    withWallet: 'Sign in with your wallet',
    handle: 'Handle',
    handleHint: '3 to 30 letters, digits, dots or hyphens.',
    name: 'Your name (optional)',
    nameHint: 'People who pay you may see this.',
    createWithWallet: 'Create account with your wallet',
    haveAccount: 'Already have an account?',
    signIn: 'Sign in',
    noAccount: 'No account yet?',
    createOne: 'Create one',
    /** Texts of the page's script. */
    script: {
      checkWallet: 'Check your wallet…',
      moment: 'One moment…',
      decide: 'Your wallet has opened a window. Read it, then decide there.',
      done: 'You’re signed in. Taking you back…',
      badHandle:
        'Use 3 to 30 lowercase letters and digits, with at least one letter. Dots and hyphens are allowed in between.',
      checking: 'Checking…',
      unsure: 'We can’t check handles right now. You’ll find out when you create the account.',
      taken: 'This handle, or one that looks like it, is already taken.',
      free: '{handle} is available.',
      paymail: 'Your paymail will be {paymail}',
      failed: 'That didn’t work',
      again: 'Press the button to try again.',
      /** By error code: a title, and what to do. */
      problems: {
        'sign-in-refused': ['You refused in your wallet', 'Nothing was signed. Press the button to try again.'],
        'page-gone': ['Your wallet’s window was closed', 'Nothing was signed. Press the button to try again.'],
        'wallet-not-set-up': [
          'Your wallet isn’t set up yet',
          'Set it up in the tab it opens, or open it from your browser’s toolbar. Then press the button again.',
        ],
        'wallet-locked': ['Your wallet is locked', 'Unlock it, then press the button again.'],
        'wallet-disconnected': ['Your wallet was updated or switched off', 'Reload this page and try again.'],
        busy: [
          'Your wallet is already waiting for you',
          'Answer in its open window first, then press the button again.',
        ],
        'site-blocked': [
          'You blocked this site in your wallet',
          'Unblock it there, under Sites, then press the button again.',
        ],
        'too-many-requests': ['Too many attempts', 'Wait a moment, then press the button again.'],
        'invalid-challenge': [
          'That took too long, or your clock is wrong',
          'Check that your computer’s clock is right. Press the button to try again.',
        ],
        'handle-taken': ['This handle, or one that looks like it, is already taken', 'Choose another one.'],
        'invalid-handle': [
          'This isn’t a valid handle',
          'Use 3 to 30 lowercase letters and digits, with at least one letter. Dots and hyphens are allowed in between.',
        ],
        'unsupported-method': ['Your wallet needs an update', 'Update it, then reload this page.'],
        'service-unavailable': ['We can’t be reached right now', 'Press the button to try again.'],
        'unknown-account': ['This wallet doesn’t have an account here yet', 'All you need is a handle.'],
        'key-taken': ['This wallet already has an account here', 'Each wallet has one account.'],
      },
      createAccount: 'Create an account',
      signInWithIt: 'Sign in with it',
    },
  },

  consent: {
    title: 'Allow access?',
    titleMore: 'Allow more?',
    description: 'An application wants to access your account.',
    allow: (name: Html) => html`Allow ${name}?`,
    asksMore: (name: Html) => html`${name} asks for more`,
    site: 'Site',
    siteNamed: 'Site (named by the application)',
    sendsYouTo: 'Sends you to',
    account: 'Your account',
    notYou: 'Not you?',
    will: 'It will be able to',
    willAlso: 'It will also be able to',
    already: 'You’ve already allowed it to',
    never:
      'It can never spend your money or see your recovery words or keys. It keeps this access until you remove it under “Connected apps” in your account.',
    no: 'Refuse',
    yes: 'Allow',
    scopes,
  },

  refusal: {
    title: 'This link doesn’t work',
    description: 'An application sent you here with an invalid request.',
    reasons: {
      'unknown-application': 'The link doesn’t name an application we know.',
      'no-redirect-uri': 'This application has no redirect URL yet, so nobody can connect to it.',
      'other-redirect-uri':
        'The link would send you to a different address from the one this application has registered.',
    },
    next: 'Nothing was shared. Go back to the application and try again. If that doesn’t help, ask its developers.',
    developers: 'For developers',
    developersText: (clientId: Html, redirectUri: Html) =>
      html`${clientId} must be the application’s OAuth identifier, and ${redirectUri} must match the registered redirect URL exactly. You’ll find both on the application’s page in your account.`,
    staleTitle: 'Please start again',
    staleDescription: 'That page has expired.',
    staleLead: 'That page has expired because you’ve signed out or signed in again since.',
    staleNext: 'Nothing was shared. Go back to the application and start again.',
  },

  notFound: {
    title: 'Page not found',
    description: 'This page does not exist.',
    lead: 'Check the address. The page may have been moved or deleted.',
    home: 'Home',
  },

  /** Errors by code: a title, and what to do. */
  errors: {
    forbidden: {
      title: 'This form has expired',
      text: 'It was opened in another session or came from another site. Nothing has changed. Open the page again and try once more.',
    },
    'unknown-application': {
      title: 'Application not found',
      text: 'It may have been deleted, or it belongs to another account.',
    },
    'not-found': { title: 'Page not found', text: 'It may have been deleted, or it belongs to another account.' },
    'invalid-request': { title: 'That didn’t work', text: 'We couldn’t read the request. Nothing has changed.' },
    'too-many-requests': {
      title: 'Too many requests',
      text: 'Nothing has changed. Wait a few minutes, then try again.',
    },
    'too-large': { title: 'Form too large', text: 'Shorten what you entered. Nothing has changed.' },
    'too-many-assets': {
      title: 'You have 100 assets',
      text: 'That’s the maximum. Delete one that isn’t minted, then create the new one.',
    },
    'asset-conflict': {
      title: 'This asset is minted',
      text: 'A minted asset can’t be deleted: other people may hold some of it.',
    },
    'too-many-applications': {
      title: 'You have 50 applications',
      text: 'That’s the maximum. Delete one you don’t need, then create the new one.',
    },
    other: { title: 'Something went wrong', text: 'The problem is on our side. Try again in a few minutes.' },
    toAccount: 'Go to your account',
  },

  shop,
  account,
  applications,
  assets,
  gallery,
  reference,
};

/** All texts of the pages in one language. */
export type SiteTexts = typeof texts;
