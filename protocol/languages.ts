/** The languages of the texts, each with a catalog in the wallet, the button and the service. Written by `npm run texts`. */

/** Language codes (BCP 47). */
export const LANGUAGE_CODES = ['en', 'ar', 'de', 'es', 'fr', 'ja', 'pt'] as const;
export type LanguageCode = (typeof LANGUAGE_CODES)[number];
