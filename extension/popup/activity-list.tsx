/** What happened, newest first. */
import { useEffect, useState } from 'preact/hooks';
import type { Rate } from '../../protocol/wallet-messages.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { texts } from '../ui/texts.ts';
import { useAction } from '../ui/use-action.ts';
import { ActivityRow } from './activity-row.tsx';
import type { Store } from './store.ts';

/** See above. */
export function ActivityList({ store, rate }: { store: Store; rate: Rate | null }) {
  const more = useAction(store.readMore);
  const now = useMinutes();
  const activity = store.activity.value;
  if (activity === null) return null;
  return (
    <section aria-labelledby="activity">
      <h2 class="subheading section-head" id="activity">{texts.popup.activity}</h2>
      {activity.items.length === 0 ? <p class="empty">{texts.popup.noActivity}</p> : (
        <ul class="list">{activity.items.map((item) => <ActivityRow key={item.id} item={item} rate={rate} now={now} />)}</ul>
      )}
      <ErrorNote error={more.error} kind="warning" />
      {activity.more && <div class="popup-actions"><button type="button" class="button button-quiet button-block" aria-busy={more.busy} onClick={() => more.run()}>{texts.popup.more}</button></div>}
    </section>
  );
}

/** The time, in milliseconds since 1970, new every half minute: "2 minutes ago" must not stand still. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(now, Date.now());
}
