/**
 * Tests that the recovery words restore the whole balance in any wallet with a gap limit of 20, regardless of the
 * behavior of applications and operators.
 */
import { describe, expect, test } from 'vitest';
import { called, output } from '../../../testkit/wallet/applications.ts';
import { expectFoundElsewhere } from '../../../testkit/wallet/restore-elsewhere.ts';
import { allowed, network, ownOutput, paid, referenceOf, signable, SOMEBODY } from './testing-gap-limit.ts';

describe('an application that finishes no actions', () => {
  test('an application that finishes no actions gets an error once the change addresses are used up, and the user can still pay', async () => {
    const workerRun = await allowed();
    const outpoint = await ownOutput();
    const references: string[] = [];
    for (;;) {
      const answer = await signable(workerRun, outpoint);
      if ('code' in answer) {
        expect(answer).toMatchObject({ reason: 'too-many-unsent' });
        break;
      }
      references.push(referenceOf(answer));
    }
    expect(references.length).toBe(10);
    for (let i = 0; i < 4; i += 1) {
      await paid(workerRun, `honest-${i}`);
      await expectFoundElsewhere(network, workerRun);
    }
    await called(workerRun, 'abortAction', { reference: references[0] as string });
    expect(referenceOf(await signable(workerRun, outpoint))).toBeTruthy();
  });

  test('a restore finds the change of withheld actions that each spend the previous one’s change until no address is left', async () => {
    const workerRun = await allowed([500_000, 490_000]);
    let noSendChange: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const made = await called(workerRun, 'createAction', {
        description: 'keep it',
        outputs: [output(30, SOMEBODY)],
        options: { noSend: true, noSendChange },
      });
      noSendChange = made.noSendChange ?? [];
    }
    await paid(workerRun, 'while they are kept');
    await expectFoundElsewhere(network, workerRun);
  });
});
