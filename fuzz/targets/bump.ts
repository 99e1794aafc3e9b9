/** Fuzzes merkle paths (BUMP) as parsed by the service. `@bsv/sdk` must compute the same root. */
import { readBump, skipBump } from '../../server/chain/bump.ts';
import { Cursor } from '../../server/chain/cursor.ts';
import { EnvelopeError } from '../../server/chain/envelope-error.ts';
import { mustEqual, target } from '../target.ts';
import { bumps, pathIn, rootOf } from './testing-beef.ts';

function read(input: Uint8Array, reader: typeof readBump | typeof skipBump) {
  const cursor = new Cursor(input);
  try {
    const proof = reader(cursor) ?? null;
    cursor.end();
    return { proof };
  } catch (error) {
    if (error instanceof EnvelopeError) return null;
    throw error;
  }
}

export default target({
  form: 'bytes',
  seeds: bumps,
  read: (input) => {
    const skipped = read(input, skipBump);
    const found = read(input, readBump);
    if (found && !skipped) throw new Error('read, but not skipped');
    return found;
  },
  check: ({ proof }, input) => {
    if (!proof) return;
    mustEqual(proof.root, rootOf(input), 'the roots differ');
    const path = pathIn(input);
    mustEqual(proof.height, path.blockHeight, 'the height differs from @bsv/sdk’s');
    for (const { hash } of path.path[0] ?? [])
      if (hash !== undefined) mustEqual(proof.root, path.computeRoot(hash), 'the root differs from @bsv/sdk’s');
  },
});
