/** For Stryker: activates a mutant before any module is loaded, so that constants have it as well. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Also read by Stryker's own setup. */
    mode: 'dry-run' | 'mutant';
    activeMutant: string;
    globalNamespace: string;
  }
}

const stryker = globalThis as unknown as Record<string, { activeMutant?: string } | undefined>;
if (inject('mode') === 'mutant') (stryker[inject('globalNamespace')] ??= {}).activeMutant = inject('activeMutant');
