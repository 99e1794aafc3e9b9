/** The texts of what a site wants signed, checked, encrypted, decrypted, or to know of the user's key. */
import { translatable } from './translatable.ts';

export const operationsTexts = translatable('operations', {
  // The window of a question without a payment
  title: 'Confirm a request',
  asks: {
    sign: 'asks you to sign something',
    verify: 'asks your wallet to check a signature',
    encrypt: 'asks your wallet to encrypt something',
    decrypt: 'asks to read something encrypted for you',
    'public-key': 'asks for your public key',
    address: 'asks for your key’s address',
    paymail: 'asks for your paymail',
    several: 'asks your wallet for several things',
  },
  what: 'No money moves. If you agree, this site gets only what’s listed below.',
  list: 'This site gets',
  alongPayment: 'With the payment, this site gets',
  /** As whom something is signed. */
  as: 'You sign as',
  /** One of several: `2. Your signature`. */
  numbered: (n: number, what: string) => `${n}. ${what}`,

  heads: {
    sign: 'Your signature',
    verify: 'Signature check',
    encrypt: 'Encrypted data',
    decrypt: 'Decrypted text',
    'public-key': 'Your public key',
    address: 'Your key’s address',
    paymail: 'Your paymail',
  },
  sign: 'Anyone can use it to prove that you signed this.',
  signUnreadable: 'This isn’t readable text, so you can’t know what you’re signing.',
  signCut: 'This is only part of what you’re signing.',
  decrypt: 'It was encrypted for you. This site will be able to read all of it.',
  decryptHidden: 'Unlock your wallet to see it before you decide.',
  encrypt: {
    self: 'Only you can decrypt it later.',
    key: 'Only the owner of this public key can decrypt it:',
    paymail: (paymail: string) => `Only the owner of ${paymail} can decrypt it.`,
  },
  encryptKnown: 'This site provided the text, so it already knows it.',
  verify: {
    self: 'Whether you signed this.',
    key: 'Whether this was signed by the owner of this public key:',
    paymail: (paymail: string) => `Whether ${paymail} signed this.`,
  },
  verified: { right: 'The signature is valid.', wrong: 'The signature is not valid.' },
  keyFrom: (host: string) => `Its public key comes from ${host}.`,
  reveals: {
    'public-key': 'It’s the same on every site, so sites can use it to recognize you.',
    address: 'It’s the same on every site, so sites can use it to recognize you. It isn’t for payments.',
    paymail: 'It’s your name for payments, so sites can use it to recognize you.',
  },
  onChain: 'It’s written into the payment, public forever.',
  standIn: 'Until you unlock your wallet, it’s shown above as question marks.',
  /** Data that is included in everything made with the user's own key. */
  learns: {
    paymail: (paymail: string) => `It also learns your public key and your paymail, ${paymail}.`,
    key: 'It also learns your public key.',
    unknown: 'It also learns your public key, and your paymail if you have one.',
  },
  recorded: 'Your service keeps this with the payment, but never what’s encrypted or decrypted.',

  data: { sign: 'To be signed', verify: 'Signed data', encrypt: 'To be encrypted', decrypt: 'Decrypted' },
  encrypted: (size: string) => `The encrypted data (${size})`,
  copyData: 'Copy this data',
  cut: 'This is only part of it.',

  yes: {
    sign: 'Sign',
    verify: 'Check',
    encrypt: 'Encrypt',
    decrypt: 'Share text',
    'public-key': 'Share',
    address: 'Share',
    paymail: 'Share',
    several: 'Allow',
  },
  unlockAnd: {
    sign: 'Unlock and sign',
    verify: 'Unlock and check',
    encrypt: 'Unlock and encrypt',
    decrypt: 'Unlock and share text',
    'public-key': 'Unlock and share',
    address: 'Unlock and share',
    paymail: 'Unlock and share',
    several: 'Unlock and allow',
  },
  /** On the button of a payment: `Pay $0.10 and sign`. */
  payAnd: {
    sign: (pay: string) => `${pay} and sign`,
    decrypt: (pay: string) => `${pay} and share text`,
    share: (pay: string) => `${pay} and share`,
    several: (pay: string) => `${pay} and allow all this`,
  },
  look: 'Unlock to see it first',
  cannot: 'Can’t be done',
  busy: 'Working…',
  done: 'Done',
  doneNote: 'The page is getting its answer.',
  over: 'This request is over: it was already answered, it timed out, or its page was closed.',
  refusedNote: 'This site got nothing. No money has moved.',
});
