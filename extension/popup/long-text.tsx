/** Text of strangers in a box of its own, where it scrolls and keeps its line ends. */
import { visible } from '../ui/format.ts';
import { activityTexts as t } from '../ui/texts-activity.ts';

/** Most characters laid out at once. */
export const LONG_SHOWN = 5000;

/** Reached with the keyboard too, hence the tab stop. */
export function LongText({ text, label, mono = false }: { text: string; label: string; mono?: boolean }) {
  const shown = text.slice(0, LONG_SHOWN);
  return (
    <pre class={`activity-data ${mono ? 'mono' : ''}`} dir="auto" tabIndex={0} role="group" aria-label={label}>
      {visible(shown)}
      {text.length > LONG_SHOWN && ` … ${t.dataCut}`}
    </pre>
  );
}
