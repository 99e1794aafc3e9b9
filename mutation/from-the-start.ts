/** For Stryker: activates the mutant before any module is loaded so that the mutant also affects constants. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Stryker's own setup also reads these values. */
    mode: 'dry-run' | 'mutant';
    activeMutant: string;
    globalNamespace: string;
  }
}

const stryker = globalThis as unknown as Record<string, { activeMutant?: string } | undefined>;
if (inject('mode') === 'mutant') (stryker[inject('globalNamespace')] ??= {}).activeMutant = inject('activeMutant');
