// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../protocol/languages.ts';
import { ENGLISH } from '../text/texts.ts';
import { ALL_ENGLISH, withEnglish, type Translation } from '../text/translation.ts';

/** Every language's translation, including languages that are added later. */
const modules = import.meta.glob<{ translation: Translation }>(['./*.ts', '!./*.test.ts'], { eager: true });
const languages = Object.entries(modules).map(([path, { translation }]) => [path.slice(2, -3), translation] as const);

/** Maps each path, such as `form.to`, to its text. */
function flatten(table: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, value]) =>
      typeof value === 'string' ? [[path + key, value] as const] : [...flatten(value as object, `${path}${key}.`)],
    ),
  );
}

const english = flatten(ALL_ENGLISH);

/** Paths of words that can be the same as in English, because many languages use them. */
const SAME_WORD = ['demo', 'tokens.0', 'tokens.1'];

/** Matches whole words. JavaScript's `\b` also matches inside words, next to accented letters. */
const oneOf = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');

const ENGLISH_WORD = oneOf('the|your|you|swipe|pay|paid|money|again|network|open|wait|found');
const SIDE = oneOf(
  'rechts|links|derecha|izquierda|droite|gauche|direita|esquerda|\\p{L}*[右左]\\p{L}*|\\p{L}*(?:يمين|يسار)\\p{L}*',
);

/** Words that contradict the chosen form of address, or are used in only one country. */
const OTHER_STYLE: Readonly<Record<string, RegExp>> = {
  de: oneOf('sie|ihr\\p{L}*|du|dein\\p{L}*|dir|dich'),
  es: oneOf('usted|su|sus|vos|billetera|cartera|celular|móvil|ordenador|computadora|monto|plata'),
  fr: oneOf('tu|ton|ta|tes|toi'),
  pt: oneOf('você|tu|teu|tua|usuário|utilizador|aba|guia|separador|celular|telemóvel|ecrã|tela|\\p{L}+ando|aguardar'),
};

/**
 * Width of the narrowest button (220 px) in columns. Japanese letters take two columns, and combining marks take none.
 */
const ONE_LINE = 22;
/** Width available between the wallet's icon and the button for paying by phone (columns). */
const BETWEEN_ICONS = 17;
const TWO_LINES = 44;
const limits: readonly (readonly [RegExp, number])[] = [
  [/^(swipe\..*|fee|demo)$/, ONE_LINE],
  [/^(getWallet|noWallet)$/, BETWEEN_ICONS],
  [/^(errors\..*|working|success\..*|paid|done|demoPaid|failed|filePage)$/, TWO_LINES],
];
const AMOUNT = '$1,234.56';

function columns(text: string): number {
  const seen = text.replace(/[\p{Mn}\p{Cf}]/gu, '');
  return [...seen].reduce(
    (sum, letter) =>
      sum +
      (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\u3000-\u303f\uff00-\uff60]/u.test(letter) ? 2 : 1),
    0,
  );
}

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

test('the button has the same languages as the wallet', () => {
  expect(['en', ...languages.map(([name]) => name)].toSorted()).toEqual(LANGUAGE_CODES.toSorted());
});

test('a text missing from a translation is in English, in any context', () => {
  const { swipe, errors, form, paid } = withEnglish({ swipe: { tip: 'Tipu' }, errors: { busy: 'Atendu' } });
  expect({ swipe, paid, form }).toEqual({
    swipe: { ...ENGLISH.swipe, tip: 'Tipu' },
    paid: ENGLISH.paid,
    form: ALL_ENGLISH.form,
  });
  expect(errors).toEqual({ ...ALL_ENGLISH.errors, busy: 'Atendu' });
});

describe.each(languages)('%s', (name, table) => {
  const texts = flatten(table);

  test('contains no text that is missing in English', () => {
    expect([...texts.keys()].filter((path) => !english.has(path))).toEqual([]);
  });

  test('contains placeholders where English does', () => {
    for (const [path, text] of texts) expect(placeholders(text), path).toEqual(placeholders(english.get(path) ?? ''));
  });

  test('contains no text that is empty or surrounded by spaces', () => {
    for (const [path, text] of texts) {
      expect(text, path).not.toBe('');
      expect(text, path).toBe(text.trim());
      expect(text, path).not.toMatch(/ {2}/);
    }
  });

  test('leaves nothing untranslated', () => {
    for (const [path, text] of texts) {
      const words = text.replace(/\{\w+\}/g, '');
      if (!/\p{L}/u.test(words) || SAME_WORD.includes(path)) continue;
      expect(text, path).not.toBe(english.get(path));
      expect(words, path).not.toMatch(ENGLISH_WORD);
    }
  });

  test('ends its sentences where English does', () => {
    for (const [path, text] of texts) {
      const end = (line: string) => (/[.。]$/.test(line) ? '.' : line.endsWith('…') ? '…' : '');
      expect(end(text), path).toBe(end(english.get(path) ?? ''));
    }
  });

  test('distinguishes errors as English does', () => {
    const codes = Object.keys(table.errors ?? {});
    const alike = (errors: Translation['errors'] = {}) =>
      codes.map((code) => codes.filter((other) => errors[other] === errors[code]));
    expect(alike(table.errors)).toEqual(alike(ALL_ENGLISH.errors));
  });

  test('fits into the narrowest button', () => {
    for (const [path, text] of texts) {
      const limit = limits.find(([paths]) => paths.test(path))?.[1] ?? Infinity;
      expect(columns(text.replace(/\{\w+\}/g, AMOUNT)), `${path}: ${text}`).toBeLessThanOrEqual(limit);
    }
  });

  test('names no direction, because the slider is mirrored in right-to-left languages', () => {
    for (const [path, text] of texts) {
      expect(text, path).not.toMatch(SIDE);
    }
  });

  test('uses one form of address', () => {
    for (const [path, text] of texts) expect(text, path).not.toMatch(OTHER_STYLE[name] ?? /(?!)/);
  });
});

describe('ar', () => {
  const texts = flatten(modules['./ar.ts']!.translation);

  test('isolates all inserted values (UAX 9)', () => {
    for (const [path, text] of texts) {
      expect(text.match(/\{\w+\}/g)?.length ?? 0, path).toBe(text.match(/\u2068\{\w+\}\u2069/g)?.length ?? 0);
    }
  });

  test('starts with an Arabic letter, which gives the label its direction', () => {
    for (const [path, text] of texts) {
      // Isolates are skipped when the text's direction is determined (UAX 9, P2).
      expect(text.replace(/\u2068.*?\u2069/gu, '').match(/\p{L}/u)?.[0] ?? 'ا', path).toMatch(/\p{Script=Arabic}/u);
    }
  });
});
