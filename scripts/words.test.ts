import { describe, expect, test } from 'vitest';
import { complaints, readWordings, textsOf, type Wording } from './words.ts';

const SOURCE = `
/** A comment,
 * on two lines: \`code\`. */
import { test } from 'vitest';
test.each([1])('a title of %s', () => {
  throw new RangeError(\`must be \${1} at least\`);
});
const text = 'no title'; // the end
`;

describe('the texts of a file', () => {
  test('the texts of a file are comments, titles and errors, each with its line', () => {
    expect(textsOf('some.test.ts', SOURCE)).toEqual([
      { kind: 'comments', line: 2, text: expect.stringContaining('on two lines: x.') },
      { kind: 'comments', line: 8, text: ' the end' },
      { kind: 'titles', line: 5, text: 'a title of %s' },
      { kind: 'errors', line: 6, text: 'must be x at least' },
    ]);
  });

  test('the texts of a style sheet are its comments, each with its line', () => {
    expect(textsOf('some.css', 'a {}\n/* A comment. */\nb {} /* Its end. */')).toEqual([
      { kind: 'comments', line: 2, text: ' A comment. ' },
      { kind: 'comments', line: 3, text: ' Its end. ' },
    ]);
  });

  test('the texts of a document exclude code and link targets', () => {
    const [document] = textsOf('some.md', 'See [this](what.md) and `what`.\n```\nwhat\n```\nEnd');
    expect(document?.text).toBe('See [this] and x.\n\n\n\nEnd');
  });
});

describe('the list of wordings', () => {
  const row: Wording = { id: 'W0', what: 'a', pattern: 'a', write: 'b', in: ['comments'], most: 1 };
  const found = (line: number) => ({ id: 'W0', file: 'x.ts', line, text: `line ${line}` });

  test('reports one occurrence more than recorded, with its location and the better wording', () => {
    expect(complaints([row], [found(3)])).toEqual([]);
    expect(complaints([row], [found(3), found(4)])).toEqual([expect.stringMatching(/W0.*Write: b[^]*x\.ts:4: line 4/)]);
  });

  test('contains only valid patterns and unique ids', () => {
    const list = readWordings();
    for (const { pattern } of list) expect(() => new RegExp(pattern, 'gmu')).not.toThrow();
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
  });
});
