/** Lets users choose a handle, shows whether it is available, and creates the account. */
import { useEffect, useId, useState } from 'preact/hooks';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Account } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../window/call.ts';
import { ErrorNote } from '../controls/error-note.tsx';
import { texts } from '../texts/texts.ts';
import { errorText } from '../error-text.ts';
import { asServiceError, useAction } from '../window/use-action.ts';

/** Delay after typing before the service is queried (milliseconds). */
const DEBOUNCE_MS = 300;
// Same rule as `handle` in protocol/http/api.ts, which the service enforces. This copy only avoids unnecessary
// requests.
const HANDLE = /^(?=.{3,30}$)(?=.*[a-z])[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

type Check = { state: 'none' | 'checking' | 'free' } | { state: 'bad' | 'unsure'; message: string };

/** Shows the form. `domain` is the domain of the new paymail. `onAccount` receives the new account. */
export function HandleForm({ domain, onAccount }: { domain: string | null; onAccount: (account: Account) => void }) {
  const id = useId();
  const [handle, setHandle] = useState('');
  const [name, setName] = useState('');
  const check = useHandleCheck(handle);
  const register = useAction(async () => onAccount(await call('account/register', { handle, name: name.trim() })));
  const allowed = check.state === 'free' || check.state === 'unsure';
  const message = check.state === 'bad' ? check.message : '';
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (allowed) void register.run();
      }}
    >
      <div class="field">
        <label class="label" for={id}>
          {texts.handle.label}
        </label>
        <input
          type="text"
          id={id}
          class="input"
          value={handle}
          maxLength={30}
          autocomplete="off"
          autocapitalize="off"
          autoCorrect="off"
          spellcheck={false}
          aria-invalid={message ? 'true' : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
          onInput={(event) => {
            register.clear();
            setHandle(event.currentTarget.value.trim().toLowerCase());
          }}
        />
        <div class="hint" id={`${id}-hint`} role="status">
          {hint(check, handle, domain)}
        </div>
        <div class="field-error" id={`${id}-error`} role="alert">
          {message}
        </div>
      </div>
      <div class="field">
        <label class="label" for={`${id}-name`}>
          {texts.handle.name}
        </label>
        <input
          type="text"
          id={`${id}-name`}
          class="input"
          value={name}
          maxLength={100}
          autocomplete="off"
          aria-describedby={`${id}-name-hint`}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <div class="hint" id={`${id}-name-hint`}>
          {texts.handle.nameHint}
        </div>
      </div>
      <ErrorNote error={register.error}>
        <p class="small">{texts.handle.failedNext}</p>
      </ErrorNote>
      <button type="submit" class="button button-primary button-block" disabled={!allowed} aria-busy={register.busy}>
        {register.busy ? texts.handle.registering : texts.handle.register}
      </button>
    </form>
  );
}

/** Asks the service, after a delay, whether a handle is available. Ignores responses to earlier queries. */
function useHandleCheck(handle: string): Check {
  const [check, setCheck] = useState<Check>({ state: 'none' });
  useEffect(() => {
    if (handle === '') return setCheck({ state: 'none' });
    let dropped = false;
    const wellFormed = HANDLE.test(handle);
    setCheck({ state: wellFormed ? 'checking' : 'none' });
    const timer = setTimeout(
      async () => {
        const next = wellFormed ? await ask(handle) : ({ state: 'bad', message: texts.handle.invalid } as const);
        if (!dropped) setCheck(next);
        // Delays the message about an invalid handle, because the user may still be typing.
      },
      wellFormed ? DEBOUNCE_MS : 3 * DEBOUNCE_MS,
    );
    return () => {
      dropped = true;
      clearTimeout(timer);
    };
  }, [handle]);
  return check;
}

async function ask(handle: string): Promise<Check> {
  try {
    const { available, problem } = await call('account/check-handle', { handle });
    if (available) return { state: 'free' };
    return { state: 'bad', message: errorText(new ServiceError(problem ?? 'handle-taken')) };
  } catch (error) {
    // Users can register anyway, because the service may be unavailable only briefly. Registration reports its own
    // errors.
    return { state: 'unsure', message: asServiceError(error).message };
  }
}

function hint(check: Check, handle: string, domain: string | null) {
  const paymail = domain === null ? null : texts.handle.paymail({ paymail: `${handle}@${domain}` });
  switch (check.state) {
    case 'none':
    case 'bad':
      return texts.handle.hint;
    case 'checking':
      return texts.handle.checking;
    case 'unsure':
      return `${check.message} ${texts.handle.unsure}`;
    case 'free':
      return (
        <>
          <strong class="good">{texts.handle.free({ handle })}</strong>
          {paymail && (
            <>
              <br />
              {paymail}
            </>
          )}
        </>
      );
  }
}
