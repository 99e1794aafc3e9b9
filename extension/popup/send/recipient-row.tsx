import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RecipientHost } from '../../../protocol/wallet-messages.ts';
import type { Network } from '../../../protocol/address.ts';
import { recipientKind } from '../../../protocol/recipient.ts';
import { ContactName } from '../../ui/contact-name.tsx';
import { CrossIcon, ScanIcon } from '../../ui/icons.tsx';
import { LookAlikeNote } from '../../ui/look-alike-note.tsx';
import { scanTexts } from '../../ui/texts-scan.ts';
import { sendTexts as t } from '../../ui/texts-send.ts';
import { SaveContact } from '../contacts/save-contact.tsx';
import type { AskedHost } from './asked-host.ts';
import type { DraftRow, RowProblems } from './draft.ts';
import { HostLine } from './host-line.tsx';
import type { Person } from './people.ts';
import { PeopleList } from './people-list.tsx';
import { imageIn } from './scan/read-image.ts';
import { ScanOutcome, ScanPanel } from './scan/scan-panel.tsx';
import { useScan } from './scan/use-scan.ts';

interface RecipientRowProps {
  row: DraftRow;
  /** Its place, counted from 1, where there are several. */
  number: number | null;
  currency: string;
  /** What it can be changed to; only the first row offers it, for all. */
  currencies: readonly string[] | null;
  problems: RowProblems;
  network: Network;
  /** The page was opened for reading a code. */
  scan: boolean;
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
  /** The user's own name for it, where it is a contact. */
  contact: string | null;
  /** Contacts and recent recipients to pick from. */
  people: readonly Person[];
  onContacts: (() => void) | null;
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
  const [scanning, setScanning] = useState(props.scan);
  const scan = useScan(props.network, (text) => {
    setScanning(false);
    leave('to')();
    props.onTo(text);
  });
  const takeImage = (event: Event, transfer: DataTransfer | null) => {
    const image = imageIn(transfer);
    if (image === null) return;
    event.preventDefault();
    scan.read(image);
  };
  const isSaveable =
    props.contact === null &&
    problems.to === undefined &&
    (props.found !== null || recipientKind(row.to.trim()) === 'ADDRESS');
  const plain = { autocomplete: 'off', autocapitalize: 'off', autoCorrect: 'off', spellcheck: false } as const;
  return (
    <fieldset
      class="send-row"
      data-part="recipient"
      onPaste={(event) => takeImage(event, event.clipboardData)}
      onDrop={(event) => takeImage(event, event.dataTransfer)}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); // else nothing can be dropped
      }}
    >
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
        <div class="row">
          <label class="label" for={`${id}-to`}>
            {t.to}
          </label>
          <button
            type="button"
            class="link small send-scan"
            data-action="scan"
            aria-expanded={scanning}
            onClick={() => setScanning(!scanning)}
          >
            <ScanIcon size={16} />
            {scanTexts.scan}
          </button>
        </div>
        {scanning && <ScanPanel scan={scan} />}
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
          onInput={(event) => {
            scan.forget();
            props.onTo(event.currentTarget.value);
          }}
          onBlur={(event) => {
            if (event.currentTarget.value !== '') leave('to')();
          }}
          onPaste={leave('to')}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            const [person] =
              event.currentTarget.closest('fieldset')?.querySelectorAll<HTMLElement>('.send-people .list-row') ?? [];
            if (person === undefined) return;
            event.preventDefault();
            person.focus();
          }}
        />
        <p class="field-error" role="alert" id={`${id}-to-note`}>
          {wrong.to}
        </p>
        <ScanOutcome state={scan.state} />
        {props.contact !== null && <ContactName name={props.contact} />}
        {props.people.length > 0 && (
          <PeopleList
            people={props.people}
            onContacts={row.to === '' ? props.onContacts : null}
            onPick={(to) => {
              scan.forget();
              props.onTo(to);
              first.current?.focus();
            }}
          />
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
        {isSaveable && <SaveContact key={row.to.trim()} to={row.to.trim()} />}
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
