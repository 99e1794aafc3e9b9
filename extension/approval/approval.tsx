/** One payment that waits for the user's decision, from the first look at it to its end. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ServiceError } from '../../protocol/errors.ts';
import type { ApprovalView } from '../../protocol/wallet-messages.ts';
import { call } from '../ui/call.ts';
import { onChanges } from '../ui/changes.ts';
import { approvalTexts as t } from '../ui/texts-approval.ts';
import { texts } from '../ui/texts.ts';
import { asServiceError } from '../ui/use-action.ts';
import { Ended, type Ending } from './ended.tsx';
import { Payment } from './payment.tsx';

type State =
  | { at: 'loading' }
  | { at: 'asking'; view: ApprovalView }
  | { at: 'ended'; ending: Ending };

const OVER: Ending = { kind: 'over', title: t.goneTitle, text: t.gone };

/** What an error means for the whole window: some end the payment, others can be tried again in it. */
function endingOf(error: ServiceError): Ending | null {
  switch (error.code) {
    case 'approval-unknown':
      return OVER;
    case 'approval-expired':
    case 'approval-closed':
    case 'page-gone':
      return { kind: 'over', title: t.goneTitle, text: error.message };
    case 'payment-pending':
      return { kind: 'paid', title: t.pendingTitle, text: error.message };
    case 'network-rejected':
      return { kind: 'failed', title: t.failedTitle, text: error.message };
    default:
      return null;
  }
}

/** `id` names the approval, as the background put it into this window's address. */
export function Approval({ id }: { id: string }) {
  const [state, setState] = useState<State>({ at: 'loading' });
  const deciding = useRef(false);

  /** Reads it anew; `failure` is what went wrong before, and the reason if it is over now. */
  const read = useCallback(async (failure?: ServiceError) => {
    // What was decided meanwhile stays: an answer that was on its way must not take it back.
    const show = (next: State) => setState((now) => (now.at === 'ended' ? now : next));
    try {
      const view = await call('approval/read', { approvalId: id });
      show({ at: 'asking', view });
    } catch (error) {
      const cause = asServiceError(error);
      if (failure) return show({ at: 'ended', ending: { kind: 'failed', title: t.failedTitle, text: failure.message } });
      // A malformed id is one that no approval has.
      const over = cause.code === 'invalid-request' || cause.code === 'unsupported-method';
      return show({ at: 'ended', ending: over ? OVER : endingOf(cause) ?? { kind: 'failed', title: t.failedTitle, text: cause.message } });
    }
  }, [id]);
  useEffect(() => void read(), [read]);

  // Coins that arrive, or an unlock in the popup, are noticed. What can be paid already is left alone: it must not
  // change under the user's hand.
  const waiting = state.at === 'asking' && (state.view.problem !== null || state.view.locked);
  useEffect(() => (waiting ? onChanges(() => void (deciding.current || read())) : undefined), [waiting, read]);

  if (state.at === 'loading') return <p class="approval-wait muted" role="status">{texts.loading}</p>;
  if (state.at === 'ended') return <Ended ending={state.ending} />;
  return (
    <Payment
      view={state.view}
      deciding={deciding}
      decide={async (decision, label) => {
        try {
          const { feeSatoshis } = state.view;
          await call('approval/decide', { approvalId: id, decision, ...(decision === 'pay' && feeSatoshis !== null ? { feeSatoshis } : {}) });
        } catch (error) {
          const cause = asServiceError(error);
          const ending = endingOf(cause);
          if (ending === null) {
            // Another look first: amounts may have changed, and the wallet may be unlocked by now.
            await read(cause);
            throw cause;
          }
          return setState({ at: 'ended', ending });
        }
        setState({
          at: 'ended',
          ending: decision === 'pay' ? { kind: 'paid', title: t.approved(label), text: t.approvedNote, leave: true } : { kind: 'refused', title: t.refused, text: t.refusedNote, leave: true },
        });
      }}
    />
  );
}
