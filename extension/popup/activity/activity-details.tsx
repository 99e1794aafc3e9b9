import { useEffect, useState } from 'preact/hooks';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import type { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { ActivityDetails, ActivityItem, Rate } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { texts } from '../../ui/texts/texts.ts';
import { asServiceError } from '../../ui/window/use-action.ts';
import { Facts } from './activity-facts.tsx';

/** Shows all details of a payment or receipt. Reads them when the row is expanded, and whenever the row changes. */
export function Details({
  item,
  rate,
  network,
}: {
  item: Pick<ActivityItem, 'id'>;
  rate: Rate | null;
  network: Network;
}) {
  const [details, setDetails] = useState<ActivityDetails | null>(null);
  const [error, setError] = useState<ServiceError | null>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    let current = true;
    call('activity/read', { id: item.id }).then(
      (read) => {
        if (!current) return;
        setDetails(read);
        setError(null);
      },
      (cause: unknown) => current && setError(asServiceError(cause)),
    );
    return () => void (current = false);
  }, [item, looks]);
  return (
    <div class="activity-details">
      <ErrorNote error={error} kind="warning" />
      {details === null ? (
        error === null && <span class="spinner" role="status" aria-label={texts.loading} />
      ) : (
        <Facts details={details} rate={rate} network={network} onChanged={() => setLooks(looks + 1)} />
      )}
    </div>
  );
}
