/** The click guard as a hook. */
import { useEffect, useMemo } from 'preact/hooks';
import { createClickGuard, type ClickGuard } from './click-guard.ts';

/** Guards while the component is mounted; new `contents` restart it, because they must be read first. */
export function useGuard(contents: string): ClickGuard {
  const guard = useMemo(() => createClickGuard(), []);
  useEffect(() => () => guard.dispose(), [guard]);
  useEffect(() => guard.restart(), [guard, contents]);
  return guard;
}
