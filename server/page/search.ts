/** Searches the reference or the documentation for the words in a query. Pure. */

export interface SearchEntry {
  url: string;
  title: string;
  text: string;
}

/** A match, with an excerpt around the first matching word. */
export interface SearchResult extends Pick<SearchEntry, 'url' | 'title'> {
  excerpt: string;
}

/** Max characters per query. */
export const MAX_QUERY = 100;
/** Max words per query. */
const MAX_WORDS = 8;
const MAX_RESULTS = 50;
/** Max characters per excerpt. */
const EXCERPT = 160;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export const textOf = (html: { toString(): string }): string =>
  html
    .toString()
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns a word and its stem so that singular and plural match, such as `retry` and `retries`. */
function formsOf(word: string): string[] {
  const stem = word.length > 4 ? word.replace(/(?:ies|y|s)$/, '') : word;
  return stem === word ? [word] : [word, stem];
}

const lowered = new WeakMap<SearchEntry, { title: string; text: string }>();

function lowerCase(entry: SearchEntry): { title: string; text: string } {
  const known = lowered.get(entry);
  if (known) return known;
  const made = { title: entry.title.toLowerCase(), text: `${entry.title} ${entry.text}`.toLowerCase() };
  lowered.set(entry, made);
  return made;
}

/** Returns the matching entries, best first. Matches in the title rank higher. */
export function searchIn(entries: readonly SearchEntry[], query: string): SearchResult[] {
  const words = query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const forms = words.map(formsOf);
  const fits = (text: string) => forms.filter((own) => own.some((form) => text.includes(form))).length;
  return entries
    .flatMap((entry) => {
      const { title, text } = lowerCase(entry);
      if (fits(text) < words.length) return [];
      const isPhrase = text.includes(words.join(' '));
      return [{ entry, weight: 2 * fits(title) + (isPhrase ? 3 : 0) }];
    })
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_RESULTS)
    .map(({ entry: { url, title, text } }) => ({ url, title, excerpt: excerptOf(text, words) }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const phrase = lower.indexOf(words.join(' '));
  const at = phrase >= 0 ? phrase : Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0));
  const from = Number.isFinite(at) ? Math.max(0, lower.lastIndexOf('. ', at) + 1, at - EXCERPT / 2) : 0;
  const part = text.slice(from, from + EXCERPT).trim();
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT < text.length ? '…' : ''}`;
}
