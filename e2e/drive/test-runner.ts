/**
 * For Vitest's `runner`: saves screenshots and the text of a failed test's pages before an `afterEach` closes the
 * pages.
 */
import { TestRunner, type RunnerTestCase } from 'vitest';
import { keepEvidence } from '../../tooling/drive/evidence.ts';

export default class extends TestRunner {
  async onTaskFinished(test: RunnerTestCase): Promise<void> {
    if (test.result?.state === 'fail') await keepEvidence(`${test.file.name} ${test.name}`);
  }
}
