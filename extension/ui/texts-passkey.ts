/** Texts about passkeys: unlocking with one, adding and removing them. */
import { translatable } from './translatable.ts';

export const passkeyTexts = translatable('passkey', {
  unlock: 'Unlock with a passkey',
  waiting: 'Waiting for your passkey …',
  cancelled: 'That did not work. Try again, or use your password.',
  already: 'This device already has a passkey for your wallet.',
  impossible: 'Passkeys do not work here. Use your password.',
  unsuitable:
    'This passkey cannot unlock a wallet. If you just made it, delete it in your password manager or security key, and try another.',
  title: 'Passkeys',
  row: 'Unlock with your fingerprint, face, or security key',
  lead: 'A passkey unlocks this wallet in this browser. Your password goes on working, and only your recovery words bring the wallet back.',
  none: 'No passkey yet.',
  added: (date: string) => `Added ${date}`,
  used: (date: string) => `Last used ${date}`,
  name: 'Name of the passkey',
  defaultName: 'This device',
  password: 'Your password',
  add: 'Add passkey',
  failed:
    'The passkey was not added, and nothing has changed. If your browser made one, delete it in your password manager.',
  done: 'The passkey was added. It unlocks your wallet from now on.',
  remove: (name: string) => `Remove ${name}`,
  removed:
    'It no longer unlocks your wallet. Your password manager or security key may still list it: delete it there, too.',
});
