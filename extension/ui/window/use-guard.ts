import { useLayoutEffect, useMemo } from 'preact/hooks';
import { createClickGuard, type ClickGuard } from './click-guard.ts';

/**
 * Guards clicks while mounted. A change in `contents` restarts the delay, because users must read the new contents
 * first.
 */
export function useGuard(contents: string): ClickGuard {
  const guard = useMemo(() => createClickGuard(), []);
  useLayoutEffect(() => () => guard.dispose(), [guard]);
  // A layout effect, because a click in progress is meant for the previous contents and must not count.
  useLayoutEffect(() => guard.restart(), [guard, contents]);
  return guard;
}
