import type { ActivityItem, OperationNote } from '../../../protocol/messages/wallet-messages.ts';
import { formatAge, formatTime, visible } from '../../ui/amounts/format.ts';
import { ChevronIcon, KeyIcon } from '../../ui/controls/icons.tsx';
import { hostOf } from '../../ui/sites/origin.ts';
import { activityTexts as t } from '../../ui/texts/texts.ts';
import { Operations } from './activity-operations.tsx';
import { Fact } from '../fact.tsx';

/** Shows a site's signatures, encryptions or decryptions without a payment, in a row that expands to details. */
export function OperationsRow({
  item: { id, origin, clientIdentifier, time },
  operations,
  now,
}: {
  item: ActivityItem;
  operations: readonly OperationNote[];
  now: number;
}) {
  const name = origin === null ? '' : hostOf(visible(origin));
  const done = [...new Set(operations.map(({ method }) => t.did[method]))].join(' · ');
  return (
    <li>
      <details class="activity" data-id={id}>
        <summary class="list-row">
          <span class="activity-sign">
            <KeyIcon size={18} />
          </span>
          <span class="list-main">
            <span class="list-title" title={name}>
              <bdi>{name}</bdi>
            </span>
            <span class="list-note activity-note">{done}</span>
          </span>
          <span class="list-aside">
            <time class="list-note" dateTime={new Date(time).toISOString()}>
              {formatAge(time, now)}
            </time>
          </span>
          <span class="activity-chevron">
            <ChevronIcon size={16} />
          </span>
        </summary>
        <div class="activity-details">
          <dl class="facts small">
            <Fact name={t.site}>{origin !== null && <bdi>{visible(origin)}</bdi>}</Fact>
            <Fact name={t.when}>{formatTime(time)}</Fact>
            <Fact name={t.client}>{clientIdentifier && t.clientNote({ name: visible(clientIdentifier) })}</Fact>
            <Fact name={t.operations}>
              <Operations operations={operations} />
            </Fact>
          </dl>
        </div>
      </details>
    </li>
  );
}
