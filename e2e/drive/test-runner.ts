/** For Vitest's `runner`: saves evidence of a failed test before an `afterEach` closes the test's pages. */
import { TestRunner, type RunnerTestCase } from 'vitest';
import { keepEvidence } from '../../tooling/drive/evidence.ts';

export default class extends TestRunner {
  async onTaskFinished(test: RunnerTestCase): Promise<void> {
    if (test.result?.state === 'fail') await keepEvidence(`${test.file.name} ${test.name}`);
  }
}
