import type { Rate, ScriptView, ShownOutput } from '../../../protocol/messages/wallet-messages.ts';
import { Address } from '../../ui/people/address.tsx';
import { ContactName } from '../../ui/people/contact-name.tsx';
import { formatAmount, formatMoney, formatSatoshis, visible } from '../../ui/amounts/format.ts';
import { CheckIcon, WarningIcon } from '../../ui/controls/icons.tsx';
import { KnownNote } from '../../ui/people/known-note.tsx';
import { HostAvatar, RecipientHostFacts } from '../../ui/people/recipient-host.tsx';
import { approvalTexts, texts } from '../../ui/texts/texts.ts';
import { scriptText } from '../../ui/script-text.ts';
import { toneOf } from '../../ui/sites/script-tone.ts';

/** Shows the recipients in full so that users can compare each letter. */
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
          <PaidName output={output} />
          <p class="small muted amount">
            {formatSatoshis(BigInt(output.satoshis))}
            {rate !== null && rate.currency !== output.currency && ` · ${formatMoney(BigInt(output.satoshis), rate)}`}
          </p>
          <PaidFacts output={output} />
        </li>
      ))}
    </ul>
  );
}

export function AssetRecipient({ output }: { output: ShownOutput }) {
  return (
    <div class="card send-recipient" data-part="recipient">
      <p class="small muted">{texts.kinds[output.type]}</p>
      <PaidName output={output} />
      <PaidFacts output={output} />
    </div>
  );
}

function PaidName({ output: { type, to, host, contact } }: { output: ShownOutput }) {
  return (
    <>
      {contact && <ContactName name={contact.name} />}
      <p class="anywhere" data-part="to">
        {type === 'ADDRESS' ? (
          <Address text={to} />
        ) : (
          <span class="avatar-line">
            {host !== null && <HostAvatar host={host} ask />}
            <bdi dir="ltr" class={host === null ? 'mono' : 'send-name'}>
              {visible(to)}
            </bdi>
          </span>
        )}
      </p>
    </>
  );
}

/**
 * Shows the host's data about a recipient, notes about the recipient's scripts, and whether the recipient is this
 * wallet.
 */
function PaidFacts({ output }: { output: ShownOutput }) {
  const { to, host, contact, own, scripts, satoshis } = output;
  return (
    <>
      {host !== null && <RecipientHostFacts host={host} to={to} paymailBefore={contact?.paymailBefore} />}
      <KnownNote output={output} />
      {own && (
        <p>
          <span class="badge badge-accent">
            <CheckIcon size={14} />
            {approvalTexts.own}
          </span>
        </p>
      )}
      {scripts.map((script, place) => (
        <ScriptLine key={place} script={script} satoshis={BigInt(satoshis)} />
      ))}
    </>
  );
}

/** Shows who can spend the money, if the script reveals it. */
function ScriptLine({ script, satoshis }: { script: ScriptView; satoshis: bigint }) {
  const tone = toneOf(script, satoshis);
  return (
    <p class={tone === 'plain' ? 'small' : `banner banner-${tone}`} data-script={script.kind}>
      {tone !== 'plain' && <WarningIcon size={16} />}
      {scriptText(script, satoshis)}
    </p>
  );
}
