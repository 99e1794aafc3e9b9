/** Tests crashes around the broadcast for each kind of payment. crash.full.test.ts tests crash points throughout. */
import { expect, test } from 'vitest';
import { run, type How } from './testing-crash.ts';

test.each<How>(['approved', 'automatic', 'sent'])(
  'a payment (%s) is made once, and no coin is lost, if the worker is stopped before and after the broadcast',
  async (how) => {
    const broadcast = 'POST /devnet/arc/v1/tx';
    expect(await run([`before ${broadcast}`, `after ${broadcast}`], [], how)).toBeGreaterThan(0);
  },
);
