/** Refuse or pay, in the same place always. A locked wallet is unlocked right here. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ServiceError } from '../../protocol/errors.ts';
import type { ApprovalView } from '../../protocol/wallet-messages.ts';
import { call } from '../ui/call.ts';
import type { ClickGuard } from '../ui/click-guard.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { formatMoney } from '../ui/format.ts';
import { SecretField } from '../ui/secret-field.tsx';
import { approvalTexts as t } from '../ui/texts-approval.ts';
import { texts } from '../ui/texts.ts';
import { useAction } from '../ui/use-action.ts';

/** `label` is the total as the user reads it; null while it is not known. */
interface DecisionProps {
  view: ApprovalView;
  label: string | null;
  guard: ClickGuard;
  deciding: { current: boolean };
  decide: (decision: 'pay' | 'refuse', label: string) => Promise<void>;
  children?: ComponentChildren;
}

/** See above. */
export function Decision({ view, label, guard, deciding, decide, children }: DecisionProps) {
  const [password, setPassword] = useState('');
  const action = useAction(async (decision: 'pay' | 'refuse', by: 'click' | 'key' = 'click') => {
    if (by === 'click' && !guard.ready()) throw new ServiceError('too-soon');
    deciding.current = true;
    try {
      if (decision === 'pay' && view.locked) {
        await call('vault/unlock', { password });
        setPassword('');
      }
      await decide(decision, label ?? '');
    } finally {
      deciding.current = false;
    }
  });
  const wrongPassword = action.error?.code === 'wrong-password' ? action.error.message : null;
  const payable = view.problem === null && label !== null;
  useEscape(() => void action.run('refuse', 'key'));
  return (
    <form
      class="approval-decision"
      aria-label={t.title}
      onSubmit={(event) => {
        event.preventDefault();
        if (payable && !(view.locked && password === '')) void action.run('pay');
      }}
    >
      {children}
      <Problem view={view} />
      {view.locked && payable && (
        <SecretField label={texts.password} autocomplete="current-password" value={password} error={wrongPassword} onInput={(value) => { setPassword(value); action.clear(); }} />
      )}
      {!wrongPassword && <ErrorNote error={action.error} kind={action.error?.code === 'too-soon' ? 'warning' : 'danger'} />}
      <div class="approval-buttons">
        <button type="button" class="button button-quiet" onClick={() => action.run('refuse')}>{t.refuse}</button>
        <button class="button button-primary" disabled={!payable || (view.locked && password === '')} aria-busy={action.busy} data-action="pay">
          {action.busy ? t.paying : payLabel(view, label)}
        </button>
      </div>
    </form>
  );
}

function payLabel(view: ApprovalView, label: string | null): string {
  if (view.problem !== null || label === null) return t.cannotPay;
  return view.locked ? t.unlockAndPay(label) : t.pay(label);
}

/** Why it cannot be paid, and what to do about it. */
function Problem({ view }: { view: ApprovalView }) {
  if (view.problem?.code !== 'insufficient-funds') return <ErrorNote error={view.problem} kind="warning" />;
  const need = formatMoney(BigInt(view.totalSatoshis ?? view.satoshis), view.rate);
  return (
    <ErrorNote error={view.problem} kind="warning">
      <p class="small">{t.need(need, formatMoney(BigInt(view.balanceSatoshis), view.rate))}</p>
    </ErrorNote>
  );
}

/** Escape refuses: it can only keep money where it is, so it needs no second look. */
function useEscape(escape: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') escape();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
