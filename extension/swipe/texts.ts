/**
 * The frame's texts, which `npm run texts` collects: it must load before the pointer arrives, so it can't wait for a
 * catalog.
 */
import { readTexts, type Texts } from '../../protocol/catalog.ts';
import { PRODUCT_NAME } from '../../protocol/text/product.ts';
import type { LanguageCode } from '../../protocol/languages.ts';
import { locale } from '../ui/languages/language.ts';
import type { TextTypes } from '../../protocol/wallet-texts.ts';
import catalogs from './texts.json' with { type: 'json' };

export type SwipeTexts = Texts<(typeof catalogs)['en'], TextTypes, 'swipe.'>;

/** The texts in a language, or in English if its catalog lacks them. */
export function swipeTexts(language: LanguageCode): SwipeTexts {
  const read = (code: LanguageCode) =>
    readTexts(catalogs[code], { language: code, locale, product: PRODUCT_NAME }) as Partial<SwipeTexts>;
  return { ...read('en'), ...read(language) } as SwipeTexts;
}
