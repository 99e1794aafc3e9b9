import type { UnlockPromptView } from '../../protocol/messages/wallet-messages.ts';
import { permissionTexts } from '../ui/texts/texts.ts';
import { useGuard } from '../ui/window/use-guard.ts';
import { Decision, type Choice } from './decision.tsx';
import { Question } from './question.tsx';

const t = permissionTexts.unlock;

interface UnlockProps {
  view: UnlockPromptView;
  deciding: { current: boolean };
  decide: (choice: Choice) => Promise<void>;
}

/** Prompts for the password if a connected site calls the locked wallet. Shows the site and the consequences. */
export function UnlockPrompt({ view, deciding, decide }: UnlockProps) {
  const guard = useGuard(JSON.stringify({ ...view, locked: false }));
  return (
    <div class="approval">
      <Question view={view} title={t.title} asks={t.asks}>
        <p data-part="may">{t.what}</p>
        <p class="small muted">{t.not}</p>
      </Question>
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
