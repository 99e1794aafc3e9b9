/**
 * What a language has to say: every text of the wallet's windows, by area. A language that lacks one does not compile.
 */
import type { texts } from '../texts.ts';
import type { activityTexts } from '../texts-activity.ts';
import type { allowanceTexts } from '../texts-allowance.ts';
import type { approvalTexts } from '../texts-approval.ts';
import type { errorTexts } from '../texts-errors.ts';
import type { onboardingTexts } from '../texts-onboarding.ts';
import type { operationsTexts } from '../texts-operations.ts';
import type { recipientTexts } from '../texts-recipient.ts';
import type { secretTexts } from '../texts-secrets.ts';
import type { sendTexts } from '../texts-send.ts';
import type { settingsTexts } from '../texts-settings.ts';
import type { signInTexts } from '../texts-sign-in.ts';
import type { siteAccessTexts } from '../texts-site-access.ts';

/** See above. */
export interface Translation {
  texts: typeof texts;
  activity: typeof activityTexts;
  allowance: typeof allowanceTexts;
  approval: typeof approvalTexts;
  errors: typeof errorTexts;
  onboarding: typeof onboardingTexts;
  operations: typeof operationsTexts;
  recipient: typeof recipientTexts;
  secrets: typeof secretTexts;
  send: typeof sendTexts;
  settings: typeof settingsTexts;
  signIn: typeof signInTexts;
  siteAccess: typeof siteAccessTexts;
}
