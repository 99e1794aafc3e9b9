import { useMemo } from 'preact/hooks';
import type { Overview } from '../../../protocol/messages/wallet-messages.ts';
import { activityTexts as t } from '../../ui/texts/texts.ts';
import { Details } from './activity-details.tsx';
import { PageHead } from '../page-head.tsx';
import type { Store } from '../popup-state.ts';
import './activity.css';

export function PaymentPage({
  id,
  store,
  overview,
  onBack,
}: {
  id: string;
  store: Store;
  overview: Overview;
  onBack: () => void;
}) {
  const activity = store.activity.value;
  // Creates a new object after each change so that the details are read again.
  const item = useMemo(() => ({ id }), [id, activity]);
  return (
    <section class="popup-page payment-page">
      <PageHead title={t.payment} onBack={onBack} />
      <Details item={item} rate={overview.rate} network={overview.network} />
    </section>
  );
}
