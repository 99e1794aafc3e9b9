/** The texts of what a recipient's own host says of it, wherever somebody is to be paid. */
import { translatable } from './translatable.ts';

export const recipientTexts = translatable('recipient', {
  paymail: 'Paymail',
  /** The name in its profile: its own word. */
  name: 'Calls itself',
  /** The service whose user ID it is: that the paymail is this user's is its word. */
  namedBy: 'User ID at',
  /** The host that gave out where to pay. */
  host: 'Answered by',
  known: 'You have paid this recipient before.',
  first: 'You have not paid this recipient before.',
  keyChanged: (since: string) =>
    `This paymail has another key than the one that your wallet has known since ${since}. Somebody else may have it now. Ask the recipient in another way before you pay.`,
  keyUnavailable: 'Its host does not give its key right now, so your wallet cannot check that it is still the same.',

  /** What is to be said of a name that can be taken for another (protocol/look-alike.ts). */
  lookAlike: {
    hidden: 'This name has signs in it that nobody can see.',
    mixed: (alphabets: string) => `This name mixes letters of several alphabets: ${alphabets}.`,
    foreign: (alphabets: string) => `This name has letters of another alphabet: ${alphabets}.`,
    unusual: 'This name has letters beyond a to z.',
    care: 'It may look like a name that you know.',
    rare: 'a rare one',
    plain: 'In plain letters:',
  },
});
