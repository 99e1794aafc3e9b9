/**
 * Returns the code of a promise's rejection, or the error itself if it has no code. Returns `none` if the promise is
 * fulfilled.
 */
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
