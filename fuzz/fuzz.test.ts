/** Runs each stored input once, and a few hundred new cases. `npm run fuzz` runs a million cases. */
import { expect, test } from 'vitest';
import { loadTarget, readCorpus, TARGETS } from './corpus.ts';
import { faultOf, fuzz } from './fuzz.ts';

test.each(TARGETS)('%s: no input violates the target’s rules', async (name) => {
  const target = await loadTarget(name);
  const corpus = readCorpus(name);
  for (const [line, input] of corpus) expect([line, await faultOf(target, input)]).toEqual([line, null]);
  const { findings } = await fuzz(target, {
    cases: corpus.size + 300,
    seed: 1,
    corpus: [...corpus.values()],
    mostFindings: 1,
  });
  expect(findings.map(({ message, input }) => [message, Buffer.from(input).toString('hex')])).toEqual([]);
});
