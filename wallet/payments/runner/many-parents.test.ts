/** Tests the broadcast of actions that depend on many unsent actions, while the network is unavailable. */
import { afterEach, expect, test } from 'vitest';
import { holdTime } from '../../../testkit/wallet/clock.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { endAllWorkerRuns, Profile } from '../../../testkit/wallet/worker-run.ts';
import { payment, signed, txid } from '../../activity/testing-activity.ts';
import type { PaymentRecord } from '../record.ts';

afterEach(endAllWorkerRuns);

const [DEPTH, WIDTH] = [6, 2];

/** Returns a released action. Each action spends an output of each of the two actions of the previous level. */
function action(n: number): PaymentRecord {
  const level = Math.floor(n / WIDTH);
  const inputs = Array.from({ length: WIDTH }, (_, i) => `${txid((level - 1) * WIDTH + i + 100)}:${n % WIDTH}`);
  return payment(n, {
    origin: 'https://app.example',
    state: 'signed',
    height: null,
    signed: { ...signed(n + 100), inputs, inputSatoshis: inputs.map(() => 1n) },
    action: {
      ...{ reference: `${n}`, digest: '', labels: [], version: 1, lockTime: 0, noSendChange: [], outputs: [] },
      ...{ randomizeOutputs: true, signLater: false, noSend: false },
      inputs: [],
      answer: { acceptDelayedBroadcast: true, returnTXIDOnly: false, sendWith: [] },
    },
    unfinished: 1,
  });
}

test('an attempt to broadcast an action doesn’t attempt its unsent ancestors along every path', async () => {
  const run = await new Profile('http://localhost:1').start();
  holdTime(); // prevents further attempts from becoming due
  const db = await run.modules.database.database(wallet);
  const actions = Array.from({ length: DEPTH * WIDTH }, (_, n) => action(n));
  for (const one of actions) await db.put('payments', one);
  await run.modules.drive.processPayment(wallet, (actions.at(-1) as PaymentRecord).id);
  const attempts = (await db.getAll('payments')).map(({ broadcast }) => broadcast.attempts);
  // A concurrent run of the worker can make a second attempt.
  expect(Math.max(...attempts)).toBeLessThanOrEqual(2);
});
