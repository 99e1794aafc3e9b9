/** Says so while a part of what is asked lies below the edge: nobody should pay for what they did not see. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { InIcon } from '../ui/icons.tsx';
import { approvalTexts as t } from '../ui/texts-approval.ts';

/**
 * Stands at the end of what must be seen before deciding; its hint shows at the decision. Without the browser's help it stays away.
 */
export function useMoreBelow() {
  const end = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const mark = end.current;
    const decision = document.querySelector('.approval-decision');
    if (mark === null || decision === null || typeof IntersectionObserver === 'undefined') return undefined;
    let observer: IntersectionObserver | undefined;
    // The decision lies over the lower edge, so what is behind it is not in sight. It is less high without a password,
    // or this hint.
    const sizes = new ResizeObserver(() => {
      // What gets the focus scrolls to above it (WCAG 2.2, 2.4.11).
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

/** The hint. It scrolls to the rest. */
export function MoreBelow({ onShow }: { onShow: () => void }) {
  return (
    <button type="button" class="button button-small more-below" onClick={onShow}>
      <InIcon size={14} />
      {t.moreBelow}
    </button>
  );
}
