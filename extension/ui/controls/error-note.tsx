/** Shows errors in an unobtrusive box, which screen readers announce. */
import type { ComponentChildren } from 'preact';
import type { WireError } from '../../../protocol/errors/service-error.ts';
import { errorText } from '../error-text.ts';

/** Shows an error, or nothing. `children` explain what the user can do. */
export function ErrorNote({
  error,
  kind = 'danger',
  children,
}: {
  error: Pick<WireError, 'code' | 'message'> | null;
  kind?: 'danger' | 'warning';
  children?: ComponentChildren;
}) {
  return (
    <div role="alert">
      {error && (
        <div class={`banner banner-${kind}`} data-code={error.code}>
          <p>{errorText(error)}</p>
          {children}
        </div>
      )}
    </div>
  );
}
