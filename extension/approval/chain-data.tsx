/** What is written to the chain for good: as text where it is text, else as hexadecimal. */
import type { ApprovalView } from '../../protocol/wallet-messages.ts';
import { formatBytes, visible } from '../ui/format.ts';
import { approvalTexts as t } from '../ui/texts-approval.ts';

/** Most characters laid out at once; a window must stay quick also with the largest data. */
const SHOWN = 20_000;

/** See above. */
export function ChainData({ data }: { data: NonNullable<ApprovalView['data']> }) {
  const whole = data.text === null ? data.hex : visible(data.text);
  return (
    <section aria-labelledby="data">
      <div class="row">
        <h2 class="part" id="data">{t.data}</h2>
        <span class="small muted amount">{formatBytes(data.bytes)}</span>
      </div>
      {/* Scrollable with the keyboard too, hence the tab stop. */}
      <pre class={`well chain-data ${data.text === null ? 'mono' : ''}`} tabIndex={0} aria-labelledby="data">{whole.slice(0, SHOWN)}{whole.length > SHOWN && ` … ${t.dataCut}`}</pre>
      {data.text === null && <p class="small muted">{t.dataHex}</p>}
    </section>
  );
}
