import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take much longer than their size suggests. Vitest orders files without recorded durations by size. */
const SLOW = /simulation\/(?:later-)?seeds\.|hostile\/swipe\/swipe\./;

/**
 * Starts the slow files first. If a slow file started last, one worker would still be running it after the others had
 * finished.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
