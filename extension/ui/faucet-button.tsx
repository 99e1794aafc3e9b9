/** On the development network: free coins. */
import { useState } from 'preact/hooks';
import { call } from './call.ts';
import { ErrorNote } from './error-note.tsx';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** What one click asks the faucet for, in satoshis: $5 at devnet's rate, which buys out the demo shop. */
export const FAUCET_SATOSHIS = 10_000_000;

/** `primary` where it is the one thing to do. */
export function FaucetButton({ primary = false }: { primary?: boolean }) {
  const [done, setDone] = useState(false);
  const get = useAction(async () => {
    setDone(false);
    await call('wallet/faucet', { satoshis: FAUCET_SATOSHIS });
    setDone(true);
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
        {done ? texts.faucet.done : ''}
      </p>
      <ErrorNote error={get.error}>
        <p class="small">{texts.faucet.failedNext}</p>
      </ErrorNote>
    </div>
  );
}
