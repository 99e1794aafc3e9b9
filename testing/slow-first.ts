import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take much longer than their size suggests, by which Vitest orders files that it doesn't know yet. */
const SLOW = /simulation\/seeds\.|hostile\/swipe\/swipe\./;

/** Starts the slow files first. Started last, such a file keeps one worker busy while the others have ended. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
