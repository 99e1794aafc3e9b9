/** Runs a button's action, one call at a time, and stores its error for display. */
import { useRef, useState } from 'preact/hooks';
import { ServiceError } from '../../../protocol/errors/service-error.ts';

export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<void>;
  busy: boolean;
  error: ServiceError | null;
  /** Clears the last error, for example when the user types again. */
  clear: () => void;
}

/** Wraps a button's action. A second click while the action runs has no effect. */
export function useAction<A extends unknown[]>(action: (...args: A) => Promise<void>): Action<A> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ServiceError | null>(null);
  const running = useRef(false);
  const run = async (...args: A): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await action(...args);
    } catch (cause) {
      setError(asServiceError(cause));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, error, clear: () => setError(null) };
}

/** Converts any error to a ServiceError. Unknown errors become `internal`. */
export function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal', { cause: error });
}
