/**
 * fast-check with at most 30 cases per property, the same ones each time, and without shrinking failures: thousands for
 * each of thousands of mutants would take days.
 */
import fc from '../node_modules/fast-check/lib/fast-check.js';

const few = <Ts>(parameters: fc.Parameters<Ts> = {}): fc.Parameters<Ts> => ({
  seed: 1,
  ...parameters,
  numRuns: Math.min(parameters.numRuns ?? 30, 30),
  endOnFailure: true,
});

const assert = <Ts>(property: fc.IRawProperty<Ts>, parameters?: fc.Parameters<Ts>) =>
  fc.assert(property, few(parameters));

export * from '../node_modules/fast-check/lib/fast-check.js';
export { assert };
export default { ...fc, assert };
