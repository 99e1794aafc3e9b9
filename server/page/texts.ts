/** The pages' text by language. Missing translations fall back to English. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { overlayTexts, readTexts, type Catalog, type Texts } from '../../protocol/catalog.ts';
import { LANGUAGE_CODES } from '../../protocol/languages.ts';
import { PRODUCT_NAME } from '../../protocol/text/product.ts';
import { localeOf } from './figures.ts';
import type { LanguageCode } from '../../protocol/languages.ts';
import type en from './languages/en.json';
import { fillPageText } from './page-text.ts';
import type { TextTypes } from './text-types.ts';

const FOLDER = join(fileURLToPath(import.meta.url), '../languages');

/** The pages' text in one language. */
export type SiteTexts = Texts<typeof en, TextTypes>;
export type AccountTexts = SiteTexts['account'];
export type ApplicationTexts = SiteTexts['applications'];
export type AssetTexts = SiteTexts['assets'];
export type GalleryTexts = SiteTexts['gallery'];
export type ReferenceTexts = SiteTexts['reference'];

function read(language: LanguageCode): object {
  const catalog = JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Catalog;
  return readTexts(catalog, { language, locale: () => localeOf(language), product: PRODUCT_NAME }, fillPageText);
}

export const SITE_TEXTS = Object.fromEntries(
  LANGUAGE_CODES.map((language) => {
    const texts = read('en');
    overlayTexts(texts, read(language));
    return [language, texts];
  }),
) as Readonly<Record<LanguageCode, SiteTexts>>;
