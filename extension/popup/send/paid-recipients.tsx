import type { Rate, ScriptView, ShownOutput } from '../../../protocol/wallet-messages.ts';
import { Address } from '../../ui/address.tsx';
import { ContactName } from '../../ui/contact-name.tsx';
import { formatAmount, formatMoney, formatSatoshis, visible } from '../../ui/format.ts';
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx';
import { HostAvatar, RecipientHostFacts } from '../../ui/recipient-host.tsx';
import { approvalTexts } from '../../ui/texts-approval.ts';
import { texts } from '../../ui/texts.ts';
import { saidOf, toneOf } from '../../ui/script-tone.ts';

/** The recipients in full, for comparing letter by letter. */
export function PaidRecipients({
  outputs,
  rate,
  label,
}: {
  outputs: readonly ShownOutput[];
  rate: Rate | null;
  label: string;
}) {
  return (
    <ul class="card card-flush list" aria-label={label}>
      {outputs.map((output, i) => (
        <li class="send-recipient" key={i}>
          <div class="row small">
            <span class="muted">
              {outputs.length > 1 && `${i + 1}. `}
              {texts.kinds[output.type]}
            </span>
            <strong class="amount">{formatAmount(output.amount, output.currency)}</strong>
          </div>
          {output.contact && <ContactName name={output.contact.name} />}
          <p class="anywhere" data-part="to">
            {output.type === 'ADDRESS' ? (
              <Address text={output.to} />
            ) : (
              <span class="avatar-line">
                {output.host !== null && <HostAvatar host={output.host} ask />}
                <bdi dir="ltr" class={output.host === null ? 'mono' : 'send-name'}>
                  {visible(output.to)}
                </bdi>
              </span>
            )}
          </p>
          <p class="small muted amount">
            {formatSatoshis(BigInt(output.satoshis))}
            {rate !== null && rate.currency !== output.currency && ` · ${formatMoney(BigInt(output.satoshis), rate)}`}
          </p>
          {output.host !== null && (
            <RecipientHostFacts host={output.host} to={output.to} paymailBefore={output.contact?.paymailBefore} />
          )}
          {output.own && (
            <p>
              <span class="badge badge-accent">
                <CheckIcon size={14} />
                {approvalTexts.own}
              </span>
            </p>
          )}
          {output.scripts.map((script, place) => (
            <ScriptLine key={place} script={script} satoshis={BigInt(output.satoshis)} />
          ))}
        </li>
      ))}
    </ul>
  );
}

/** Who can take the money, as far as it can be read. */
function ScriptLine({ script, satoshis }: { script: ScriptView; satoshis: bigint }) {
  const tone = toneOf(script, satoshis);
  const said = saidOf(script, satoshis);
  return (
    <p class={tone === 'plain' ? 'small' : `banner banner-${tone}`} data-script={script.kind}>
      {tone !== 'plain' && <WarningIcon size={16} />}
      {said === 'keys' ? approvalTexts.scripts.keys(script.needed, script.keys.length) : approvalTexts.scripts[said]}
    </p>
  );
}
