import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Shows a step's title and focuses it so that screen readers and keyboard users start there. */
export function StepHead({ title, lead }: { title: ComponentChildren; lead?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <div class="stack stack-tight">
      <h1 class="title" tabIndex={-1} ref={heading}>
        {title}
      </h1>
      {lead && <p class="lead">{lead}</p>}
    </div>
  );
}
