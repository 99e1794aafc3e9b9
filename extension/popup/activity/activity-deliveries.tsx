import type { ActivityDetails } from '../../../protocol/messages/wallet-messages.ts';
import { visible } from '../../ui/amounts/format.ts';
import { CheckIcon, WarningIcon } from '../../ui/controls/icons.tsx';
import { activityTexts as t } from '../../ui/texts/texts.ts';

/** Shows whether the recipients' hosts have the transaction. If there are several hosts, lists them by name. */
export function Deliveries({ deliveries }: { deliveries: ActivityDetails['deliveries'] }) {
  return (
    <ul class="stack stack-tight">
      {deliveries.map(({ paymail, host, state }, i) => (
        <li key={i} data-delivery={state}>
          {deliveries.length > 1 && (
            <bdi dir="ltr" class="anywhere">
              {visible(paymail)}
            </bdi>
          )}
          <p class={state === 'given-up' ? 'warn' : 'notice'}>
            {state === 'done' && (
              <span class="good">
                <CheckIcon size={16} />
              </span>
            )}
            {state === 'given-up' && <WarningIcon size={16} />}
            <span>{t.deliveries[state]({ host: visible(host) })}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
