import { useLayoutEffect, useRef } from 'preact/hooks';
import type { UnlockPromptView } from '../../protocol/wallet-messages.ts';
import { permissionTexts } from '../ui/texts-permissions.ts';
import { useGuard } from '../ui/use-guard.ts';
import { Asker } from './asker.tsx';
import { Decision, type Choice } from './decision.tsx';
import { NetworkNote } from './network-note.tsx';

const t = permissionTexts.unlock;

interface UnlockProps {
  view: UnlockPromptView;
  deciding: { current: boolean };
  decide: (choice: Choice) => Promise<void>;
}

/** A site needs the wallet unlocked for what it may do already: which site, what that means, and unlocking. */
export function UnlockPrompt({ view, deciding, decide }: UnlockProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const guard = useGuard(JSON.stringify({ ...view, locked: false }));
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <div class="approval">
      <main class="approval-body">
        <h1 class="visually-hidden" tabIndex={-1} ref={heading}>
          {t.title}
        </h1>
        <NetworkNote network={view.network} />
        <Asker origin={view.origin} asks={t.asks} />
        <p data-part="may">{t.what}</p>
        <p class="small muted">{t.not}</p>
      </main>
      <Decision
        title={t.title}
        locked={view.locked}
        mayBlock={view.mayBlock}
        guard={guard}
        deciding={deciding}
        decide={decide}
        yes={{ action: 'unlock', busy: t.busy, possible: true, label: view.locked ? t.yes : t.goOn }}
      />
    </div>
  );
}
