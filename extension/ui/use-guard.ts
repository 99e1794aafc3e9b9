/** The click guard of what a window shows. */
import { useEffect, useMemo } from 'preact/hooks';
import { createClickGuard, type ClickGuard } from './click-guard.ts';

/** Guards as long as the component stands; other `contents` start it again, for they need to be read first. */
export function useGuard(contents: string): ClickGuard {
  const guard = useMemo(() => createClickGuard(), []);
  useEffect(() => () => guard.dispose(), [guard]);
  useEffect(() => guard.restart(), [guard, contents]);
  return guard;
}
