/** Loads the texts of a language. Every language but English is a module of its own. */
import { setLanguage, type Language } from './language.ts';
import type { Translation } from './languages/translation.ts';
import { overlayTexts } from './translatable.ts';

const loaders: Record<Exclude<Language, 'en'>, () => Promise<{ translation: Translation }>> = {
  de: () => import('./languages/de.ts'),
  es: () => import('./languages/es.ts'),
  fr: () => import('./languages/fr.ts'),
  pt: () => import('./languages/pt.ts'),
  ja: () => import('./languages/ja.ts'),
  ar: () => import('./languages/ar.ts'),
};

/** Speaks a language from now on. Called before anything is drawn; a window that is open is reloaded instead. */
export async function speak(language: Language): Promise<void> {
  if (language !== 'en') overlayTexts((await loaders[language]()).translation);
  setLanguage(language);
}
