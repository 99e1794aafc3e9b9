import { useLayoutEffect, useMemo } from 'preact/hooks';
import { createClickGuard, type ClickGuard } from './click-guard.ts';

/** Guards while the component is mounted; new `contents` restart it, because they must be read first. */
export function useGuard(contents: string): ClickGuard {
  const guard = useMemo(() => createClickGuard(), []);
  useLayoutEffect(() => () => guard.dispose(), [guard]);
  // Before the next click, because one in progress was meant for the previous contents.
  useLayoutEffect(() => guard.restart(), [guard, contents]);
  return guard;
}
