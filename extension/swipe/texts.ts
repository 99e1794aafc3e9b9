/**
 * The frame's UI strings, collected by `npm run texts`. The strings are part of the script, because the frame must be
 * ready before the pointer arrives and can't wait for a catalog.
 */
import { overlayTexts, readTexts, type Texts } from '../../protocol/catalog.ts';
import { PRODUCT_NAME } from '../../protocol/text/product.ts';
import type { LanguageCode } from '../../protocol/languages.ts';
import { locale } from '../ui/languages/language.ts';
import type { TextTypes } from '../../protocol/wallet-texts.ts';
import catalogs from './texts.json' with { type: 'json' };

export type SwipeTexts = Texts<(typeof catalogs)['en'], TextTypes, 'swipe.'>;

/** Returns the UI strings in a language. Strings missing from the language's catalog are in English. */
export function swipeTexts(language: LanguageCode): SwipeTexts {
  const read = (code: LanguageCode) => readTexts(catalogs[code], { language: code, locale, product: PRODUCT_NAME });
  const texts = read('en');
  overlayTexts(texts, read(language));
  return texts as SwipeTexts;
}
