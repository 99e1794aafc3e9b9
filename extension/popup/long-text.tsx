/** A third party's text in a box that scrolls and keeps its line breaks. */
import { visible } from '../ui/amounts/format.ts';
import { activityTexts as t } from '../ui/texts/texts.ts';

/** Characters laid out in one step. */
export const LONG_SHOWN = 5000;

/** Its tab stop makes it scrollable by keyboard. */
export function LongText({ text, label, mono = false }: { text: string; label: string; mono?: boolean }) {
  const shown = text.slice(0, LONG_SHOWN);
  return (
    <pre class={`activity-data ${mono ? 'mono' : ''}`} dir="auto" tabIndex={0} role="group" aria-label={label}>
      {visible(shown)}
      {text.length > LONG_SHOWN && ` … ${t.dataCut}`}
    </pre>
  );
}
