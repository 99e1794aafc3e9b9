import type { ShownData } from '../../../protocol/messages/wallet-messages.ts';
import { formatBytes } from '../../ui/amounts/format.ts';
import { approvalTexts as t } from '../../ui/texts/texts.ts';
import { ReadableData } from '../operations/readable-data.tsx';

/** Shows the data that a payment writes to the chain, its size, and a note that it is permanent. */
export function ChainData({ data }: { data: ShownData }) {
  return (
    <section aria-labelledby="data">
      <div class="row">
        <h2 class="part" id="data">
          {t.data}
        </h2>
        <span class="small muted amount">{formatBytes(data.bytes)}</span>
      </div>
      <ReadableData data={data} label={t.data} />
    </section>
  );
}
