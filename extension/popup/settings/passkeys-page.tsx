import { useId, useState } from 'preact/hooks';
import type { PasskeyView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatDate, visible } from '../../ui/amounts/format.ts';
import { makePasskey } from '../../ui/secrets/passkey.ts';
import { SecretField } from '../../ui/secrets/secret-field.tsx';
import { passkeyTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { useLeaving, usePasskeys } from '../../ui/secrets/use-passkeys.ts';
import { PageHead } from '../page-head.tsx';

/** Adds, lists and removes the passkeys that unlock this wallet. */
export function PasskeysPage({ onBack }: { onBack: () => void }) {
  const { passkeys, read } = usePasskeys();
  const [note, setNote] = useState<string | null>(null);
  const remove = useAction(async (id: string) => {
    await call('passkeys/remove', { id });
    await read();
    setNote(t.removed);
  });
  return (
    <section class="popup-page arrive">
      <PageHead title={t.title} onBack={onBack} />
      <p class="muted">{t.lead}</p>
      <div role="status">{note && <p class="banner banner-success">{note}</p>}</div>
      {passkeys.length === 0 && <p class="muted">{t.none}</p>}
      {passkeys.length > 0 && (
        <ul class="card card-flush list">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onRemove={() => void remove.run(passkey.id)} />
          ))}
        </ul>
      )}
      <ErrorNote error={remove.error} />
      <AddForm
        passkeys={passkeys}
        onAdded={async () => {
          await read();
          setNote(t.done);
        }}
      />
    </section>
  );
}

const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

/**
 * Shows a passkey. Removing a passkey takes two clicks, because a mistake would go unnoticed until the wallet is
 * locked.
 */
function Row({ passkey, onRemove }: { passkey: PasskeyView; onRemove: () => void }) {
  const [at, setAt] = useState<'shown' | 'removing' | 'kept'>('shown');
  const { name, createdAt, usedAt } = passkey;
  return (
    <li class="list-row passkey-row">
      <span class="list-main">
        <span class="list-title anywhere">
          <bdi>{visible(name)}</bdi>
        </span>
        <span class="list-note">{t.added({ date: formatDate(createdAt) })}</span>
        {usedAt !== null && <span class="list-note">{t.used({ date: formatDate(usedAt) })}</span>}
      </span>
      {at === 'removing' ? (
        <span class="cluster">
          <button
            type="button"
            class="button button-danger button-small"
            data-action="remove-sure"
            ref={takeFocus}
            onClick={onRemove}
          >
            {t.removeSure}
          </button>
          <button type="button" class="button button-quiet button-small" onClick={() => setAt('kept')}>
            {t.keep}
          </button>
        </span>
      ) : (
        <button
          type="button"
          class="link danger small"
          data-action="remove"
          ref={at === 'kept' ? takeFocus : null}
          onClick={() => setAt('removing')}
        >
          {t.remove({ name: visible(name) })}
        </button>
      )}
    </li>
  );
}

function AddForm({ passkeys, onAdded }: { passkeys: readonly PasskeyView[]; onAdded: () => Promise<void> }) {
  const [name, setName] = useState(t.defaultName);
  const [password, setPassword] = useState('');
  const [made, setMade] = useState(false);
  const id = useId();
  const signal = useLeaving();
  const add = useAction(async () => {
    setMade(false);
    // The password is checked first, because a passkey created with a wrong password would be useless.
    await call('vault/check-password', { password });
    const passkey = await makePasskey(name.trim() || t.defaultName, passkeys, signal());
    setMade(true);
    try {
      await call('passkeys/add', { ...passkey, name: name.trim() || t.defaultName, password });
    } finally {
      passkey.output.fill(0);
    }
    setPassword('');
    setName(t.defaultName);
    await onAdded();
  });
  const wrong = add.error?.code === 'wrong-password' ? add.error.message : null;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') void add.run();
      }}
    >
      <div class="field">
        <label class="label" for={id}>
          {t.name}
        </label>
        <input
          type="text"
          id={id}
          class="input"
          maxLength={60}
          value={name}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <SecretField
        label={t.password}
        autocomplete="current-password"
        value={password}
        error={wrong}
        onInput={(value) => {
          setPassword(value);
          add.clear();
        }}
      />
      {!wrong && (
        <ErrorNote error={add.error} kind="warning">
          {made && <p>{t.failed}</p>}
        </ErrorNote>
      )}
      <button type="submit" class="button button-primary button-block" disabled={password === ''} aria-busy={add.busy}>
        {add.busy ? t.waiting : t.add}
      </button>
    </form>
  );
}
