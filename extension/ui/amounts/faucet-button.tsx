/** Shows a button that requests free coins on the development network. */
import { useState } from 'preact/hooks';
import { call } from '../window/call.ts';
import { ErrorNote } from '../controls/error-note.tsx';
import { texts } from '../texts/texts.ts';
import { useAction } from '../window/use-action.ts';

/** Amount of a faucet request (satoshis): $5 at devnet's rate, enough for everything in the demo shop. */
export const FAUCET_SATOSHIS = 10_000_000;

/** Requests coins. When the balance, `satoshis`, increases, shows that they have arrived. */
export function FaucetButton({ satoshis, primary = false }: { satoshis: bigint; primary?: boolean }) {
  /** The balance at the last successful click. */
  const [before, setBefore] = useState<bigint | null>(null);
  const get = useAction(async () => {
    setBefore(null);
    await call('wallet/faucet', { satoshis: FAUCET_SATOSHIS });
    setBefore(satoshis);
  });
  return (
    <div class="stack stack-tight faucet">
      <button
        type="button"
        class={`button button-block ${primary ? 'button-primary' : 'button-quiet'}`}
        aria-busy={get.busy}
        onClick={() => get.run()}
      >
        {get.busy ? texts.faucet.busy : texts.faucet.get}
      </button>
      <p class="small muted centred" role="status">
        {before !== null && (satoshis > before ? texts.faucet.arrived : texts.faucet.done)}
      </p>
      <ErrorNote error={get.error}>
        <p class="small">{texts.faucet.failedNext}</p>
      </ErrorNote>
    </div>
  );
}
