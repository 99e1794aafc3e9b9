import { useState } from 'preact/hooks';
import type { AllowanceTerms, ApprovalView } from '../../../protocol/messages/wallet-messages.ts';
import { AllowanceLeft } from '../../ui/sites/allowance-facts.tsx';
import { termsInWords } from '../../ui/sites/allowance-terms.ts';
import { formatMoney } from '../../ui/amounts/format.ts';
import { WarningIcon } from '../../ui/controls/icons.tsx';
import { allowanceTexts, approvalTexts as t, operationsTexts } from '../../ui/texts/texts.ts';
import { AppDataNote } from '../permissions/app-data-note.tsx';
import { assetPaid, AssetFacts, paysMoney } from './asset-facts.tsx';
import { ChainData } from './chain-data.tsx';
import { Decision, type Choice } from '../decision.tsx';
import { firstGrant, GrantForm, grantOf, type Grant } from '../permissions/grant.tsx';
import { MoreBelow, useMoreBelow } from '../more-below.tsx';
import { consentOf, requiresReview } from '../operations/operation-kinds.ts';
import { Operations } from '../operations/operations.tsx';
import { Problem } from '../problem.tsx';
import { Question } from '../question.tsx';
import { Recipients } from './recipients.tsx';
import { SiteChoice, SiteData, SiteLabel } from '../operations/site-message.tsx';
import { ShortOfMoney } from './short-of-money.tsx';
import { Total } from './total.tsx';
import { useGuard } from '../../ui/window/use-guard.ts';

/** `decide` receives the amount on the button, which the closing message repeats, and the allowance to grant. */
export interface PaymentProps {
  view: ApprovalView;
  deciding: { current: boolean };
  decide: (choice: Choice, label: string, grant: AllowanceTerms | null) => Promise<void>;
  onUnlocked: () => Promise<void>;
}

/**
 * Shows the prompt for a payment, always in this order: site, label, recipients, token, data for the chain, crypto
 * operations, total, fee, attached data, warnings, existing allowance, form for a new allowance, decision. Only
 * recipients, amounts, data and the site's own text come from the page.
 */
export function Payment({ view, decide, deciding, onUnlocked }: PaymentProps) {
  const [grantDraft, setGrantDraft] = useState(() => firstGrant(view));
  const grant: Grant = showsGrant(view) ? grantOf(grantDraft, view) : { kind: 'none' };
  // If the contents change, clicks count only after a pause. Unlocking the wallet in another window doesn't change any
  // amount.
  const guard = useGuard(
    JSON.stringify({
      ...view,
      locked: false,
      balanceSatoshis: '',
      rate: view.rate && [view.rate.price, view.rate.sources],
      allowanceRates: [],
    }),
  );
  const look = requiresReview(view.operations, view.locked);

  const more = useMoreBelow();
  const label = view.totalSatoshis === null ? null : labelOf(view, view.totalSatoshis);
  const possible = view.problem === null && label !== null && grant.kind !== 'incomplete';
  return (
    <div class="approval">
      <Question view={view} title={t.title} asks={t.asks} part={look}>
        <SiteLabel said={view.said} />
        <SiteChoice said={view.said} choice={view.choice} currency={view.currency} />
        <Recipients outputs={view.outputs} satoshis={togetherOf(view)} rate={view.rate} asset={view.asset} />
        {view.asset && <AssetFacts asset={view.asset} />}
        {view.data && <ChainData data={view.data} />}
        {view.operations.length > 0 && (
          <Operations
            operations={view.operations}
            title={operationsTexts.alongPayment}
            withPayment
            locked={view.locked}
          />
        )}
        <div class="approval-read" ref={more.end} />
        <Total view={view} />
        <SiteData said={view.said} />
        {view.hasChangeableId && (
          <p class="small muted" data-part="changeable-id">
            {t.changeableId}
          </p>
        )}
        {view.mayPayTwice && (
          <p class="banner banner-warning" data-part="twice">
            {t.twice}
          </p>
        )}
        <AppDataNote kept={view.appDataKept} />
        {view.receiveAddress !== null && view.network !== 'devnet' && (
          <ShortOfMoney network={view.network} address={view.receiveAddress} satoshis={BigInt(view.balanceSatoshis)} />
        )}
        {view.allowance && (
          <section aria-labelledby="allowance">
            <h2 class="part" id="allowance">
              {allowanceTexts.current}
            </h2>
            <AllowanceLeft allowance={view.allowance} />
            {view.allowance.short && (
              <p class="warn small">
                <WarningIcon size={16} />
                {allowanceTexts.short[view.allowance.short]}
              </p>
            )}
          </section>
        )}
        {showsGrant(view) && <GrantForm view={view} grant={grantDraft} onGrant={setGrantDraft} />}
      </Question>
      <Decision
        title={t.title}
        locked={view.locked}
        mayBlock={view.mayBlock}
        guard={guard}
        deciding={deciding}
        yes={{ action: 'pay', label: payLabel(view, label, grant, look), busy: t.paying, possible }}
        lookFirst={look ? onUnlocked : undefined}
        decide={(choice) => decide(choice, label ?? '', grant.kind === 'terms' ? grant.terms : null)}
      >
        {more.hidden && <MoreBelow onShow={() => more.end.current?.scrollIntoView({ block: 'center' })} />}
        <Problem view={view} />
      </Decision>
    </div>
  );
}

/** Formats the total. If only a token is paid, formats the token amount, because the fee is shown next to it. */
function labelOf(view: ApprovalView, satoshis: string): string {
  const token = assetPaid(view);
  const money = token !== null && !paysMoney(view) ? null : formatMoney(BigInt(satoshis), view.rate);
  return [token, money].filter((part) => part !== null).join(' + ');
}

/** Returns the recipients' total. Amounts that an application contributes with its inputs aren't deducted. */
function togetherOf({ outputs }: ApprovalView): bigint {
  return outputs.reduce((sum, { satoshis }) => sum + BigInt(satoshis), 0n);
}

/** True if the form for an allowance is shown. No allowance covers payments with crypto operations. */
function showsGrant({ allowanceRates, operations }: ApprovalView): boolean {
  return allowanceRates.length > 0 && operations.length === 0;
}

function payLabel(view: ApprovalView, label: string | null, grant: Grant, look: boolean): string {
  if (view.problem !== null || label === null) return t.cannotPay;
  if (grant.kind === 'incomplete') return allowanceTexts.incomplete;
  if (look) return operationsTexts.look;
  const consent = consentOf(view.operations);
  const paying = view.locked ? t.unlockAndPay({ amount: label }) : t.pay({ amount: label });
  const pay = consent === null ? paying : operationsTexts.payAnd[consent]({ pay: paying });
  return grant.kind === 'terms' ? allowanceTexts.payAndAllow({ label: pay, amount: termsInWords(grant.terms) }) : pay;
}
