/** The texts of what a recipient's own host says of it, wherever somebody is to be paid. */
import { translatable } from './translatable.ts';

export const recipientTexts = translatable('recipient', {
  paymail: 'Paymail',
  /** The name in its profile: its own word. */
  name: 'Name (unverified)',
  /** The service whose user ID it is: that the paymail is this user's is its word. */
  namedBy: 'User ID at',
  /** The host that gave out where to pay. */
  host: 'Host',
  known: 'You’ve paid this recipient before.',
  first: 'You haven’t paid this recipient before.',
  keyChanged: (since: string) =>
    `This paymail’s key is different from the one your wallet has known since ${since}. Someone else may control it now. Check with the recipient another way before you pay.`,
  hostChanged: (before: string) =>
    `Its host used to be ${before}. If you didn’t expect that, check with the recipient another way before you pay.`,
  namedAnew: (before: string) =>
    `When you saved this contact, this user ID belonged to ${before}. Check with the recipient another way before you pay.`,
  keyUnavailable: 'Its host isn’t providing its key right now, so your wallet can’t check that it’s still the same.',

  /** What is to be said of a name that can be taken for another (protocol/look-alike.ts). */
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
