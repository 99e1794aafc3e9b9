/** Shows a prompt in the approval window, from loading to its outcome. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { meaningOf, ServiceError } from '../../protocol/errors/service-error.ts';
import type { WalletParams, WalletResults } from '../../protocol/messages/wallet-messages.ts';
import { call, onChanges } from '../ui/window/call.ts';
import {
  allowanceTexts,
  approvalTexts as t,
  mintTexts,
  operationsTexts,
  permissionTexts,
  signInTexts,
  texts,
} from '../ui/texts/texts.ts';
import { toWords } from '../ui/texts/to-words.ts';
import { asServiceError } from '../ui/window/use-action.ts';
import { AllowancePrompt } from './permissions/allowance-ask.tsx';
import type { Choice } from './decision.tsx';
import { Ended, type Ending } from './ended.tsx';
import { Mint } from './payment/mint.tsx';
import { OperationsPrompt } from './operations/operations-ask.tsx';
import { Payment } from './payment/payment.tsx';
import { PermissionGroup } from './permissions/permission-group.tsx';
import { PermissionPrompt } from './permissions/permission.tsx';
import { SignIn } from './permissions/sign-in.tsx';
import { UnlockPrompt } from './unlock.tsx';

type View = WalletResults['approval/read'];

type State = { at: 'loading' } | { at: 'asking'; view: View } | { at: 'ended'; ending: Ending };

const gone = (): Ending => ({ kind: 'over', title: t.goneTitle, text: t.gone });
/** Returns the ending for a prompt that is no longer open and wasn't for a payment or a mint. */
const answered = (): Ending => ({ kind: 'over', title: signInTexts.overTitle, text: operationsTexts.over });
const minted = (): Ending => ({ kind: 'over', title: mintTexts.overTitle, text: mintTexts.over });
/** Returns the ending for a prompt that is no longer open, for example because it was decided in another window. */
const overOf = (kind: View['kind']) => (kind === 'payment' ? gone() : kind === 'mint' ? minted() : answered());
const permitted = (title: string): Ending => ({ kind: 'paid', title, text: permissionTexts.doneNote, leave: true });

/** Returns the ending for an error, or null if the user can try again. */
function endingOf(error: ServiceError, kind: View['kind'] = 'payment'): Ending | null {
  switch (error.code) {
    case 'approval-unknown':
      // An unlock prompt ends as soon as the wallet is unlocked in any window.
      if (kind === 'unlock') return permitted(permissionTexts.unlock.done);
      return overOf(kind);
    case 'approval-expired':
    case 'approval-closed':
    case 'page-gone':
      return kind === 'payment' ? { kind: 'over', title: t.goneTitle, text: error.message } : overOf(kind);
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

/** Shows a prompt. `id` is the approval's ID, which the background put into the window's URL. */
export function Approval({ id }: { id: string }) {
  const [state, setState] = useState<State>({ at: 'loading' });
  const deciding = useRef(false);

  /** Reads the prompt again. `failure`, the error of the preceding decision, is shown if the prompt has ended. */
  const read = useCallback(
    async (failure?: ServiceError, kind?: View['kind']) => {
      // A delayed response must not replace the outcome of a decision.
      const show = (next: State) => setState((now) => (now.at === 'ended' ? now : next));
      try {
        const view = await call('approval/read', { approvalId: id });
        show({ at: 'asking', view });
      } catch (error) {
        const cause = asServiceError(error);
        const failed = ({ message }: ServiceError): Ending => ({ kind: 'failed', title: t.failedTitle, text: message });
        // A final error caused by the page means that the ID is unknown or malformed.
        const { blame, final } = meaningOf(cause.code);
        const ending =
          final && blame === 'page' ? endingOf(new ServiceError('approval-unknown'), kind) : endingOf(cause, kind);
        // The decision may have been stored although its response was lost.
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

  // While the wallet is locked or the payment has a problem, reads the prompt again on every change, such as received
  // coins. Otherwise, the prompt must not change under the pointer.
  const waiting =
    state.at === 'asking' && (state.view.locked || ('problem' in state.view && state.view.problem !== null));
  const kind = state.at === 'asking' ? state.view.kind : undefined;
  useEffect(
    () => (waiting ? onChanges(() => void (deciding.current || read(undefined, kind))) : undefined),
    [waiting, read, kind],
  );
  // If the worker was terminated before it stored this window's ID, the next worker opened another window for the
  // prompt. This window closes when the user has decided in the other one.
  const asked = state.at === 'asking' && !waiting ? state.view.kind : null;
  useEffect(() => {
    if (asked === null) return undefined;
    const leave = (error: unknown) => {
      if (deciding.current || asServiceError(error).code !== 'approval-unknown') return;
      const ending = { ...overOf(asked), leave: true };
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
  const send = async (decision: Omit<WalletParams<'approval/decide'>, 'approvalId'>, after: Ending) => {
    try {
      await call('approval/decide', { approvalId: id, ...decision });
    } catch (error) {
      const cause = asServiceError(error);
      const ending = endingOf(cause, view.kind);
      if (ending === null) {
        // Reads the prompt again, because amounts may have changed or the wallet may be unlocked.
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
  if (view.kind === 'permission') {
    return (
      <PermissionPrompt
        view={view}
        deciding={deciding}
        decide={(choice) =>
          choice.yes ? send({ decision: 'permit' }, permitted(permissionTexts.done)) : refuse(choice)
        }
      />
    );
  }
  if (view.kind === 'permission-group') {
    return (
      <PermissionGroup
        view={view}
        deciding={deciding}
        decide={(choice, places, terms) => {
          if (!choice.yes) return refuse(choice);
          return send(
            { decision: 'permit', permitted: places, ...(terms && { grant: terms }) },
            permitted(permissionTexts.done),
          );
        }}
      />
    );
  }
  if (view.kind === 'unlock') {
    return (
      <UnlockPrompt
        view={view}
        deciding={deciding}
        decide={(choice) =>
          choice.yes ? send({ decision: 'unlock' }, permitted(permissionTexts.unlock.done)) : refuse(choice)
        }
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
  if (view.kind === 'mint') {
    return (
      <Mint
        view={view}
        deciding={deciding}
        onUnlocked={read}
        decide={(choice) => {
          if (!choice.yes) return refuse(choice);
          const { feeSatoshis } = view;
          return send(
            { decision: 'mint', ...(feeSatoshis !== null && { feeSatoshis }) },
            { kind: 'paid', title: mintTexts.done, text: t.approvedNote, leave: true },
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
          {
            kind: 'paid',
            title: t.approved({ amount: label }),
            to: toWords(view.outputs),
            text: t.approvedNote,
            leave: true,
          },
        );
      }}
    />
  );
}

function refusedEnding(view: View, blocked: boolean): Ending {
  if (blocked) return { kind: 'refused', title: allowanceTexts.blocked, text: allowanceTexts.blockedNote };
  const { refusedNote: text } = {
    allowance: allowanceTexts,
    'sign-in': signInTexts,
    mint: mintTexts,
    operations: operationsTexts,
    payment: t,
    permission: permissionTexts,
    'permission-group': permissionTexts,
    unlock: permissionTexts.unlock,
  }[view.kind];
  return { kind: 'refused', title: t.refused, text, leave: true };
}
