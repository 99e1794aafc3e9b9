import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PaymentStatus } from '../../../protocol/payments/payment.ts';
import type { ActivityFilter } from '../../../protocol/messages/wallet-messages.ts';
import { CrossIcon } from '../../ui/controls/icons.tsx';
import { activityTexts as t, texts } from '../../ui/texts/texts.ts';

/** Delay between typing and searching (milliseconds), to avoid a search for every letter. */
const TYPING_MS = 200;

/** The form's values. Days have the date fields' format, `2026-11-21`, in the user's time zone. */
interface Form {
  search: string;
  direction: '' | 'sent' | 'received';
  status: '' | PaymentStatus;
  from: string;
  until: string;
}

const EMPTY: Form = { search: '', direction: '', status: '', from: '', until: '' };

/** Converts the form to a filter. Returns null if the form is empty. `until` is inclusive. */
function filterOf({ search, direction, status, from, until }: Form): ActivityFilter | null {
  const filter: ActivityFilter = {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(direction !== '' && { direction }),
    ...(status !== '' && { status }),
    ...(from !== '' && { from: dayStart(from, 0) }),
    ...(until !== '' && { to: dayStart(until, 1) }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

function dayStart(day: string, after: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return Math.max(0, new Date(year, month - 1, date + after).getTime());
}

/** Searches and filters the activity. Escape resets and closes the form, then calls `onClose`. */
export function ActivitySearch({
  onFilter,
  onClose,
}: {
  onFilter: (filter: ActivityFilter | null) => void;
  onClose: () => void;
}) {
  const [form, setForm] = useState(EMPTY);
  const field = useRef<HTMLInputElement>(null);
  const untouched = useRef(true);
  const set = (change: Partial<Form>) => {
    untouched.current = false;
    setForm({ ...form, ...change });
  };
  const { search, ...picked } = form;
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (untouched.current) return undefined;
    const timer = setTimeout(() => onFilter(filterOf(form)), TYPING_MS);
    return () => clearTimeout(timer);
  }, [search, ...Object.values(picked)]);
  return (
    <search
      id="activity-search"
      aria-label={t.searchLabel}
      class="activity-search"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault(); // Otherwise, Escape would close the whole popup.
        onClose();
      }}
    >
      <div class="input-group">
        <input
          ref={field}
          class="input"
          type="search"
          enterkeyhint="search"
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          aria-label={t.searchLabel}
          placeholder={t.searchHint}
          value={search}
          onInput={(event) => set({ search: event.currentTarget.value })}
          onKeyDown={({ key }) => key === 'Enter' && onFilter(filterOf(form))}
        />
        <button type="button" class="icon-button" aria-label={t.closeSearch} title={t.closeSearch} onClick={onClose}>
          <CrossIcon size={18} />
        </button>
      </div>
      <div class="activity-filters">
        <select
          class="select"
          aria-label={t.direction}
          value={form.direction}
          onChange={(event) => set({ direction: event.currentTarget.value as Form['direction'] })}
        >
          <option value="">{t.directions.all}</option>
          <option value="sent">{t.directions.sent}</option>
          <option value="received">{t.directions.received}</option>
        </select>
        <select
          class="select"
          aria-label={t.state}
          value={form.status}
          onChange={(event) => set({ status: event.currentTarget.value as Form['status'] })}
        >
          <option value="">{t.anyState}</option>
          {Object.entries(texts.statuses).map(([status, name]) => (
            <option key={status} value={status}>
              {name}
            </option>
          ))}
        </select>
        <Day label={t.from} value={form.from} onDay={(from) => set({ from })} />
        <Day label={t.until} value={form.until} onDay={(until) => set({ until })} />
      </div>
    </search>
  );
}

function Day({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <label class="field">
      <span class="hint">{label}</span>
      <input class="input" type="date" value={value} onInput={(event) => onDay(event.currentTarget.value)} />
    </label>
  );
}
