/** The texts of contacts: people whom the user saved, for paying them again. */
import { translatable } from './translatable.ts';

export const contactTexts = translatable('contacts', {
  title: 'Contacts',
  row: 'People you pay',
  /** Before the user's own name of a contact, for screen readers. */
  yours: 'Your contact',
  add: 'Add contact',
  edit: 'Edit contact',
  name: 'Name',
  nameHint: 'Only you can see it.',
  to: 'Paymail, user ID or address',
  save: 'Save',
  saving: 'Saving…',
  saveContact: 'Save contact',
  saved: (name: string) => `Saved as ${name}.`,
  cancel: 'Cancel',
  send: (name: string) => `Send to ${name}`,
  remove: 'Remove contact',
  removeSure: (name: string) => `Remove ${name} from your contacts? Payments stay in your activity.`,
  removeYes: 'Remove',
  manage: 'Edit contacts',
  search: 'Search contacts',
  none: 'No contacts yet',
  noneText: 'Save people here, or while you send. Then you can pay them by name.',
  nothingFits: 'No contact matches.',
  missingName: 'Enter a name.',
  exists: (name: string) => `You’ve already saved this recipient as ${name}.`,
  full: (most: string) => `You have ${most} contacts, which is the maximum. Remove one first.`,
  elsewhere: (host: string) => `A user ID at ${host}, which your wallet no longer uses. It can’t be paid by this ID.`,
});
