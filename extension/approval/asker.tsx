/** Shows the requesting site: its full browser-verified origin, with the host emphasized. */
import { visible } from '../ui/amounts/format.ts';
import { WarningIcon } from '../ui/controls/icons.tsx';
import { originParts } from '../ui/sites/origin.ts';
import { approvalTexts as t } from '../ui/texts/texts.ts';

/** Shows the site and its request. `asks` is the request in the wallet's own words. */
export function Asker({ origin, asks }: { origin: string; asks: string }) {
  const { scheme, host, port, warning } = originParts(visible(origin));
  const warnings = { odd: t.oddOrigin, 'foreign-letters': t.foreignLetters, 'not-encrypted': t.notEncrypted };
  return (
    <section class="asker" aria-label={`${origin} ${asks}`}>
      <p class="asker-origin anywhere" data-part="origin">
        <bdi dir="ltr">
          <span class="muted">{scheme}</span>
          <strong>{host}</strong>
          <span class="muted">{port}</span>
        </bdi>
      </p>
      <p class="muted">{asks}</p>
      {warning && (
        <p class="warn small">
          <WarningIcon size={16} />
          {warnings[warning]}
        </p>
      )}
    </section>
  );
}
