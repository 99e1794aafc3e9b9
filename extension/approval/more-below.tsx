/** Shows a hint while a part of the prompt is below the edge: users should not approve what they haven't seen. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { InIcon } from '../ui/controls/icons.tsx';
import { approvalTexts as t } from '../ui/texts/texts.ts';

/** Marks the end of the part to see before deciding, with a hint next to the decision. */
export function useMoreBelow() {
  const end = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const mark = end.current;
    const decision = document.querySelector('.approval-decision');
    if (mark === null || decision === null || typeof IntersectionObserver === 'undefined') return undefined;
    let observer: IntersectionObserver | undefined;
    // The decision covers the lower edge. Its height changes with the password field and this hint.
    const sizes = new ResizeObserver(() => {
      // A focused element scrolls to above it (WCAG 2.2, 2.4.11).
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
