/** The texts of the wallet's windows, as a language has them. */
import type { texts } from '../texts.ts';
import type { activityTexts } from '../texts-activity.ts';
import type { allowanceTexts } from '../texts-allowance.ts';
import type { appDataTexts } from '../texts-app-data.ts';
import type { approvalTexts } from '../texts-approval.ts';
import type { assetTexts } from '../texts-assets.ts';
import type { connectedTexts } from '../texts-connected.ts';
import type { contactTexts } from '../texts-contacts.ts';
import type { errorTexts } from '../texts-errors.ts';
import type { mintTexts } from '../texts-mint.ts';
import type { onboardingTexts } from '../texts-onboarding.ts';
import type { operationsTexts } from '../texts-operations.ts';
import type { otherWalletTexts } from '../texts-other-wallets.ts';
import type { passkeyTexts } from '../texts-passkey.ts';
import type { permissionTexts } from '../texts-permissions.ts';
import type { recipientTexts } from '../texts-recipient.ts';
import type { scanTexts } from '../texts-scan.ts';
import type { secretTexts } from '../texts-secrets.ts';
import type { sendTexts } from '../texts-send.ts';
import type { serviceTexts } from '../texts-service.ts';
import type { settingsTexts } from '../texts-settings.ts';
import type { shortcutTexts } from '../texts-shortcuts.ts';
import type { signInTexts } from '../texts-sign-in.ts';
import type { siteAccessTexts } from '../texts-site-access.ts';
import type { swipeTexts } from '../texts-swipes.ts';

type Partly<T> = T extends string | ((...given: never) => string) ? T : { readonly [K in keyof T]?: Partly<T[K]> };

/** The texts that a language has, by area. What it lacks is shown in English; `npm run check` lists that. */
export type Translation = Partly<{
  texts: typeof texts;
  activity: typeof activityTexts;
  allowance: typeof allowanceTexts;
  appData: typeof appDataTexts;
  approval: typeof approvalTexts;
  assets: typeof assetTexts;
  connected: typeof connectedTexts;
  contacts: typeof contactTexts;
  errors: typeof errorTexts;
  mint: typeof mintTexts;
  onboarding: typeof onboardingTexts;
  operations: typeof operationsTexts;
  otherWallets: typeof otherWalletTexts;
  passkey: typeof passkeyTexts;
  permissions: typeof permissionTexts;
  recipient: typeof recipientTexts;
  scan: typeof scanTexts;
  secrets: typeof secretTexts;
  send: typeof sendTexts;
  service: typeof serviceTexts;
  settings: typeof settingsTexts;
  shortcuts: typeof shortcutTexts;
  signIn: typeof signInTexts;
  siteAccess: typeof siteAccessTexts;
  swipes: typeof swipeTexts;
}>;
