/** Scrolls to a form's problem when the form is submitted. */
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Returns `show` and `forget`. Call `show` when the form is submitted. `show` focuses the first invalid field,
 * otherwise the form's message, even if the message appears later. Call `forget` on input so that typing isn't
 * interrupted.
 */
export function useErrorInSight() {
  const form = useRef<HTMLFormElement>(null);
  const wanted = useRef(false);
  const [, draw] = useState(0);
  useEffect(() => {
    if (!wanted.current) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert] > .banner-danger');
    if (!wrong) return;
    wanted.current = false;
    if (!wrong.matches('input')) wrong.tabIndex = -1;
    wrong.focus({ preventScroll: true });
    wrong.scrollIntoView?.({ block: 'center' });
  });
  return {
    form,
    show: () => {
      wanted.current = true;
      draw((count) => count + 1);
    },
    forget: () => void (wanted.current = false),
  };
}
