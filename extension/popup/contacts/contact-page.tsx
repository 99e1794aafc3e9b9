import { useId, useState } from 'preact/hooks';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { MAX_CONTACT_NAME, MAX_PAYMAIL } from '../../../protocol/payments/limits.ts';
import { recipientKind } from '../../../protocol/payments/recipient.ts';
import type { ContactView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { visible } from '../../ui/amounts/format.ts';
import { LookAlikeNote } from '../../ui/people/look-alike-note.tsx';
import { contactTexts as t, sendTexts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';
import { recipientProblem } from '../send/draft.ts';
import { contactOf } from './use-contacts.ts';

interface ContactPageProps {
  contact: ContactView | null;
  contacts: readonly ContactView[];
  network: Network;
  onSend: (to: string) => void;
  onBack: () => void;
}

/** Lets users pay, edit or remove a contact, or add a new one. */
export function ContactPage({ contact, contacts, network, onSend, onBack }: ContactPageProps) {
  const [name, setName] = useState(contact?.name ?? '');
  const [to, setTo] = useState(contact?.to ?? '');
  const [strict, setStrict] = useState(false);
  const problems = problemsOf(name, to, contact, contacts, network);
  const save = useAction(async () => {
    await call('contacts/save', { id: contact?.id ?? null, to: to.trim(), name: name.trim() });
    onBack();
  });
  return (
    <div class="popup-page contacts arrive">
      <PageHead title={contact === null ? t.add : t.edit} onBack={onBack} />
      {contact !== null && contact.elsewhere === null && (
        <button
          type="button"
          class="button button-primary button-block anywhere"
          data-action="send-to"
          onClick={() => onSend(contact.to)}
        >
          {t.send({ name: visible(contact.name) })}
        </button>
      )}
      {contact?.elsewhere && <p class="banner banner-warning">{t.elsewhere({ host: visible(contact.elsewhere) })}</p>}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          setStrict(true);
          if (problems.name === undefined && problems.to === undefined) void save.run();
        }}
      >
        <Field
          label={t.name}
          value={name}
          most={MAX_CONTACT_NAME}
          problem={strict ? problems.name : undefined}
          hint={t.nameHint}
          onInput={setName}
        />
        <Field
          label={t.to}
          value={to}
          most={MAX_PAYMAIL}
          problem={strict ? problems.to : undefined}
          readOnly={contact !== null && contact.elsewhere !== null}
          onInput={setTo}
        />
        {recipientKind(to.trim()) === 'PAYMAIL' && <LookAlikeNote name={to.trim()} />}
        <ErrorNote error={save.error} />
        <button
          type="submit"
          class={`button button-block ${contact === null ? 'button-primary' : 'button-quiet'}`}
          data-action="save"
          aria-busy={save.busy}
        >
          {save.busy ? t.saving : t.save}
        </button>
      </form>
      {contact !== null && <Remove contact={contact} onRemoved={onBack} />}
    </div>
  );
}

function problemsOf(
  name: string,
  to: string,
  contact: ContactView | null,
  contacts: readonly ContactView[],
  network: Network,
): { name?: string; to?: string } {
  const present = contactOf(to, contacts);
  const wrong =
    recipientProblem(to.trim(), network) ??
    (recipientKind(to.trim()) === 'SCRIPT' ? sendTexts.nobody : undefined) ??
    (present && present.id !== contact?.id ? t.exists({ name: visible(present.name) }) : undefined);
  return { ...(name.trim() === '' && { name: t.missingName }), ...(wrong !== undefined && { to: wrong }) };
}

interface FieldProps {
  label: string;
  value: string;
  most: number;
  problem: string | undefined;
  hint?: string;
  readOnly?: boolean;
  onInput: (value: string) => void;
}

function Field({ label, value, most, problem, hint, readOnly = false, onInput }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <input
        type="text"
        id={id}
        class="input"
        autocomplete="off"
        autocapitalize="off"
        autoCorrect="off"
        spellcheck={false}
        maxLength={most}
        readOnly={readOnly}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-note`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <div id={`${id}-note`}>
        {hint !== undefined && <p class="hint">{hint}</p>}
        <p class="field-error" role="alert">
          {problem}
        </p>
      </div>
    </div>
  );
}

/** Shows the button to remove a contact, which requires a second click. */
function Remove({ contact, onRemoved }: { contact: ContactView; onRemoved: () => void }) {
  const [asked, setAsked] = useState(false);
  const remove = useAction(async () => {
    await call('contacts/remove', { id: contact.id });
    onRemoved();
  });
  if (!asked)
    return (
      <button
        type="button"
        class="button button-quiet button-block danger"
        data-action="remove"
        onClick={() => setAsked(true)}
      >
        {t.remove}
      </button>
    );
  return (
    <div class="stack stack-tight" role="group" aria-label={t.remove}>
      <p>{t.removeSure({ name: visible(contact.name) })}</p>
      <ErrorNote error={remove.error} />
      <div class="cluster">
        <button
          type="button"
          class="button button-danger"
          data-action="remove-yes"
          aria-busy={remove.busy}
          onClick={() => void remove.run()}
        >
          {t.removeYes}
        </button>
        <button type="button" class="button button-quiet" onClick={() => setAsked(false)}>
          {t.cancel}
        </button>
      </div>
    </div>
  );
}
