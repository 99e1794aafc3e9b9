/** For tests of functions that fail with one of the project's error codes. */

/** The code of the error that a promise rejects with, or the error if it has none; `none` if it is fulfilled. */
export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (error: { code?: string }) => error.code ?? error,
  );

export function codeThrownBy(run: () => unknown): unknown {
  try {
    run();
    return 'none';
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  }
}
