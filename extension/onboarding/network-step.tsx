import { useState } from 'preact/hooks';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { call } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { enteredAddresses, NetworkAddresses } from '../ui/people/network-addresses.tsx';
import { onboardingTexts as t, settingsTexts, texts } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import { StepHead } from './step-head.tsx';

const NETWORKS = ['mainnet', 'testnet', 'devnet'] as const;
const EMPTY = { arcUrl: '', wocUrl: '' };

interface NetworkStepProps {
  onChosen: () => void;
  askService: () => Promise<boolean>;
  onBack: () => void;
}

/**
 * Lets users choose the network and its URLs in step 1 if the service, which normally determines them, doesn't respond.
 */
export function NetworkStep({ onChosen, askService, onBack }: NetworkStepProps) {
  const [network, setNetwork] = useState<Network | null>(null);
  const [typed, setTyped] = useState(EMPTY);
  const choose = useAction(async () => {
    if (network === null) return;
    const given = enteredAddresses(network === 'devnet' ? typed : EMPTY);
    if (network === 'devnet' && (given.arcUrl === null || given.wocUrl === null))
      throw new ServiceError('invalid-request', { message: settingsTexts.addressesPage.missing });
    await call('network/choose', { network, ...given });
    onChosen();
  });
  const again = useAction(async () => {
    if (await askService()) return onChosen();
    throw new ServiceError('service-unavailable');
  });
  return (
    <>
      <StepHead title={t.network.title} lead={t.network.lead} />
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void choose.run();
        }}
      >
        <fieldset class="stack stack-tight">
          <legend class="label">{t.network.legend}</legend>
          {NETWORKS.map((one) => (
            <label key={one} class="choice">
              <input
                type="radio"
                name="network"
                value={one}
                checked={one === network}
                onChange={() => {
                  setNetwork(one);
                  choose.clear();
                  again.clear();
                }}
              />
              <span class="choice-text">
                <strong>{texts.networks[one]}</strong>
                <span class="hint">{t.network.notes[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {network === 'devnet' && (
          <NetworkAddresses
            network={network}
            typed={typed}
            onTyped={(next) => {
              setTyped(next);
              choose.clear();
            }}
            usual={EMPTY}
          />
        )}
        <ErrorNote error={choose.error ?? again.error} />
        <button
          type="submit"
          class="button button-primary button-block"
          disabled={network === null || again.busy}
          aria-busy={choose.busy}
        >
          {choose.busy ? t.network.choosing : t.network.choose}
        </button>
        <button
          type="button"
          class="button button-quiet button-block"
          disabled={choose.busy}
          aria-busy={again.busy}
          onClick={() => again.run()}
        >
          {t.network.again}
        </button>
        <button type="button" class="button button-block" onClick={onBack}>
          {texts.back}
        </button>
      </form>
    </>
  );
}
