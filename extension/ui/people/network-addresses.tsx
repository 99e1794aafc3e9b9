import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { settingsTexts } from '../texts/texts.ts';

const t = settingsTexts.addressesPage;

const EXAMPLES: Record<Network, { arc: string; woc: string }> = {
  mainnet: { arc: 'https://arc.example.com', woc: 'https://woc.example.com/v1/bsv/main' },
  testnet: { arc: 'https://arc.example.com', woc: 'https://woc.example.com/v1/bsv/test' },
  devnet: { arc: 'http://localhost:3000/devnet/arc', woc: 'http://localhost:3000/devnet/woc/v1/bsv/test' },
};

/** The URLs of the network's broadcaster and index, as typed. Empty for the network's default. */
export interface TypedAddresses {
  arcUrl: string;
  wocUrl: string;
}

interface NetworkAddressesProps {
  network: Network;
  typed: TypedAddresses;
  onTyped: (typed: TypedAddresses) => void;
  /** The placeholders of empty fields: a URL or a sentence. */
  usual: TypedAddresses;
  /** A note about the first field, shown below it. */
  children?: ComponentChildren;
}

export function NetworkAddresses({ network, typed, onTyped, usual, children }: NetworkAddressesProps) {
  const id = useId();
  const examples = EXAMPLES[network];
  const field = (name: keyof TypedAddresses, label: string, hint: string) => (
    <div class="field">
      <label class="label" for={`${id}-${name}`}>
        {label}
      </label>
      <input
        id={`${id}-${name}`}
        class="input"
        type="url"
        autocomplete="off"
        spellcheck={false}
        maxLength={500}
        value={typed[name]}
        placeholder={usual[name]}
        aria-describedby={`${id}-${name}-hint`}
        onInput={(event) => onTyped({ ...typed, [name]: event.currentTarget.value })}
      />
      <p class="hint anywhere" id={`${id}-${name}-hint`}>
        {hint}
      </p>
    </div>
  );
  return (
    <>
      {field('arcUrl', t.arc, t.hint({ example: examples.arc }))}
      {children}
      {field('wocUrl', t.woc, t.wocHint({ example: examples.woc }))}
    </>
  );
}

/** Converts the input to the background's format. */
export function enteredAddresses({ arcUrl, wocUrl }: TypedAddresses): { arcUrl: string | null; wocUrl: string | null } {
  return { arcUrl: arcUrl.trim() || null, wocUrl: wocUrl.trim() || null };
}
