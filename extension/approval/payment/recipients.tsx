import type { ApprovalView, Rate, ShownOutput } from '../../../protocol/messages/wallet-messages.ts';
import { Address } from '../../ui/people/address.tsx';
import { InlineAmount } from '../../ui/amounts/amount.tsx';
import { tokenAmountText } from '../../ui/amounts/asset-name.ts';
import { ContactName } from '../../ui/people/contact-name.tsx';
import { formatAmount, formatMoney, formatSatoshis, visible } from '../../ui/amounts/format.ts';
import { CheckIcon, WarningIcon } from '../../ui/controls/icons.tsx';
import { KnownNote } from '../../ui/people/known-note.tsx';
import { LookAlikeNote, lookAlikeTone } from '../../ui/people/look-alike-note.tsx';
import { HostAvatar, isKeyOdd, RecipientHostFacts } from '../../ui/people/recipient-host.tsx';
import { approvalTexts as t, texts } from '../../ui/texts/texts.ts';
import { paysMoney } from './asset-facts.tsx';
import { ScriptFacts } from './script-facts.tsx';
import { toneOf, worseOf, type Tone } from '../../ui/sites/script-tone.ts';

/** Lists with at least this many recipients scroll separately. */
const MANY = 5;

/** Lists the positions of recipients that the user must check (at most the first eight). */
function oddText(odd: readonly number[]): string {
  const first = odd.slice(0, 8).join(t.oddSeparator);
  return t.odd({ count: odd.length, numbers: odd.length > 8 ? t.oddMore({ numbers: first }) : first });
}

/** Shows each recipient's kind and full name. Long lists scroll so that the total stays visible. */
export function Recipients({
  outputs,
  satoshis,
  rate,
  asset,
}: {
  outputs: ShownOutput[];
  satoshis: bigint;
  rate: Rate | null;
  asset?: ApprovalView['asset'] | undefined;
}) {
  const many = outputs.length >= MANY;
  const tones = outputs.map(toneOfOutput);
  const tone = worseOf(tones);
  const odd = tones.flatMap((one, i) => (one === 'plain' ? [] : [i + 1]));
  return (
    <section aria-labelledby="to">
      <h2 class="part" id="to">
        {outputs.length === 1 ? t.to : t.recipients({ n: outputs.length })}
      </h2>
      {many && (
        <p class="recipients-sum" data-part="recipients-sum">
          {t.together} {asset && tokenAmountText(asset, asset.units)}
          {asset && paysMoney({ outputs }) && ' + '}
          {(!asset || paysMoney({ outputs })) && <InlineAmount satoshis={satoshis} rate={rate} />}
          <span class="small muted">{t.scrollRecipients}</span>
        </p>
      )}
      {many && tone !== 'plain' && (
        <p class={`banner banner-${tone} recipients-odd`} data-part="odd">
          {oddText(odd)}
        </p>
      )}
      {/* Focusable, because keyboard users must be able to scroll it. */}
      <ul
        class={`card card-flush list ${many ? 'recipients-many' : ''}`}
        aria-labelledby="to"
        tabIndex={many ? 0 : undefined}
      >
        {outputs.map((output, i) => (
          <Recipient key={i} output={output} number={many ? i + 1 : null} rate={rate} asset={asset} />
        ))}
      </ul>
    </section>
  );
}

/** Returns the severity of a recipient's row, based on its scripts, its name and the wallet's records. */
function toneOfOutput({ scripts, satoshis, host, type, to, contact, resembles }: ShownOutput): Tone {
  const name = host?.paymail ?? (type === 'PAYMAIL' ? to : null);
  const ofName = name === null ? null : lookAlikeTone(name);
  return worseOf([
    ...scripts.map((script) => toneOf(script, BigInt(satoshis))),
    ofName ?? 'plain',
    host && (isKeyOdd(host) || host.hostBefore !== undefined) ? 'warning' : 'plain',
    contact?.paymailBefore === undefined && resembles === undefined ? 'plain' : 'warning',
  ]);
}

function Recipient({
  output,
  number,
  rate,
  asset,
}: {
  output: ShownOutput;
  number: number | null;
  rate: Rate | null;
  asset: ApprovalView['asset'] | undefined;
}) {
  const satoshis = BigInt(output.satoshis);
  return (
    <li class="recipient" data-kind={output.type}>
      <div class="row">
        <span class="small muted">
          {number !== null && `${number}. `}
          {texts.kinds[output.type]}
        </span>
        <span class={`amount recipient-amount ${output.token ? 'token-amount' : ''}`}>
          {asset && output.token
            ? tokenAmountText(asset, output.token.units)
            : formatAmount(output.amount, output.currency)}
        </span>
      </div>
      {output.contact && <ContactName name={output.contact.name} />}
      {/* For a script, the wallet shows its own interpretation instead of the page's text. */}
      {output.type !== 'SCRIPT' && (
        <div class={`recipient-to anywhere avatar-line ${output.type === 'PAYMAIL' ? 'recipient-name' : 'mono'}`}>
          {/* Doesn't download a picture, because the page chose the recipient. */}
          {output.host && <HostAvatar host={output.host} ask={false} />}
          {output.type === 'ADDRESS' ? <Address text={output.to} /> : <bdi dir="ltr">{visible(output.to)}</bdi>}
        </div>
      )}
      {!output.token && (
        <div class="small muted amount">
          {formatSatoshis(satoshis)}
          {rate !== null && rate.currency !== output.currency && ` · ${formatMoney(satoshis, rate)}`}
        </div>
      )}
      {output.host ? (
        <RecipientHostFacts host={output.host} to={output.to} paymailBefore={output.contact?.paymailBefore} />
      ) : (
        output.type === 'PAYMAIL' && <LookAlikeNote name={output.to} />
      )}
      <KnownNote output={output} />
      {output.own && (
        <p class="badge badge-accent" data-part="own">
          <CheckIcon size={14} />
          {t.own}
        </p>
      )}
      {output.type !== 'SCRIPT' && output.scripts.length > 0 && (
        <p class="warn small">
          <WarningIcon size={16} />
          {t.notAnAddress}
        </p>
      )}
      {output.scripts.map((script, i) => (
        <ScriptFacts key={i} script={script} satoshis={satoshis} />
      ))}
    </li>
  );
}
