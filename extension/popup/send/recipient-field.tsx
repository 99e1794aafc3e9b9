/** Shows the recipient field and the host's response. The recipient can be typed, pasted, scanned or selected. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RecipientHost } from '../../../protocol/messages/wallet-messages.ts';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { recipientKind } from '../../../protocol/payments/recipient.ts';
import { ContactName } from '../../ui/people/contact-name.tsx';
import { ScanIcon } from '../../ui/controls/icons.tsx';
import { LookAlikeNote } from '../../ui/people/look-alike-note.tsx';
import { scanTexts, sendTexts as t } from '../../ui/texts/texts.ts';
import { SaveContact } from '../contacts/save-contact.tsx';
import type { RequestedHost } from './asked-host.ts';
import { HostLine } from './host-line.tsx';
import type { Person } from './people.ts';
import { PeopleList } from './people-list.tsx';
import { imageIn } from './scan/read-image.ts';
import { ScanOutcome, ScanPanel } from './scan/scan-panel.tsx';
import { useScan } from './scan/use-scan.ts';

export interface RecipientFieldProps {
  to: string;
  /** The problem with the input, shown after the field has lost focus or if `strict`. */
  problem: string | undefined;
  network: Network;
  /** True if the page was opened to scan a code. */
  scan: boolean;
  /** True for a newly added field, which then gets focus. */
  focus: boolean;
  /** True if the form was submitted, in which case every error is shown. */
  strict: boolean;
  asked: RequestedHost | null;
  asking: boolean;
  found: RecipientHost | null;
  onAgain: (() => void) | null;
  contact: string | null;
  people: readonly Person[];
  onContacts: (() => void) | null;
  onTo: (text: string) => void;
}

export function RecipientField(props: RecipientFieldProps) {
  const { to, problem, strict } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (props.focus) input.current?.focus();
  }, []);
  const [left, setLeft] = useState(false);
  const wrong = strict || left ? problem : undefined;
  const [scanning, setScanning] = useState(props.scan);
  const scan = useScan(props.network, (text) => {
    setScanning(false);
    setLeft(true);
    props.onTo(text);
  });
  const takeImage = (event: Event, transfer: DataTransfer | null) => {
    const image = imageIn(transfer);
    if (image === null) return;
    event.preventDefault();
    scan.read(image);
  };
  const isSaveable =
    props.contact === null && problem === undefined && (props.found !== null || recipientKind(to.trim()) === 'ADDRESS');
  return (
    <div
      class="field"
      onPaste={(event) => takeImage(event, event.clipboardData)}
      onDrop={(event) => takeImage(event, event.dataTransfer)}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); // Lets the browser accept a drop.
      }}
    >
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
        type="text"
        autocomplete="off"
        autocapitalize="off"
        autoCorrect="off"
        spellcheck={false}
        ref={input}
        id={`${id}-to`}
        class="input send-to"
        value={to}
        maxLength={20_000}
        placeholder={t.toHint}
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-to-note`}
        onInput={(event) => {
          scan.forget();
          props.onTo(event.currentTarget.value);
        }}
        onBlur={(event) => {
          if (event.currentTarget.value !== '') setLeft(true);
        }}
        onPaste={() => setLeft(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          const [person] =
            event.currentTarget.closest('.field')?.querySelectorAll<HTMLElement>('.send-people .list-row') ?? [];
          if (person === undefined) return;
          event.preventDefault();
          person.focus();
        }}
      />
      <p class="field-error" role="alert" id={`${id}-to-note`}>
        {wrong}
      </p>
      <ScanOutcome state={scan.state} />
      {props.contact !== null && <ContactName name={props.contact} />}
      {props.people.length > 0 && (
        <PeopleList
          people={props.people}
          onContacts={to === '' ? props.onContacts : null}
          onPick={(to) => {
            scan.forget();
            props.onTo(to);
            input.current?.focus();
          }}
        />
      )}
      {props.asked !== null && (wrong === undefined || props.onAgain !== null) && (
        <HostLine
          asked={props.asked}
          asking={props.asking}
          found={props.found}
          onAgain={wrong === undefined ? null : props.onAgain}
        />
      )}
      {props.asked?.kind === 'PAYMAIL' && <LookAlikeNote name={to.trim()} />}
      {isSaveable && <SaveContact key={to.trim()} to={to.trim()} />}
    </div>
  );
}
