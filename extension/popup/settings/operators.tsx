import { useId } from 'preact/hooks';
import type { OperatorView } from '../../../protocol/messages/wallet-messages.ts';
import { formatTimeOfDay, visible } from '../../ui/amounts/format.ts';
import { settingsTexts } from '../../ui/texts/texts.ts';

const t = settingsTexts.addressesPage;
const DIALECTS = { arc: 'ARC', arcade: 'Arcade' };

/** Lists the network's operators in order of use, with the state of each. */
export function OperatorList({ operators }: { operators: readonly OperatorView[] }) {
  const id = useId();
  return (
    <section class="stack stack-tight" aria-labelledby={id}>
      <h2 class="subheading" id={id}>
        {t.servers}
      </h2>
      <p class="muted small">{t.serversNote}</p>
      <ol class="card card-flush list operators">
        {operators.map((one) => (
          <Operator key={one.url} {...one} />
        ))}
      </ol>
    </section>
  );
}

function Operator({ url, dialect, hasKey, failure }: OperatorView) {
  const key = hasKey ? t.keyKept : dialect !== null && failure?.kind !== 'key' && t.noKey;
  const why = failure && t.failures[failure.kind === 'key' && hasKey ? 'wrongKey' : failure.kind];
  const isLast = failure !== null && failure.until > Date.now();
  return (
    <li class="list-row">
      <span class="list-main">
        <span class="list-title">
          <bdi dir="ltr">{visible(url.replace(/^https:\/\//, ''))}</bdi>
        </span>
        <span class="list-note">{[dialect ? DIALECTS[dialect] : t.notUsed, key].filter(Boolean).join(' · ')}</span>
        {failure && (
          <span class="list-note warn">
            {[why, isLast && t.lastUntil({ time: formatTimeOfDay(failure.until) })].filter(Boolean).join(' ')}
          </span>
        )}
      </span>
    </li>
  );
}
