import { useState } from 'preact/hooks';
import { OWN_PATHS, type OtherWalletsView, type Rate } from '../../protocol/wallet-messages.ts';
import { FeeAmount, InlineAmount } from './amount.tsx';
import { call } from './call.ts';
import { ErrorNote } from './error-note.tsx';
import { SecretField } from './secret-field.tsx';
import { otherWalletTexts as t } from './texts-other-wallets.ts';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** Searches the paths of other wallets, and moves what the user has reviewed to this one. */
export function OtherWallets({ rate }: { rate: Rate | null }) {
  const [password, setPassword] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [view, setView] = useState<OtherWalletsView | null>(null);
  const [moved, setMoved] = useState(false);
  const search = useAction(async () => {
    setMoved(false);
    setView(null);
    setView(await call('other-wallets/search', { password, passphrase }));
  });
  const move = useAction(async () => {
    const outpoints = (view?.found ?? []).map(({ outpoint }) => outpoint);
    await call('other-wallets/move', { password, passphrase, outpoints, feeSatoshis: view?.feeSatoshis ?? '0' });
    setView(null);
    setPassword('');
    setPassphrase('');
    setMoved(true);
  });
  const busy = search.busy || move.busy;
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setView(null);
    search.clear();
    move.clear();
  };
  return (
    <section class="card stack" aria-label={t.title} data-part="other-wallets">
      <h2 class="subheading">{t.title}</h2>
      <p>{t.lead}</p>
      <p class="small muted">
        {t.own} <bdi dir="ltr">{OWN_PATHS.join(', ')}</bdi>
      </p>
      <form
        class="stack"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void search.run();
        }}
      >
        <SecretField label={texts.password} value={password} disabled={busy} onInput={change(setPassword)} />
        <SecretField
          label={t.passphrase}
          hint={t.passphraseHint}
          value={passphrase}
          disabled={busy}
          autocomplete="off"
          onInput={change(setPassphrase)}
        />
        <ErrorNote error={search.error} />
        <button
          class={`button button-block ${view?.found.length ? '' : 'button-primary'}`}
          disabled={password === '' || busy}
          aria-busy={search.busy}
        >
          {search.busy ? t.searching : t.search}
        </button>
      </form>
      <div role="status">
        {moved && <p class="banner banner-success">{t.moved}</p>}
        {view?.found.length === 0 && view.tokens === 0 && <p class="banner">{t.none}</p>}
        {view && view.tokens > 0 && <p class="banner banner-warning">{t.tokens(view.tokens)}</p>}
      </div>
      {view && view.found.length > 0 && <Found view={view} rate={rate} busy={move.busy} onMove={() => move.run()} />}
      <ErrorNote error={move.error} />
      {view && <Searched view={view} />}
    </section>
  );
}

function Found({
  view: { found, left, feeSatoshis },
  rate,
  busy,
  onMove,
}: {
  view: OtherWalletsView;
  rate: Rate | null;
  busy: boolean;
  onMove: () => void;
}) {
  return (
    <>
      <h3 class="label">{t.found}</h3>
      <ul class="stack">
        {found.map(({ outpoint, path, wallets, address, satoshis }) => (
          <li key={outpoint} class="stack stack-tight">
            <strong>
              <InlineAmount satoshis={BigInt(satoshis)} rate={rate} />
            </strong>
            <span class="small">
              <bdi dir="ltr">{path}</bdi> · {wallets || t.withPassphrase}
            </span>
            <bdi dir="ltr" class="small muted anywhere">
              {address}
            </bdi>
          </li>
        ))}
      </ul>
      {left > 0 && <p class="small muted">{t.left(left)}</p>}
      {feeSatoshis === null ? (
        <p class="banner banner-warning">{t.noFee}</p>
      ) : (
        <>
          <p>
            {t.fee}: <FeeAmount satoshis={BigInt(feeSatoshis)} rate={rate} />
          </p>
          <button
            type="button"
            class="button button-primary button-block"
            data-action="move-coins"
            aria-busy={busy}
            onClick={onMove}
          >
            {busy ? t.moving : t.move}
          </button>
        </>
      )}
    </>
  );
}

function Searched({ view: { searched } }: { view: OtherWalletsView }) {
  return (
    <details>
      <summary class="small">{t.searched}</summary>
      <ul class="small muted">
        {searched.map(({ path, wallets }) => (
          <li key={path}>
            <bdi dir="ltr">{path}</bdi> · {wallets || t.withPassphrase}
          </li>
        ))}
      </ul>
    </details>
  );
}
