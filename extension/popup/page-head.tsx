import { useLayoutEffect, useRef } from 'preact/hooks';
import { BackIcon } from '../ui/controls/icons.tsx';
import { useShortcut } from '../ui/window/shortcuts.ts';
import { texts } from '../ui/texts/texts.ts';

/** Shows and focuses the title of a page that opened over another page, with a button to go back if `onBack` is set. */
export function PageHead({ title, onBack }: { title: string; onBack?: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useShortcut('leave', onBack ?? null);
  // A layout effect, because a passive effect could take focus from a user who is already typing.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <div class="page-head">
      {onBack && (
        <button type="button" class="icon-button" aria-label={texts.back} title={texts.back} onClick={onBack}>
          <BackIcon />
        </button>
      )}
      <h1 class="heading" tabIndex={-1} ref={heading}>
        {title}
      </h1>
    </div>
  );
}
