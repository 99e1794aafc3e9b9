import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RecipientHost } from '../../../protocol/wallet-messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { shorten, visible } from '../../ui/format.ts';
import { CrossIcon } from '../../ui/icons.tsx';
import { LookAlikeNote } from '../../ui/look-alike-note.tsx';
import { sendTexts as t } from '../../ui/texts-send.ts';
import type { AskedHost } from './asked-host.ts';
import type { DraftRow, RowProblems } from './draft.ts';
import { HostLine } from './host-line.tsx';

interface RecipientRowProps {
  row: DraftRow;
  /** Its place, counted from 1, where there are several. */
  number: number | null;
  currency: string;
  /** What it can be changed to; only the first row offers it, for all. */
  currencies: readonly string[] | null;
  problems: RowProblems;
  /** It was added just now: it is what the user wants to fill in. */
  focus: boolean;
  /** The form was submitted: show every error. */
  strict: boolean;
  /** The host that is queried for where to pay, the state of that query, and the answer. */
  asked: AskedHost | null;
  asking: boolean;
  found: RecipientHost | null;
  onAgain: (() => void) | null;
  /** What it gets, as worked out: decimal text, and in words. */
  gets: { amount: string; words: string } | null;
  /** Whom the user has sent to lately: offered while nothing is typed. */
  recents: readonly string[];
  onTo: (text: string) => void;
  onAmount: (text: string) => void;
  onEverything: (everything: boolean) => void;
  onCurrency: (currency: string) => void;
  onRemove: () => void;
}

/** One recipient of the form: name, amount, and what is wrong with either once the field has lost the focus. */
export function RecipientRow(props: RecipientRowProps) {
  const { row, number, currency, currencies, problems, strict, gets } = props;
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (props.focus) first.current?.focus();
  }, []);
  const [left, setLeft] = useState({ to: false, amount: false });
  const wrong = {
    to: strict || left.to ? problems.to : undefined,
    amount: strict || left.amount ? problems.amount : undefined,
  };
  const leave = (name: 'to' | 'amount') => () => setLeft((now) => ({ ...now, [name]: true }));
  const plain = { autocomplete: 'off', autocapitalize: 'off', autoCorrect: 'off', spellcheck: false } as const;
  return (
    <fieldset class="send-row" data-part="recipient">
      <legend class={number === null ? 'visually-hidden' : 'row send-row-head'}>
        <span class="small muted">{t.recipient(number ?? 1)}</span>
      </legend>
      {number !== null && (
        <button
          type="button"
          class="icon-button send-row-remove"
          aria-label={t.removeLabel(number)}
          title={t.remove}
          onClick={props.onRemove}
        >
          <CrossIcon size={16} />
        </button>
      )}
      <div class="field">
        <label class="label" for={`${id}-to`}>
          {t.to}
        </label>
        <input
          {...plain}
          ref={first}
          id={`${id}-to`}
          class="input send-to"
          value={row.to}
          maxLength={20_000}
          placeholder={t.toHint}
          aria-invalid={wrong.to !== undefined}
          aria-describedby={`${id}-to-note`}
          onInput={(event) => props.onTo(event.currentTarget.value)}
          onBlur={(event) => {
            if (event.currentTarget.value !== '') leave('to')();
          }}
          onPaste={leave('to')}
        />
        <p class="field-error" role="alert" id={`${id}-to-note`}>
          {wrong.to}
        </p>
        {row.to === '' && props.recents.length > 0 && (
          <div class="cluster send-recents" role="group" aria-label={t.recents}>
            <span class="small muted" aria-hidden="true">
              {t.recents}
            </span>
            {props.recents.map((to) => (
              <button
                key={to}
                type="button"
                class="button button-quiet button-small anywhere"
                data-action="recent"
                title={visible(to)}
                onClick={() => {
                  props.onTo(to);
                  first.current?.focus();
                }}
              >
                {to.includes('@') && <Avatar name={to} paymail={to} ask small />}
                <bdi>{to.includes('@') || to.length < 20 ? visible(to) : shorten(visible(to))}</bdi>
              </button>
            ))}
          </div>
        )}
        {props.asked !== null && (wrong.to === undefined || props.onAgain !== null) && (
          <HostLine
            asked={props.asked}
            asking={props.asking}
            found={props.found}
            onAgain={wrong.to === undefined ? null : props.onAgain}
          />
        )}
        {props.asked?.kind === 'PAYMAIL' && <LookAlikeNote name={row.to.trim()} />}
      </div>
      <div class="allowance-line">
        <div class="field grow">
          <label class="label" for={`${id}-amount`}>
            {currencies === null ? t.amountIn(currency) : t.amount}
          </label>
          <div class="input-group">
            <input
              {...plain}
              id={`${id}-amount`}
              class="input send-amount"
              inputMode="decimal"
              maxLength={30}
              aria-invalid={wrong.amount !== undefined}
              aria-describedby={`${id}-amount-note`}
              value={row.everything ? (gets?.amount ?? '') : row.amount}
              placeholder={row.everything ? t.allThatIsLeft : '0'}
              onInput={(event) => props.onAmount(event.currentTarget.value)}
              onBlur={(event) => {
                if (event.currentTarget.value !== '') leave('amount')();
              }}
            />
            <button
              type="button"
              class="button button-small send-max"
              aria-pressed={row.everything}
              aria-label={`${t.everything}: ${t.everythingLabel}`}
              title={t.everythingLabel}
              onClick={() => props.onEverything(!row.everything)}
            >
              {t.everything}
            </button>
          </div>
        </div>
        {currencies !== null && currencies.length > 1 && (
          <div class="field send-currency">
            <label class="label" for={`${id}-currency`}>
              {t.currency}
            </label>
            <select
              id={`${id}-currency`}
              class="select"
              value={currency}
              onChange={(event) => props.onCurrency(event.currentTarget.value)}
            >
              {currencies.map((code) => (
                <option key={code} value={code} selected={code === currency}>
                  {code}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      <div class="send-note" id={`${id}-amount-note`}>
        {gets !== null && wrong.amount === undefined && (
          <p class="hint amount" data-part="gets">
            {gets.words}
          </p>
        )}
        <p class="field-error" role="alert">
          {wrong.amount}
        </p>
      </div>
    </fieldset>
  );
}
