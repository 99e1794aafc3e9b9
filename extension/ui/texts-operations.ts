/** The texts of what a site wants signed, checked, encrypted, decrypted, or to know of the user's key. */
import { translatable } from './translatable.ts';

export const operationsTexts = translatable('operations', {
  // The window of a question without a payment
  title: 'Confirm a request',
  asks: {
    sign: 'asks you to sign something',
    verify: 'asks your wallet to check a signature',
    encrypt: 'asks your wallet to encrypt something',
    decrypt: 'asks to read something that is encrypted for you',
    'public-key': 'asks for your public key',
    address: 'asks for the address of your key',
    paymail: 'asks for your paymail',
    several: 'asks your wallet for several things',
  },
  what: 'No money moves. If you agree, this site gets what stands below, and nothing else.',
  list: 'This site gets',
  alongPayment: 'With the payment, this site gets',
  /** As whom something is signed. */
  as: 'You sign as',
  /** One of several: `2. Your signature`. */
  numbered: (n: number, what: string) => `${n}. ${what}`,

  heads: {
    sign: 'Your signature',
    verify: 'The check of a signature',
    encrypt: 'Encrypted data',
    decrypt: 'Something in plain text',
    'public-key': 'Your public key',
    address: 'The address of your key',
    paymail: 'Your paymail',
  },
  sign: 'Anybody can prove with it that you signed what stands here.',
  signUnreadable: 'This is not text that can be read: you cannot know what you sign.',
  signCut: 'You see only a part of what you sign.',
  decrypt: 'It was encrypted for you. This site gets to read all of it.',
  decryptHidden: 'Unlock your wallet to see what it is before you decide.',
  encrypt: {
    self: 'Only you can decrypt it later.',
    key: 'Only the holder of this public key can decrypt it:',
    paymail: (paymail: string) => `Only the holder of ${paymail} can decrypt it.`,
  },
  encryptKnown: 'This site gave the text, so it knows it already.',
  verify: {
    self: 'Whether you signed what stands here.',
    key: 'Whether what stands here was signed by the holder of this public key:',
    paymail: (paymail: string) => `Whether ${paymail} signed what stands here.`,
  },
  verified: { right: 'The signature is right.', wrong: 'The signature is not right.' },
  keyFrom: (host: string) => `Its public key comes from ${host}.`,
  reveals: {
    'public-key': 'It is the same on every site: by it, sites can tell that you are one and the same.',
    address:
      'It is the same on every site: by it, sites can tell that you are one and the same. It is not for payments.',
    paymail: 'It is your name for payments: by it, sites can tell that you are one and the same.',
  },
  onChain: 'It is written into the payment, for everybody to read, for ever.',
  standIn: 'Until your wallet is unlocked, question marks stand for it above.',
  /** What comes with everything that is made with the user's own key. */
  learns: {
    paymail: (paymail: string) => `It also learns your public key and your paymail, ${paymail}.`,
    key: 'It also learns your public key.',
    unknown: 'It also learns your public key, and your paymail if you have one.',
  },
  recorded: 'Your service keeps this with the payment, but never what is encrypted or decrypted.',

  data: { sign: 'What is signed', verify: 'Signed data', encrypt: 'To be encrypted', decrypt: 'Decrypted' },
  encrypted: (size: string) => `The encrypted data (${size})`,
  copyData: 'Copy this data',
  cut: 'You see only a part of it.',

  yes: {
    sign: 'Sign',
    verify: 'Check',
    encrypt: 'Encrypt',
    decrypt: 'Let it read',
    'public-key': 'Share',
    address: 'Share',
    paymail: 'Share',
    several: 'Allow',
  },
  unlockAnd: {
    sign: 'Unlock and sign',
    verify: 'Unlock and check',
    encrypt: 'Unlock and encrypt',
    decrypt: 'Unlock and let it read',
    'public-key': 'Unlock and share',
    address: 'Unlock and share',
    paymail: 'Unlock and share',
    several: 'Unlock and allow',
  },
  /** On the button of a payment: `Pay $0.10 and sign`. */
  payAnd: {
    sign: (pay: string) => `${pay} and sign`,
    decrypt: (pay: string) => `${pay} and let it read`,
    share: (pay: string) => `${pay} and share`,
    several: (pay: string) => `${pay} and allow all this`,
  },
  look: 'Unlock to see it first',
  cannot: 'Cannot be done',
  busy: 'Working …',
  done: 'Done',
  doneNote: 'The page gets its answer now.',
  over: 'This question waits for no answer any more: it was answered, it ran out of time, or its page was closed.',
  refusedNote: 'This site gets nothing. No money has moved.',
});
