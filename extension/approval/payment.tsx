/**
 * What the user decides about, always in this order: who asks, to whom, what is written to the chain, the total, the
 * fee. Then the decision. Nothing in it is the page's own word but the recipients, amounts and data themselves.
 */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ApprovalView } from '../../protocol/wallet-messages.ts';
import { createClickGuard } from '../ui/click-guard.ts';
import { formatMoney } from '../ui/format.ts';
import { approvalTexts as t } from '../ui/texts-approval.ts';
import { texts } from '../ui/texts.ts';
import { Asker } from './asker.tsx';
import { ChainData } from './chain-data.tsx';
import { Decision } from './decision.tsx';
import { MoreBelow, useMoreBelow } from './more-below.tsx';
import { Recipients } from './recipients.tsx';
import { Total } from './total.tsx';

/** `decide` gets the amount as the button named it, for the message after. */
export interface PaymentProps {
  view: ApprovalView;
  deciding: { current: boolean };
  decide: (decision: 'pay' | 'refuse', label: string) => Promise<void>;
}

/** See above. */
export function Payment({ view, decide, deciding }: PaymentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const guard = useMemo(() => createClickGuard(), []);
  useEffect(() => () => guard.dispose(), [guard]);
  // Other contents need to be read again before a click counts. Being unlocked elsewhere changes no amount.
  const contents = JSON.stringify({ ...view, locked: false, balanceSatoshis: '', rate: view.rate?.price });
  useEffect(() => guard.restart(), [guard, contents]);
  // Not on a button: the window can open while the user is typing elsewhere, and Enter must not decide.
  useEffect(() => heading.current?.focus(), []);

  const more = useMoreBelow();
  const label = view.totalSatoshis === null ? null : formatMoney(BigInt(view.totalSatoshis), view.rate);
  return (
    <div class="approval">
      <main class="approval-body">
        <h1 class="visually-hidden" tabIndex={-1} ref={heading}>{t.title}</h1>
        {view.network !== 'mainnet' && <p class="approval-network"><span class="badge badge-warning">{texts.networks[view.network]}</span> <span class="small muted">{t.testNetwork}</span></p>}
        <Asker origin={view.origin} />
        <Recipients outputs={view.outputs} />
        {view.data && <ChainData data={view.data} />}
        <Total view={view} />
        <div ref={more.end} />
      </main>
      <Decision view={view} label={label} guard={guard} decide={decide} deciding={deciding}>
        {more.hidden && <MoreBelow onShow={() => window.scrollTo(0, document.documentElement.scrollHeight)} />}
      </Decision>
    </div>
  );
}
