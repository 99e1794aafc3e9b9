/**
 * Lets users choose the account's service: this build's default, another service, or none. Used by the onboarding and
 * settings pages.
 */
import { Fragment, type ComponentChild } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../window/call.ts';
import { ErrorNote } from './error-note.tsx';
import { serviceTexts as t } from '../texts/texts.ts';
import { useAction } from '../window/use-action.ts';

type ServiceOption = 'built-in' | 'other' | 'none';

interface ServiceChoiceProps {
  settings: Settings;
  onChosen: (settings: Settings) => void | Promise<void>;
  /** True if users without an account must also confirm that they want none. */
  confirmsNone?: boolean;
  /** Describes the effects of a different choice, or (`none`) of having no account. */
  changes?: (none: boolean) => ComponentChild;
  /** Shown while the selected service is the wallet's current one. */
  children: ComponentChild;
}

/** Shows the choice and its consequences. Nothing is stored until the service has responded. */
export function ServiceChoice(props: ServiceChoiceProps) {
  const builtIn = useBuiltIn(props.settings);
  return builtIn === null ? null : <Choice {...props} builtIn={builtIn} />;
}

function Choice({
  settings,
  builtIn,
  onChosen,
  confirmsNone = false,
  changes,
  children,
}: ServiceChoiceProps & { builtIn: string }) {
  const name = useId();
  const saved: ServiceOption = settings.noAccount ? 'none' : settings.serviceUrl === builtIn ? 'built-in' : 'other';
  const [place, setPlace] = useState(saved);
  const [address, setAddress] = useState(settings.serviceUrl === builtIn ? '' : settings.serviceUrl);
  const isSame = place === saved && (place !== 'other' || address.trim() === settings.serviceUrl);
  const isToConfirm = !isSame || (place === 'none' && confirmsNone);
  const take = useAction(async () => {
    const serviceUrl = place === 'other' ? address.trim() : builtIn;
    const change = place === 'none' ? { noAccount: true } : { serviceUrl, noAccount: false };
    const next = await call('settings/change', change);
    if (place === 'other') setAddress(next.serviceUrl);
    await onChosen(next);
  });
  const choose = (next: ServiceOption) => {
    setPlace(next);
    take.clear();
  };
  const notes: [ServiceOption, ComponentChild, string][] = [
    ['built-in', <bdi dir="ltr">{new URL(builtIn).host}</bdi>, t.builtInNote],
    ['other', t.other, t.otherNote],
    ['none', t.none, t.noneNote],
  ];
  return (
    <>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void take.run();
        }}
      >
        <fieldset class="stack stack-tight">
          <legend class="label">{t.legend}</legend>
          {notes.map(([one, title, note]) => (
            <Fragment key={one}>
              <label class="choice">
                <input
                  type="radio"
                  name={name}
                  value={one}
                  checked={one === place}
                  disabled={take.busy}
                  onChange={() => choose(one)}
                />
                <span class="choice-text">
                  <strong>{title}</strong>
                  <span class="hint">{note}</span>
                </span>
              </label>
              {one === 'other' && place === 'other' && (
                <AddressField
                  address={address}
                  error={take.error}
                  onInput={(next) => {
                    setAddress(next);
                    take.clear();
                  }}
                />
              )}
            </Fragment>
          ))}
        </fieldset>
        {!isSame && changes?.(place === 'none')}
        {place !== 'other' && (
          <ErrorNote error={take.error}>
            <p class="small">{t.unchanged}</p>
          </ErrorNote>
        )}
        {/* Disabled if there is nothing to confirm, so Enter doesn't submit the form. */}
        <button
          type="submit"
          class="button button-primary button-block"
          data-action="service"
          hidden={!isToConfirm}
          disabled={!isToConfirm || (place === 'other' && address.trim() === '')}
          aria-busy={take.busy}
        >
          {take.busy && place !== 'none' ? t.asking : place === 'none' ? t.goOn : t.use}
        </button>
      </form>
      {isSame && place !== 'none' && !take.busy && children}
    </>
  );
}

function AddressField({
  address,
  error,
  onInput,
}: {
  address: string;
  error: ServiceError | null;
  onInput: (address: string) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) input.current?.focus(); // Focuses the input with the error, which may be far above the button.
  }, [error]);
  return (
    <div class="field">
      <label class="label" for={id}>
        {t.address}
      </label>
      <input
        ref={input}
        id={id}
        class="input"
        type="url"
        dir="ltr"
        value={address}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <div class="hint" id={`${id}-hint`}>
        {t.hint}
      </div>
      <div class="field-error" id={`${id}-error`} role="alert">
        {error && `${error.message} ${t.unchanged}`}
      </div>
    </div>
  );
}

/** Returns this build's default service (an origin), or null until known. */
function useBuiltIn({ serviceUrl }: Settings): string | null {
  const [builtIn, setBuiltIn] = useState<string | null>(null);
  useEffect(() => {
    call('service/read', {}).then(
      (known) => setBuiltIn(known.builtIn),
      () => setBuiltIn(serviceUrl), // Falls back to the current service.
    );
  }, []);
  return builtIn;
}
