import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = import.meta.dirname;
/** The wallet's sources, without tests. */
const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\.d\.ts$|(?:^|\/)testing/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

// Other globals are rejected by the linter (.oxlintrc.json).
test('no module of the wallet keeps state or reads the clock', () => {
  const offences = sources.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /^(?:export )?let .*|^(?:export )?const [^\n]*= new (?:Map|Set|WeakMap|WeakSet)\b[^\n]*\(\);|new Date\(\)/gm,
      ),
    ].map(([found]) => `${path}: ${found}`),
  );
  expect(offences).toEqual([]);
});
