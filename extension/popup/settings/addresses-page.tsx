import { useEffect, useId, useState } from 'preact/hooks';
import type { NetworkChoice } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { enteredAddresses, NetworkAddresses, type TypedAddresses } from '../../ui/people/network-addresses.tsx';
import { settingsTexts, texts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';
import { OperatorList } from './operators.tsx';

const t = settingsTexts.addressesPage;
const EMPTY: TypedAddresses = { arcUrl: '', wocUrl: '' };
const NO_KEYS = { arcKey: '', wocKey: '' };

/** Shows and changes the URLs of the network's operators. The network itself can't be changed. */
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
  const [kept, setKept] = useState<TypedAddresses>({ arcUrl: now.arcUrl ?? '', wocUrl: now.wocUrl ?? '' });
  const [typed, setTyped] = useState(kept);
  const [saved, setSaved] = useState(false);
  const [keys, setKeys] = useState(NO_KEYS);
  const [{ operators, hasIndexKey }, setFound] = useState(now);
  const hasKey = operators[0]?.hasKey === true;
  const choose = useAction(
    async (wanted: TypedAddresses, given: { arcKey?: string | null; wocKey?: string | null }) => {
      await call('network/choose', { network, ...enteredAddresses(wanted), ...given });
      setFound(await call('network/read', {}));
      setKeys(NO_KEYS);
      setKept(wanted);
      setTyped(wanted);
      setSaved(true);
    },
  );
  const change = (next: TypedAddresses) => {
    setTyped(next);
    setSaved(false);
    choose.clear();
  };
  const keyField = (name: keyof typeof keys, label: string, isKept: boolean) => (
    <KeyField
      label={label}
      value={keys[name]}
      isKept={isKept}
      onInput={(key) => {
        setKeys({ ...keys, [name]: key });
        setSaved(false);
        choose.clear();
      }}
    />
  );
  const typedKeys = () => ({
    ...(keys.arcKey.trim() && { arcKey: keys.arcKey.trim() }),
    ...(keys.wocKey.trim() && { wocKey: keys.wocKey.trim() }),
  });
  const isSame = (other: TypedAddresses) =>
    typed.arcUrl.trim() === other.arcUrl && typed.wocUrl.trim() === other.wocUrl;
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void choose.run({ arcUrl: typed.arcUrl.trim(), wocUrl: typed.wocUrl.trim() }, typedKeys());
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
        {keyField('arcKey', t.key, hasKey)}
      </NetworkAddresses>
      {keyField('wocKey', t.indexKey, hasIndexKey)}
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
          disabled={isSame(kept) && Object.keys(typedKeys()).length === 0}
          aria-busy={choose.busy}
        >
          {choose.busy ? t.saving : t.save}
        </button>
        <button
          type="button"
          class="button button-quiet"
          disabled={isSame(EMPTY) && kept.arcUrl + kept.wocUrl === '' && !hasKey && !hasIndexKey}
          onClick={() => choose.run(EMPTY, hasKey || hasIndexKey ? { arcKey: null, wocKey: null } : {})}
        >
          {t.reset}
        </button>
      </div>
      {operators.length > 0 && <OperatorList operators={operators} />}
    </form>
  );
}

interface KeyFieldProps {
  label: string;
  value: string;
  /** True if a key is stored. The key is never displayed. */
  isKept: boolean;
  onInput: (key: string) => void;
}

function KeyField({ label, value, isKept, onInput }: KeyFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        type="password"
        autocomplete="off"
        maxLength={500}
        value={value}
        placeholder={isKept ? t.keyKept : ''}
        aria-describedby={`${id}-hint`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {t.keyHint}
      </p>
    </div>
  );
}
