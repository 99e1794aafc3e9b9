/** Bytes that somebody will read: as text where they are text, else as hexadecimal. */
import type { ShownData } from '../../protocol/wallet-messages.ts';
import { visible } from '../ui/format.ts';
import { approvalTexts as t } from '../ui/texts-approval.ts';

/** Most characters laid out at once; a window must stay quick also with the largest data. */
const SHOWN = 20_000;

const written = (data: ShownData) => (data.text === null ? data.hex : visible(data.text));

/** Not all of it is shown. */
export function isCut(data: ShownData): boolean {
  const told = data.text === null ? data.hex.length / 2 : new TextEncoder().encode(data.text).length;
  return told < data.bytes || written(data).length > SHOWN;
}

/** See above. */
export function ReadableData({ data, label }: { data: ShownData; label: string }) {
  return (
    <>
      {/* Scrollable with the keyboard too, hence the tab stop. */}
      <pre class={`well chain-data ${data.text === null ? 'mono' : ''}`} dir="auto" tabIndex={0} aria-label={label}>{written(data).slice(0, SHOWN)}{isCut(data) && ` … ${t.dataCut}`}</pre>
      {data.text === null && <p class="small muted">{t.dataHex}</p>}
    </>
  );
}
