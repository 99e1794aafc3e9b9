/** The texts of a recipient's data from its own host, wherever a recipient is shown. */
import { translatable } from './translatable.ts';

export const recipientTexts = translatable('recipient', {
  paymail: 'Paymail',
  /** The name in its profile, unverified. */
  name: 'Name (unverified)',
  /** The service of the user ID, which reported this user's paymail. */
  namedBy: 'User ID at',
  /** The host that issued the destination. */
  host: 'Host',
  known: 'You’ve paid this recipient before.',
  first: 'You haven’t paid this recipient before.',
  firstPayment: {
    ever: 'First payment to this address.',
    lately: 'You haven’t paid this address lately.',
  },
  /** The warnings about a recipient that looks like a known one and is a different one. */
  resembles: {
    paid: 'This isn’t the recipient you’ve paid before. It only looks like it.',
    contact: 'This isn’t your contact. It only looks like it.',
    own: 'This isn’t you. It only looks like it.',
    care: 'Someone may want you to confuse them. Compare every character before you pay.',
    this: 'This recipient',
    that: { paid: 'Paid before', contact: 'Your contact', own: 'You' },
  },
  keyChanged: (since: string) =>
    `This paymail’s key is different from the one your wallet has known since ${since}. Someone else may control it now. Check with the recipient another way before you pay.`,
  hostChanged: (before: string) =>
    `Its host used to be ${before}. If you didn’t expect that, check with the recipient another way before you pay.`,
  namedAnew: (before: string) =>
    `When you saved this contact, this user ID belonged to ${before}. Check with the recipient another way before you pay.`,
  keyUnavailable: 'Its host isn’t providing its key right now, so your wallet can’t check that it’s still the same.',

  /** The warnings about a name that looks like another (protocol/look-alike.ts). */
  lookAlike: {
    hidden: 'This name contains invisible characters.',
    mixed: (alphabets: string) => `This name mixes letters from several alphabets: ${alphabets}.`,
    foreign: (alphabets: string) => `This name uses letters from another alphabet: ${alphabets}.`,
    unusual: 'This name uses letters other than a to z.',
    care: 'It may be imitating a name you know.',
    rare: 'a rare one',
    plain: 'In plain letters:',
  },
});
