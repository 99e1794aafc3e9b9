/** Shows a third party's text with its line breaks, in a box that scrolls. */
import { visible } from '../ui/amounts/format.ts';
import { activityTexts as t } from '../ui/texts/texts.ts';

/** Maximum number of characters shown. */
export const LONG_SHOWN = 5000;

/** Shows the text. Focusable, because keyboard users must be able to scroll it. */
export function LongText({ text, label, mono = false }: { text: string; label: string; mono?: boolean }) {
  const shown = text.slice(0, LONG_SHOWN);
  return (
    <pre class={`activity-data ${mono ? 'mono' : ''}`} dir="auto" tabIndex={0} role="group" aria-label={label}>
      {visible(shown)}
      {text.length > LONG_SHOWN && ` … ${t.dataCut}`}
    </pre>
  );
}
