/** The texts of the pages by language: those of all pages, and beside them those of an area, which it names. */
import type { SiteLanguage } from './language.ts';
import { texts as ar } from './languages/ar.ts';
import { texts as de } from './languages/de.ts';
import { texts as en, type SiteTexts as CommonTexts } from './languages/en.ts';
import { texts as es } from './languages/es.ts';
import { texts as fr } from './languages/fr.ts';
import { texts as ja } from './languages/ja.ts';
import { texts as pt } from './languages/pt.ts';
import { shop as arShop } from './languages/shop/ar.ts';
import { shop as deShop } from './languages/shop/de.ts';
import { shop as enShop, type ShopTexts } from './languages/shop/en.ts';
import { shop as esShop } from './languages/shop/es.ts';
import { shop as frShop } from './languages/shop/fr.ts';
import { shop as jaShop } from './languages/shop/ja.ts';
import { shop as ptShop } from './languages/shop/pt.ts';

/** The texts of the pages in one language: all of them. */
export type SiteTexts = CommonTexts & { shop: ShopTexts };

export const SITE_TEXTS: Readonly<Record<SiteLanguage, SiteTexts>> = {
  en: { ...en, shop: enShop },
  de: { ...de, shop: deShop },
  es: { ...es, shop: esShop },
  fr: { ...fr, shop: frShop },
  pt: { ...pt, shop: ptShop },
  ja: { ...ja, shop: jaShop },
  ar: { ...ar, shop: arShop },
};
