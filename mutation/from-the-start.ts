/** For Stryker: a mutant is there before any module is loaded, so that constants have it too where tests load modules themselves. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** What Stryker's own set-up reads, too. */
    mode: 'dry-run' | 'mutant';
    activeMutant: string;
    globalNamespace: string;
  }
}

const stryker = globalThis as unknown as Record<string, { activeMutant?: string } | undefined>;
if (inject('mode') === 'mutant') (stryker[inject('globalNamespace')] ??= {}).activeMutant = inject('activeMutant');
