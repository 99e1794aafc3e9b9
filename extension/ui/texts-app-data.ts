/** Texts about what apps keep in the wallet, and about restoring it. */
import { translatable } from './translatable.ts';

export const appDataTexts = translatable('appData', {
  title: 'App data',
  rowService: 'Saved at your service, encrypted',
  rowFile: 'Saved in a file',
  rowNowhere: 'Only in this browser',
  rowTrouble: 'Not everything is saved',
  lead: 'Apps can keep things in your wallet, such as tokens and their labels. Your recovery words alone bring back your money, but not this data.',
  service: 'It’s saved at your service, encrypted. Your recovery words and your account bring it back.',
  file: (date: string) => `You saved a file on ${date}. It doesn’t have what came later.`,
  nowhere: 'It’s only in this browser. Save a file or add an account, and you can restore it.',
  addAccount: 'Add an account',
  unsent: (count: string) => `Still to be saved: ${count}`,
  unapplied: (count: string) => `Still to be restored: ${count}`,
  damaged: 'Part of the data at your service is damaged or missing. Your money isn’t affected.',
  saveAgainNote: 'You can replace it with what this wallet has.',
  saveAgain: 'Replace it',
  fileTitle: 'As a file',
  fileNote: 'The file is encrypted. Only your recovery words open it.',
  saveFile: 'Save a file',
  saveFileAgain: 'Save it once more',
  saved: 'File saved. Keep it in a safe place.',
  restoreFile: 'Restore from a file',
  restored: (count: string) => `Restored from the file: ${count}`,
  restoredNone: 'Your wallet already has everything in this file.',
  before:
    'Your recovery words alone won’t bring back what this app keeps in your wallet. Save a file or add an account under Settings, App data.',
});
