/** Texts about passkeys: unlocking with one, adding and removing them. */
import { translatable } from './translatable.ts';

export const passkeyTexts = translatable('passkey', {
  unlock: 'Unlock with a passkey',
  waiting: 'Waiting for your passkey…',
  cancelled: 'That didn’t work. Try again, or use your password.',
  already: 'This device already has a passkey for your wallet.',
  impossible: 'Passkeys aren’t available here. Use your password.',
  unsuitable:
    'This passkey can’t unlock a wallet. If you just made it, delete it in your password manager or security key, and try another.',
  title: 'Passkeys',
  row: 'Unlock with your fingerprint, face, or security key',
  lead: 'A passkey unlocks this wallet in this browser. Your password still works, and only your recovery words can restore the wallet.',
  none: 'No passkeys yet.',
  added: (date: string) => `Added ${date}`,
  used: (date: string) => `Last used ${date}`,
  name: 'Name of the passkey',
  defaultName: 'This device',
  password: 'Your password',
  add: 'Add passkey',
  failed:
    'The passkey was not added, and nothing has changed. If your browser made one, delete it in your password manager.',
  done: 'Passkey added. You can now unlock your wallet with it.',
  remove: (name: string) => `Remove ${name}`,
  removeSure: 'Remove',
  keep: 'Keep',
  removed:
    'It no longer unlocks your wallet. Your password manager or security key may still list it: delete it there, too.',
});
