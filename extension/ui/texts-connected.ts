/** The texts about applications with access to the account. */
import { translatable } from './translatable.ts';

export const connectedTexts = translatable('connected', {
  title: 'Connected apps',
  row: 'Apps with access to your account',
  lead: 'These apps have access to your account. If you remove one, its access ends right away.',
  none: 'No app has access to your account. When you sign in to a site with it, the site appears here.',
  since: (date: string) => `Connected ${date}`,
  may: 'It can:',
  never: 'It can never spend your money or see your keys.',
  /** The permissions of an application, by the names of OAuth scopes. */
  scopes: {
    'auth.user_identity:read': 'See your user ID and name',
    'users.profiles:read': 'See your profile',
    'users.balance:read': 'See your balance',
    'payments:read': 'See your payments',
    'users.asset:read': 'See your assets',
    'users.asset:write': 'Create, change and delete assets in your name',
  },
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removeSure: 'Remove access',
  keep: 'Keep',
  removed: (name: string) => `${name} no longer has access.`,
});
