import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { OWN_PATHS, type OtherWalletsView, type Rate } from '../../../protocol/messages/wallet-messages.ts';
import { FeeAmount, InlineAmount } from '../amounts/amount.tsx';
import { assetName } from '../amounts/asset-name.ts';
import { call } from './call.ts';
import { ErrorNote } from '../controls/error-note.tsx';
import { SecretField } from '../secrets/secret-field.tsx';
import { assetTexts, otherWalletTexts as t, texts } from '../texts/texts.ts';
import { useAction } from './use-action.ts';

/** Searches the derivation paths of other wallets for coins, which the user can review and move to this wallet. */
export function OtherWallets({ rate }: { rate: Rate | null }) {
  const [password, setPassword] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [view, setView] = useState<OtherWalletsView | null>(null);
  const [moved, setMoved] = useState<'coins' | 'assets' | null>(null);
  const search = useAction(async () => {
    setMoved(null);
    setView(null);
    setView(await call('other-wallets/search', { password, passphrase }));
  });
  const move = useAction(async (what: 'coins' | 'assets') => {
    if (view === null) return;
    const [found, fee, method] =
      what === 'coins'
        ? ([view.found, view.feeSatoshis, 'other-wallets/move'] as const)
        : ([view.assets, view.assetsFeeSatoshis, 'other-wallets/move-assets'] as const);
    const outpoints = found.map(({ outpoint }) => outpoint);
    await call(method, { password, passphrase, outpoints, feeSatoshis: fee ?? '0' });
    setView(null);
    setPassword('');
    setPassphrase('');
    setMoved(what);
  });
  const busy = search.busy || move.busy;
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setView(null);
    setMoved(null);
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
          class={`button button-block ${view && view.found.length + view.assets.length > 0 ? '' : 'button-primary'}`}
          disabled={password === '' || busy}
          aria-busy={search.busy}
        >
          {search.busy ? t.searching : t.search}
        </button>
      </form>
      <div role="status">
        {moved && <p class="banner banner-success">{moved === 'coins' ? t.moved : t.assetsMoved}</p>}
        {view && view.found.length + view.assets.length + view.tokens === 0 && <p class="banner">{t.none}</p>}
        {view && view.tokens > 0 && <p class="banner">{t.tokens({ n: view.tokens })}</p>}
        {view?.assetsUnknown && <p class="banner banner-warning">{t.assetsUnknown}</p>}
      </div>
      {view && view.found.length > 0 && (
        <Found view={view} rate={rate} busy={move.busy} onMove={() => void move.run('coins')} />
      )}
      {view && view.assets.length > 0 && (
        <FoundAssets view={view} rate={rate} busy={move.busy} onMove={() => void move.run('assets')} />
      )}
      <ErrorNote error={move.error} />
      {view && <Searched view={view} />}
    </section>
  );
}

interface FoundProps {
  view: OtherWalletsView;
  rate: Rate | null;
  busy: boolean;
  onMove: () => void;
}

function Found({ view: { found, left, feeSatoshis }, ...props }: FoundProps) {
  return (
    <>
      <h3 class="label">{t.found}</h3>
      <ul class="stack">
        {found.map((one) => (
          <Row key={one.outpoint} {...one}>
            <InlineAmount satoshis={BigInt(one.satoshis)} rate={props.rate} />
          </Row>
        ))}
      </ul>
      {left > 0 && <p class="small muted">{t.left({ n: left })}</p>}
      <Move {...props} what="coins" feeSatoshis={feeSatoshis} tooLittle={t.noFee} label={t.move} />
    </>
  );
}

function FoundAssets({ view: { assets, assetsLeft, assetsFeeSatoshis }, ...props }: FoundProps) {
  return (
    <>
      <h3 class="label">{t.assetsFound}</h3>
      <ul class="stack">
        {assets.map((one) => (
          <Row key={one.outpoint} {...one}>
            <bdi>{assetName(one.asset)}</bdi>
            {one.word === 'index' && <span class="small muted">{assetTexts.byIndex}</span>}
          </Row>
        ))}
      </ul>
      {assetsLeft > 0 && <p class="small muted">{t.assetsLeft({ n: assetsLeft })}</p>}
      <Move {...props} what="assets" feeSatoshis={assetsFeeSatoshis} tooLittle={t.assetsNoFee} label={t.moveAssets} />
    </>
  );
}

function Row({
  path,
  wallets,
  address,
  children,
}: Pick<OtherWalletsView['assets'][number], 'path' | 'wallets' | 'address'> & { children: ComponentChildren }) {
  return (
    <li class="stack stack-tight">
      <strong class="cluster anywhere">{children}</strong>
      <span class="small">
        <bdi dir="ltr">{path}</bdi> · {wallets || t.withPassphrase}
      </span>
      <bdi dir="ltr" class="small muted anywhere">
        {address}
      </bdi>
    </li>
  );
}

/** Shows the fee and the button to move the coins, or why the fee can't be paid. */
function Move({
  what,
  feeSatoshis,
  tooLittle,
  label,
  rate,
  busy,
  onMove,
}: Omit<FoundProps, 'view'> & {
  what: 'coins' | 'assets';
  feeSatoshis: string | null;
  tooLittle: string;
  label: string;
}) {
  if (feeSatoshis === null) return <p class="banner banner-warning">{tooLittle}</p>;
  return (
    <>
      <p>
        {t.fee}: <FeeAmount satoshis={BigInt(feeSatoshis)} rate={rate} />
      </p>
      <button
        type="button"
        class="button button-primary button-block"
        data-action={`move-${what}`}
        disabled={busy}
        aria-busy={busy}
        onClick={onMove}
      >
        {busy ? t.moving : label}
      </button>
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
