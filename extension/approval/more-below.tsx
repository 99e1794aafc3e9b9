/** Shows a hint while part of the prompt is below the window's edge, because users should read it before approving. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { InIcon } from '../ui/controls/icons.tsx';
import { approvalTexts as t } from '../ui/texts/texts.ts';

/** Returns a marker for the end of the part that must be read, and a hint next to the decision. */
export function useMoreBelow() {
  const end = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const mark = end.current;
    const decision = document.querySelector('.approval-decision');
    if (mark === null || decision === null || typeof IntersectionObserver === 'undefined') return undefined;
    let observer: IntersectionObserver | undefined;
    // The decision area covers the window's lower edge. Its height depends on the password field and the hint.
    const sizes = new ResizeObserver(() => {
      // Focused elements must scroll to a position above the decision area (WCAG 2.2, 2.4.11).
      document.documentElement.style.scrollPaddingBottom = `${decision.clientHeight}px`;
      observer?.disconnect();
      observer = new IntersectionObserver(([entry]) => setHidden(entry !== undefined && !entry.isIntersecting), {
        rootMargin: `0px 0px -${decision.clientHeight}px 0px`,
      });
      observer.observe(mark);
    });
    sizes.observe(decision);
    return () => {
      sizes.disconnect();
      observer?.disconnect();
    };
  }, []);
  return { end, hidden };
}

/** Shows the hint. A click scrolls to the rest of the prompt. */
export function MoreBelow({ onShow }: { onShow: () => void }) {
  return (
    <button type="button" class="button button-small more-below" onClick={onShow}>
      <InIcon size={14} />
      {t.moreBelow}
    </button>
  );
}
