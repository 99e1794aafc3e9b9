/** Applications' actions with Arcade. Other operators and their failures are tested in the full run. */
import { test } from 'vitest';
import { allowed } from './testing-create-action.ts';
import { expectMade, face, setFaults } from './testing-operators.ts';

test('an application’s action succeeds through Arcade if the first operator is down', async () => {
  const workerRun = await allowed();
  await face(workerRun, 'arc', 'arcade');
  await setFaults('arc', [{ name: 'down' }]);
  await expectMade(workerRun);
});
