import { useState } from 'preact/hooks';
import type { ShownData } from '../../../protocol/messages/wallet-messages.ts';
import { visible } from '../../ui/amounts/format.ts';
import { approvalTexts as t } from '../../ui/texts/texts.ts';

/** Maximum number of characters displayed per step, because long text slows down the layout. */
const CHARS_PER_STEP = 20_000;

export function isCut(data: ShownData): boolean {
  const told = data.text === null ? data.hex.length / 2 : new TextEncoder().encode(data.text).length;
  return told < data.bytes;
}

/** Shows bytes as text if they are readable, otherwise as hexadecimal. */
export function ReadableData({ data, label }: { data: ShownData; label: string }) {
  const [shown, setShown] = useState(CHARS_PER_STEP);
  const whole = data.text === null ? data.hex : visible(data.text);
  const hasMore = whole.length > shown;
  return (
    <>
      {/* Focusable, because keyboard users must be able to scroll it. */}
      <pre class={`well chain-data ${data.text === null ? 'mono' : ''}`} dir="auto" tabIndex={0} aria-label={label}>
        {whole.slice(0, shown)}
        {hasMore ? ' …' : isCut(data) && ` … ${t.dataCut}`}
      </pre>
      {hasMore && (
        <button type="button" class="button button-quiet button-small" onClick={() => setShown(shown + CHARS_PER_STEP)}>
          {t.dataMore}
        </button>
      )}
      {data.text === null && <p class="small muted">{t.dataHex}</p>}
    </>
  );
}
