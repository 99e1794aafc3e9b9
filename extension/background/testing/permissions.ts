/** For tests: what sites are asked permission for, without windows, which have tests of their own. */
import { vi } from 'vitest';

/** What sites of a test may do: everything, unless the test says otherwise. What is asked for is noted. */
export const permissions = { asked: [] as unknown[], isRefused: false };

/** Permissions of later runs are as {@link permissions} says. */
export function permitAll(): void {
  Object.assign(permissions, { asked: [], isRefused: false });
  vi.doMock('../brc100/permissions/require.ts', () => ({
    async requirePermission(permission: unknown) {
      permissions.asked.push(permission);
      const { ServiceError } = await import('../../../protocol/errors.ts'); // of the current run of the worker
      if (permissions.isRefused) throw new ServiceError('site-blocked');
    },
    requireUnlocked: () => Promise.resolve(),
  }));
}
