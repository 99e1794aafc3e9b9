import { useEffect, useId, useState } from 'preact/hooks';
import type { NetworkChoice } from '../../../protocol/wallet-messages.ts';
import { call } from '../../ui/call.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { givenAddresses, NetworkAddresses, type TypedAddresses } from '../../ui/network-addresses.tsx';
import { settingsTexts } from '../../ui/texts-settings.ts';
import { texts } from '../../ui/texts.ts';
import { useAction } from '../../ui/use-action.ts';
import { PageHead } from '../page-head.tsx';
import { OperatorList } from './operators.tsx';

const t = settingsTexts.addressesPage;
const EMPTY: TypedAddresses = { arcUrl: '', wocUrl: '' };

/** The addresses of the wallet's network operators. The network itself can't be changed. */
export function AddressesPage({ onBack }: { onBack: () => void }) {
  const [now, setNow] = useState<NetworkChoice | null>(null);
  const read = useAction(async () => setNow(await call('network/read', {})));
  useEffect(() => void read.run(), []);
  return (
    <section class="popup-page arrive">
      <PageHead title={settingsTexts.addresses} onBack={onBack} />
      <ErrorNote error={read.error} />
      {now && <Form now={now} />}
    </section>
  );
}

function Form({ now }: { now: NetworkChoice }) {
  const { network, preset } = now;
  const keyId = useId();
  const [kept, setKept] = useState<TypedAddresses>({ arcUrl: now.arcUrl ?? '', wocUrl: now.wocUrl ?? '' });
  const [typed, setTyped] = useState(kept);
  const [saved, setSaved] = useState(false);
  const [key, setKey] = useState('');
  const [{ operators }, setFound] = useState(now);
  const hasKey = operators[0]?.hasKey === true;
  const choose = useAction(async (wanted: TypedAddresses, arcKey?: string | null) => {
    await call('network/choose', { network, ...givenAddresses(wanted), ...(arcKey !== undefined && { arcKey }) });
    setFound(await call('network/read', {}));
    setKey('');
    setKept(wanted);
    setTyped(wanted);
    setSaved(true);
  });
  const change = (next: TypedAddresses) => {
    setTyped(next);
    setSaved(false);
    choose.clear();
  };
  const isSame = (other: TypedAddresses) =>
    typed.arcUrl.trim() === other.arcUrl && typed.wocUrl.trim() === other.wocUrl;
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void choose.run({ arcUrl: typed.arcUrl.trim(), wocUrl: typed.wocUrl.trim() }, key.trim() || undefined);
      }}
    >
      <p>
        <strong>{texts.networks[network]}</strong>
        {network !== 'mainnet' && <span class="muted">. {texts.worthless}</span>}
      </p>
      <p class="muted">{t.lead}</p>
      <NetworkAddresses
        network={network}
        typed={typed}
        onTyped={change}
        usual={preset ?? { arcUrl: t.fromService, wocUrl: t.fromService }}
      >
        <div class="field">
          <label class="label" for={keyId}>
            {t.key}
          </label>
          <input
            id={keyId}
            class="input"
            type="password"
            autocomplete="off"
            maxLength={500}
            value={key}
            placeholder={hasKey ? t.keyKept : ''}
            aria-describedby={`${keyId}-hint`}
            onInput={(event) => {
              setKey(event.currentTarget.value);
              setSaved(false);
              choose.clear();
            }}
          />
          <p class="hint" id={`${keyId}-hint`}>
            {t.keyHint}
          </p>
        </div>
      </NetworkAddresses>
      <ErrorNote error={choose.error}>
        <p class="small">{t.failedNext}</p>
      </ErrorNote>
      <p class="small good" role="status">
        {saved ? t.saved : ''}
      </p>
      <div class="cluster">
        <button
          type="submit"
          class="button button-primary"
          disabled={isSame(kept) && key.trim() === ''}
          aria-busy={choose.busy}
        >
          {choose.busy ? t.saving : t.save}
        </button>
        <button
          type="button"
          class="button button-quiet"
          disabled={isSame(EMPTY) && kept.arcUrl + kept.wocUrl === '' && !hasKey}
          onClick={() => choose.run(EMPTY, hasKey ? null : undefined)}
        >
          {t.reset}
        </button>
      </div>
      {operators.length > 0 && <OperatorList operators={operators} />}
    </form>
  );
}
