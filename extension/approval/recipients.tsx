/** To whom: one row per recipient, its kind in words, its name in full. */
import type { PaymentOutput } from '../../protocol/payment.ts';
import { formatAmount, formatSatoshis, visible } from '../ui/format.ts';
import { WarningIcon } from '../ui/icons.tsx';
import { approvalTexts as t } from '../ui/texts-approval.ts';
import { texts } from '../ui/texts.ts';

/** See above. */
export function Recipients({ outputs }: { outputs: PaymentOutput[] }) {
  return (
    <section aria-labelledby="to">
      <h2 class="part" id="to">{outputs.length === 1 ? t.to : t.recipients(outputs.length)}</h2>
      <ul class="card card-flush list">
        {outputs.map((output, i) => <Recipient key={i} output={output} />)}
      </ul>
    </section>
  );
}

function Recipient({ output }: { output: PaymentOutput }) {
  return (
    <li class="recipient" data-kind={output.type}>
      <div class="row">
        <span class="small muted">{texts.kinds[output.type]}</span>
        <span class="amount recipient-amount">{formatAmount(output.amount, output.currency)}</span>
      </div>
      <div class={`recipient-to anywhere ${output.type === 'PAYMAIL' ? 'recipient-name' : 'mono'}`} tabIndex={output.type === 'SCRIPT' ? 0 : undefined}>
        <bdi dir="ltr">{visible(output.to)}</bdi>
      </div>
      <div class="small muted amount">{formatSatoshis(BigInt(output.satoshis))}</div>
      {output.type === 'SCRIPT' && <p class="warn small"><WarningIcon size={16} />{t.scriptWarning}</p>}
    </li>
  );
}
