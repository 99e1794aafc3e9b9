import { pbkdf2Sync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { freshWords, normalizeWords, seedOf } from './mnemonic.ts';

/** Trezor's BIP39 vectors, English. Unlike this wallet's seeds, the vectors' seeds use a passphrase. */
const VALID = [
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
  'lava include region explain simple omit dog slot melt reflect copy reward',
  'forum join pitch dove yellow purchase shuffle real situate danger million bunker',
  'glow void ketchup thunder digital clock sport half six nice open artefact',
  'about camera omit thrive forget border metal oval auto prepare sketch stomach',
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art',
  'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote',
  'absent gorilla van acoustic humor firm title dolphin bulk barely citizen recall crane moment aspect appear track phrase actual enforce steel spoon afraid benefit',
  'disagree tomato unique attend aspect runway solid violin witness scrap armed daring favorite warm decade perfect target kid grant play early wide cigar night',
  'meadow surge vanish primary odor grocery rubber mass shine dinner notable tag venue water purchase clarify book magic ribbon daughter menu eye ritual orchard',
  'much youth advance kitchen lens exile salt cram goose enter alert raise milk muscle profit cousin system faint mouse price reveal cause series long',
  'gravity machine north sort system female filter attitude volume fold club stay feature office ecology stable narrow fog',
  // Words with 160 and 224 bits of entropy, created with @bsv/sdk, because the vectors don't include any.
  'legal winner thank year wave sausage worth useful legal winner thank year wave sausage wise',
  'legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal winner thank year viable',
];

const invalid = expect.objectContaining({ code: 'invalid-words' }) as Error;

describe('recovery words', () => {
  test.each(VALID)("the words of Trezor's vectors are accepted: %s", async (words) => {
    expect(normalizeWords(words)).toBe(words);
    expect(toHex(await seedOf(words))).toBe(pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512').toString('hex'));
  });

  test('the best-known words result in their published seed', async () => {
    expect(toHex(await seedOf(VALID[0] as string))).toBe(
      '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
    );
  });

  test('words are accepted in any case and with any whitespace', () => {
    expect(normalizeWords('  Legal WINNER thank\tyear\nwave sausage worth useful  legal winner thank yellow ')).toBe(
      VALID[1],
    );
  });

  test.each([
    ['none', ''],
    ['eleven', 'abandon '.repeat(11).trim()],
    ['twelve with a wrong checksum', 'abandon '.repeat(12).trim()],
    ['twelve of which one is no word', `${'abandon '.repeat(11)}abou`],
    ['twelve in another order', 'winner legal thank year wave sausage worth useful legal winner thank yellow'],
    ['thirteen', `${VALID[0]} abandon`],
    ['eighteen with a wrong checksum', 'abandon '.repeat(18).trim()],
    ['twenty-four with a wrong checksum', 'abandon '.repeat(24).trim()],
    ['with commas', VALID[0]?.replaceAll(' ', ',')],
  ])('words are rejected: %s', (_, words) => {
    expect(() => normalizeWords(words as string)).toThrow(invalid);
  });

  test('new words are twelve valid words, and never repeat', () => {
    const made = Array.from({ length: 50 }, freshWords);
    for (const words of made) {
      expect(words.split(' ')).toHaveLength(12);
      expect(normalizeWords(words)).toBe(words);
    }
    expect(new Set(made).size).toBe(50);
  });
});
