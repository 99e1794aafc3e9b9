/**
 * The UI strings of the wallet's windows, in English. Loading another language replaces the properties of these
 * objects, so components can import them directly.
 */
import { overlayTexts, readTexts, type Catalog, type Speech, type Texts } from '../../../protocol/catalog.ts';
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';
import { locale } from '../languages/language.ts';
import { ENGLISH } from '../languages/english.ts';
import type { TextTypes } from '../../../protocol/wallet-texts.ts';

const speech = (language: string): Speech => ({ language, locale, product: PRODUCT_NAME });

const all = readTexts(ENGLISH, speech('en')) as Texts<typeof ENGLISH, TextTypes>;

/** The UI strings by area. A translation may lack some strings. */
export type WindowTexts = typeof all;

/** The UI strings by area, in English until {@link loadTexts} is called. */
export const {
  general: texts,
  activity: activityTexts,
  allowance: allowanceTexts,
  appData: appDataTexts,
  approval: approvalTexts,
  assets: assetTexts,
  connected: connectedTexts,
  contacts: contactTexts,
  errors: errorTexts,
  mint: mintTexts,
  onboarding: onboardingTexts,
  operations: operationsTexts,
  otherWallets: otherWalletTexts,
  passkey: passkeyTexts,
  permissions: permissionTexts,
  recipient: recipientTexts,
  scan: scanTexts,
  secrets: secretTexts,
  send: sendTexts,
  service: serviceTexts,
  settings: settingsTexts,
  shortcuts: shortcutTexts,
  signIn: signInTexts,
  siteAccess: siteAccessTexts,
  swipes: swipeTexts,
} = all;

/** Replaces the English UI strings with another language's. Strings missing from its catalog remain in English. */
export function loadTexts(language: string, catalog: Catalog): void {
  overlayTexts(all, readTexts(catalog, speech(language)));
}
