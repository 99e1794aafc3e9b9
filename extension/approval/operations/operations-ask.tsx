import type { OperationsPromptView } from '../../../protocol/messages/wallet-messages.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { visible } from '../../ui/amounts/format.ts';
import { allowanceTexts, operationsTexts as t } from '../../ui/texts/texts.ts';
import { useGuard } from '../../ui/window/use-guard.ts';
import { Decision, type Choice } from '../decision.tsx';
import { MoreBelow, useMoreBelow } from '../more-below.tsx';
import { methodOf, requiresReview } from './operation-kinds.ts';
import { Operations } from './operations.tsx';
import { Question } from '../question.tsx';

interface OperationsAskProps {
  view: OperationsPromptView;
  deciding: { current: boolean };
  decide: (choice: Choice) => Promise<void>;
  onUnlocked: () => Promise<void>;
}

/**
 * Shows the prompt for crypto operations without a payment: the site, the results that it receives, and the decision.
 */
export function OperationsPrompt({ view, deciding, decide, onUnlocked }: OperationsAskProps) {
  // Unlocking the wallet in another window only adds details, so the click guard doesn't restart.
  const guard = useGuard(JSON.stringify({ ...view, locked: false }));
  const more = useMoreBelow();
  const method = methodOf(view.operations);
  const look = requiresReview(view.operations, view.locked);
  const label = look ? t.look : view.locked ? t.unlockAnd[method] : t.yes[method];
  return (
    <div class="approval">
      <Question view={view} title={t.title} asks={t.asks[method]} part={view.locked}>
        <p>{t.what}</p>
        {view.operations.some((one) => one.method === 'sign') && (
          <section aria-labelledby="identity">
            <h2 class="part" id="identity">
              {t.as}
            </h2>
            {view.paymail === null ? (
              <p class="mono small anywhere" data-part="key">
                <bdi dir="ltr">{view.publicKey}</bdi>
              </p>
            ) : (
              <p class="recipient-name anywhere" data-part="account">
                <bdi dir="ltr">{visible(view.paymail)}</bdi>
              </p>
            )}
          </section>
        )}
        <Operations
          operations={view.operations}
          title={t.list}
          withPayment={false}
          locked={view.locked}
          paymail={view.paymail}
        />
        {view.clientIdentifier !== '' && (
          <p class="small muted anywhere">
            {allowanceTexts.application}: <bdi class="mono">{visible(view.clientIdentifier)}</bdi>
          </p>
        )}
        <div ref={more.end} />
      </Question>
      <Decision
        title={t.title}
        locked={view.locked}
        mayBlock={view.mayBlock}
        guard={guard}
        deciding={deciding}
        decide={decide}
        yes={{
          action: 'sign',
          busy: t.busy,
          possible: view.problem === null,
          label: view.problem === null ? label : t.cannot,
        }}
        lookFirst={look ? onUnlocked : undefined}
      >
        {more.hidden && <MoreBelow onShow={() => window.scrollTo(0, document.documentElement.scrollHeight)} />}
        <ErrorNote error={view.problem} kind="warning" />
      </Decision>
    </div>
  );
}
