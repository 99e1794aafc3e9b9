/** Brings what is wrong with a form into sight once it is submitted: nobody should have to look for it. */
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * `show` is for the form's submission: the first field that is wrong gets the focus, else the message about all of
 * them, also where it comes with a later answer. `forget` is for its input: who types on is not called back.
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
