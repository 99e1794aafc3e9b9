/** One question that waits for the user's decision, from the first look at it to its end. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { meaningOf, ServiceError } from '../../protocol/errors.ts';
import type {
  AllowancePromptView,
  ApprovalView,
  OperationsPromptView,
  SignInView,
  WalletParams,
} from '../../protocol/wallet-messages.ts';
import { call } from '../ui/call.ts';
import { onChanges } from '../ui/changes.ts';
import { allowanceTexts } from '../ui/texts-allowance.ts';
import { approvalTexts as t } from '../ui/texts-approval.ts';
import { operationsTexts } from '../ui/texts-operations.ts';
import { signInTexts } from '../ui/texts-sign-in.ts';
import { texts } from '../ui/texts.ts';
import { toWords } from '../ui/to-words.ts';
import { asServiceError } from '../ui/use-action.ts';
import { AllowancePrompt } from './allowance-ask.tsx';
import type { Choice } from './decision.tsx';
import { Ended, type Ending } from './ended.tsx';
import { OperationsPrompt } from './operations-ask.tsx';
import { Payment } from './payment.tsx';
import { SignIn } from './sign-in.tsx';

/** What the window asks. */
type View = ApprovalView | AllowancePromptView | SignInView | OperationsPromptView;

type State = { at: 'loading' } | { at: 'asking'; view: View } | { at: 'ended'; ending: Ending };

const gone = (): Ending => ({ kind: 'over', title: t.goneTitle, text: t.gone });
/** The same of what was no payment. */
const answered = (): Ending => ({ kind: 'over', title: signInTexts.overTitle, text: operationsTexts.over });

/** What an error means for the whole window: some end what it asks, others can be tried again in it. */
function endingOf(error: ServiceError, kind: View['kind'] = 'payment'): Ending | null {
  const isPayment = kind === 'payment';
  switch (error.code) {
    case 'approval-unknown':
      return isPayment ? gone() : answered();
    case 'approval-expired':
    case 'approval-closed':
    case 'page-gone':
      return isPayment ? { kind: 'over', title: t.goneTitle, text: error.message } : answered();
    case 'invalid-challenge':
      return { kind: 'over', title: signInTexts.overTitle, text: error.message };
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

  /** Reads it anew; `failure` is what went wrong with a decision before, and the reason if it is over now. */
  const read = useCallback(
    async (failure?: ServiceError, kind?: View['kind']) => {
      // What was decided meanwhile stays: an answer that was on its way must not take it back.
      const show = (next: State) => setState((now) => (now.at === 'ended' ? now : next));
      try {
        const view = await call('approval/read', { approvalId: id });
        show({ at: 'asking', view });
      } catch (error) {
        const cause = asServiceError(error);
        const failed = ({ message }: ServiceError): Ending => ({ kind: 'failed', title: t.failedTitle, text: message });
        // A malformed id is one that no approval has.
        const { blame, final } = meaningOf(cause.code);
        const ending =
          final && blame === 'page' ? endingOf(new ServiceError('approval-unknown'), kind) : endingOf(cause, kind);
        // Where the answer was lost, the decision may have been taken all the same.
        const isAnswerLost = failure?.code === 'wallet-disconnected';
        return show({
          at: 'ended',
          ending: failure && !(isAnswerLost && ending) ? failed(failure) : (ending ?? failed(cause)),
        });
      }
    },
    [id],
  );
  useEffect(() => void read(), [read]);

  // Coins that arrive, or an unlock in the popup, are noticed. What can be paid already is left alone: it must not
  // change under the user's hand.
  const waiting =
    state.at === 'asking' && (state.view.locked || ('problem' in state.view && state.view.problem !== null));
  useEffect(() => (waiting ? onChanges(() => void (deciding.current || read())) : undefined), [waiting, read]);
  // A worker that was killed before it had stored this window's number has lost it: its question is asked in another one.
  const asked = state.at === 'asking' && !waiting ? state.view.kind : null;
  useEffect(() => {
    if (asked === null) return undefined;
    const leave = (error: unknown) => {
      if (deciding.current || asServiceError(error).code !== 'approval-unknown') return;
      const ending = { ...(asked === 'payment' ? gone() : answered()), leave: true };
      setState((now) => (now.at === 'asking' ? { at: 'ended', ending } : now));
    };
    return onChanges(() => void (deciding.current || call('approval/read', { approvalId: id }).catch(leave)));
  }, [asked, id]);

  if (state.at === 'loading')
    return (
      <p class="approval-wait muted" role="status">
        {texts.loading}
      </p>
    );
  if (state.at === 'ended') return <Ended ending={state.ending} />;

  const { view } = state;
  /** Sends a decision, and shows `after` where it was taken. */
  const send = async (decision: Omit<WalletParams<'approval/decide'>, 'approvalId'>, after: Ending) => {
    try {
      await call('approval/decide', { approvalId: id, ...decision });
    } catch (error) {
      const cause = asServiceError(error);
      const ending = endingOf(cause, view.kind);
      if (ending === null) {
        // Another look first: amounts may have changed, and the wallet may be unlocked by now.
        await read(cause, view.kind);
        throw cause;
      }
      return setState({ at: 'ended', ending });
    }
    setState({ at: 'ended', ending: after });
  };
  const refuse = ({ blockHours }: Extract<Choice, { yes: false }>) =>
    send({ decision: 'refuse', ...(blockHours && { blockHours }) }, refusedEnding(view, blockHours !== undefined));

  if (view.kind === 'sign-in') {
    return (
      <SignIn
        view={view}
        deciding={deciding}
        decide={(choice) => {
          if (!choice.yes) return refuse(choice);
          return send(
            { decision: 'sign' },
            { kind: 'paid', title: signInTexts.done, text: signInTexts.doneNote, leave: true },
          );
        }}
      />
    );
  }
  if (view.kind === 'allowance') {
    return (
      <AllowancePrompt
        view={view}
        deciding={deciding}
        decide={(choice, terms) => {
          if (!choice.yes) return refuse(choice);
          return send(
            { decision: 'grant', ...(terms && { grant: terms }) },
            { kind: 'paid', title: allowanceTexts.granted, text: allowanceTexts.takeBack, leave: true },
          );
        }}
      />
    );
  }
  if (view.kind === 'operations') {
    return (
      <OperationsPrompt
        view={view}
        deciding={deciding}
        onUnlocked={read}
        decide={(choice) => {
          if (!choice.yes) return refuse(choice);
          return send(
            { decision: 'sign' },
            { kind: 'paid', title: operationsTexts.done, text: operationsTexts.doneNote, leave: true },
          );
        }}
      />
    );
  }
  return (
    <Payment
      view={view}
      deciding={deciding}
      onUnlocked={read}
      decide={(choice, label, grant) => {
        if (!choice.yes) return refuse(choice);
        const { feeSatoshis } = view;
        return send(
          { decision: 'pay', ...(feeSatoshis !== null && { feeSatoshis }), ...(grant && { grant }) },
          { kind: 'paid', title: t.approved(label), to: toWords(view.outputs), text: t.approvedNote, leave: true },
        );
      }}
    />
  );
}

function refusedEnding(view: View, blocked: boolean): Ending {
  if (blocked) return { kind: 'refused', title: allowanceTexts.blocked, text: allowanceTexts.blockedNote };
  const text = { allowance: allowanceTexts, 'sign-in': signInTexts, operations: operationsTexts, payment: t }[view.kind]
    .refusedNote;
  return { kind: 'refused', title: t.refused, text, leave: true };
}
