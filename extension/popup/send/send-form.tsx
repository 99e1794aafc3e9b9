import { useId, useRef, useState } from 'preact/hooks';
import type { Overview, RecipientHost, SendQuote } from '../../../protocol/messages/wallet-messages.ts';
import { MAX_NOTE_LENGTH, MAX_OUTPUTS } from '../../../protocol/payments/limits.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatAmount, formatMoney, formatSatoshis } from '../../ui/amounts/format.ts';
import { RateAge } from '../../ui/amounts/rate-age.tsx';
import { useShortcut } from '../../ui/window/shortcuts.ts';
import { approvalTexts, sendTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { contactOf } from '../contacts/use-contacts.ts';
import { PageHead } from '../page-head.tsx';
import { requestedHost, mayChange } from './asked-host.ts';
import { Cost } from './cost.tsx';
import {
  emptyRow,
  inCurrency,
  problemsOf,
  recipientsOf,
  withEverything,
  withRecipient,
  type Draft,
  type DraftRow,
} from './draft.ts';
import { peopleFor } from './people.ts';
import { RecipientRow } from './recipient-row.tsx';
import { SCAN_HASH } from './scan/scan-panel.tsx';
import { useErrorInSight } from './use-error-in-sight.ts';
import { usePeople } from './use-people.ts';
import { useQuote } from './use-quote.ts';

/** Delay after typing before a recipient's host is queried (milliseconds). */
const HOST_PAUSE_MS = 600;

interface SendFormProps {
  overview: Overview;
  /** Origin of the service that resolves user IDs. */
  serviceUrl: string;
  draft: Draft;
  currencies: readonly string[];
  onDraft: (draft: Draft) => void;
  onContacts: () => void;
  /** Called when the form is complete, with the quote to review. */
  onReview: (quote: SendQuote) => void;
  onBack: () => void;
}

/** Shows the send form: recipients, amounts, and the cost, which is updated as the user types. */
export function SendForm(props: SendFormProps) {
  const { overview, serviceUrl, draft, currencies, onDraft, onContacts, onReview, onBack } = props;
  const { network, rate } = overview;
  const id = useId();
  const add = useRef<HTMLButtonElement>(null);
  const [strict, setStrict] = useState(false);
  const [added, setAdded] = useState<number | null>(null);
  const { contacts, recents } = usePeople();
  const recipients = recipientsOf(draft);
  const [askedAgain, setAskedAgain] = useState(0);
  const asked = draft.rows.map(({ to }) => requestedHost(to, serviceUrl));
  const live = useQuote(
    recipients,
    (wanted) => call('send/quote', { recipients: wanted }),
    `${overview.satoshis} ${rate?.price} ${rate?.time} ${askedAgain}`,
    asked.some((one) => one !== null) ? HOST_PAUSE_MS : 0,
  );
  const { quote, error } = live;
  const codes = draft.rows.map((_, i) => (live.current ? quote?.badRecipients[i] : undefined));
  const problems = draft.rows.map((row, i) => problemsOf(row, network, codes[i], asked[i] ?? null));
  // Hosts from earlier quotes, because a quote that fails for one row contains no data about the other rows.
  const found = useRef(new Map<string, RecipientHost>());
  for (const { to, host } of quote?.outputs ?? []) if (host !== null) found.current.set(to, host);
  const inOrder = problems.every(({ to, amount }) => to === undefined && amount === undefined);
  const sight = useErrorInSight();
  const review = useAction(async () => {
    if (recipients === null) return;
    const fresh = await call('send/quote', { recipients });
    if (fresh.feeSatoshis !== null) onReview(fresh);
    else setAskedAgain(askedAgain + 1); // The recipient field shows the error.
  });
  useShortcut('confirm', () => sight.form.current?.requestSubmit());
  const others = (row: DraftRow) => draft.rows.filter(({ key }) => key !== row.key);
  const changeRow = (key: number, part: Partial<DraftRow>) =>
    onDraft({ ...draft, rows: draft.rows.map((row) => (row.key === key ? { ...row, ...part } : row)) });
  const short = quote?.problem?.code === 'insufficient-funds' && (quote.awaitsChange || quote.satoshis !== '0');
  const have = quote ? bothOf(BigInt(quote.balanceSatoshis), quote) : '';
  return (
    <form
      ref={sight.form}
      onInput={sight.forget}
      class="popup-page send arrive"
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        setStrict(true);
        sight.show();
        if (inOrder) void review.run();
      }}
    >
      <div id={id}>
        <PageHead title={t.title} onBack={onBack} />
      </div>
      {draft.rows.map((row, i) => {
        const output = quote?.outputs[i];
        return (
          <RecipientRow
            key={row.key}
            row={row}
            number={draft.rows.length > 1 ? i + 1 : null}
            currency={draft.currency}
            currencies={i === 0 ? currencies : null}
            problems={problems[i] ?? {}}
            network={network}
            scan={i === 0 && location.hash === SCAN_HASH}
            strict={strict}
            focus={row.key === added}
            contact={contactOf(row.to, contacts)?.name ?? null}
            people={peopleFor(row.to, contacts, recents).filter(({ to }) =>
              others(row).every((one) => one.to.trim() !== to),
            )}
            onContacts={contacts.length > 0 ? onContacts : null}
            asked={asked[i] ?? null}
            asking={recipients !== null && !live.current}
            found={codes[i] === undefined ? (found.current.get(row.to.trim()) ?? null) : null}
            onAgain={mayChange(codes[i]) ? () => setAskedAgain(askedAgain + 1) : null}
            gets={
              output === undefined || quote === null || !live.current
                ? null
                : { amount: output.amount, words: inWords(output, quote) }
            }
            onTo={(text) => onDraft(withRecipient(draft, row.key, text, rate))}
            onAmount={(amount) => changeRow(row.key, { amount, everything: false })}
            onEverything={(everything) => onDraft(withEverything(draft, row.key, everything))}
            onCurrency={(currency) => onDraft(inCurrency(draft, currency, rate))}
            onRemove={() => {
              onDraft({ ...draft, rows: draft.rows.filter(({ key }) => key !== row.key) });
              add.current?.focus();
            }}
          />
        );
      })}
      <div>
        <button
          type="button"
          class="button button-quiet button-small"
          ref={add}
          disabled={draft.rows.length >= MAX_OUTPUTS}
          onClick={() => {
            const key = 1 + Math.max(...draft.rows.map((row) => row.key));
            setAdded(key);
            onDraft({ ...draft, rows: [...draft.rows, emptyRow(key)] });
          }}
        >
          {t.add}
        </button>
      </div>
      <div class="field">
        <label class="label" for={`${id}-note`}>
          {t.noteOptional}
        </label>
        <input
          type="text"
          id={`${id}-note`}
          class="input send-note"
          autocomplete="off"
          maxLength={MAX_NOTE_LENGTH}
          aria-describedby={`${id}-note-hint`}
          value={draft.note}
          onInput={(event) => onDraft({ ...draft, note: event.currentTarget.value })}
        />
        <p class="hint" id={`${id}-note-hint`}>
          {t.noteHint}
        </p>
      </div>
      <div class="send-live" role="status" aria-busy={!live.current}>
        {quote && <Cost quote={quote} busy={!live.current} />}
      </div>
      <ErrorNote error={quote?.problem ?? error}>
        {short && (
          <p class="small">
            {quote.awaitsChange
              ? approvalTexts.awaitsChange({ have })
              : t.short({ need: bothOf(BigInt(quote.satoshis), quote), have })}
          </p>
        )}
      </ErrorNote>
      <ErrorNote error={review.error} />
      <RateAge rate={rate} problem={overview.rateProblem} />
      <div class="send-actions">
        <button type="submit" class="button button-primary" data-action="review" aria-busy={review.busy}>
          {review.busy ? t.reviewing : t.review}
        </button>
      </div>
    </form>
  );
}

/** Formats the amount in the user's currency (as typed if it was typed in this currency), followed by the satoshis. */
function inWords({ satoshis, amount, currency }: SendQuote['outputs'][number], { rate }: SendQuote): string {
  const own =
    rate !== null && rate.currency !== currency ? formatMoney(BigInt(satoshis), rate) : formatAmount(amount, currency);
  return `${own} (${formatSatoshis(BigInt(satoshis))})`;
}

function bothOf(satoshis: bigint, { rate }: SendQuote): string {
  return `${formatMoney(satoshis, rate)} (${formatSatoshis(satoshis)})`;
}
