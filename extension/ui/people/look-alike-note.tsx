import { lookAlike, type LookAlike } from '../../../protocol/text/look-alike.ts';
import { locale } from '../languages/language.ts';
import { WarningIcon } from '../controls/icons.tsx';
import { recipientTexts } from '../texts/texts.ts';

/** Returns the severity of a look-alike name, or null for plain letters. */
export function lookAlikeTone(name: string): 'danger' | 'warning' | null {
  const found = lookAlike(name);
  return found && (found.kind === 'hidden' ? 'danger' : 'warning');
}

/** Warns about a name that can be mistaken for another name, and repeats it in ASCII. Otherwise renders nothing. */
export function LookAlikeNote({ name }: { name: string }) {
  const t = recipientTexts.lookAlike;
  const found = lookAlike(name);
  if (found === null) return null;
  const said =
    found.kind === 'mixed' || found.kind === 'foreign' ? t[found.kind]({ alphabets: alphabets(found) }) : t[found.kind];
  return (
    <div class={`banner banner-${lookAlikeTone(name)} small`} data-part="look-alike" data-kind={found.kind}>
      <p class="banner-title look-alike-title">
        <WarningIcon size={16} />
        <span>
          {said} {t.care}
        </span>
      </p>
      {found.ascii !== name && (
        <p class="anywhere">
          {t.plain}{' '}
          <bdi dir="ltr" class="mono">
            {found.ascii}
          </bdi>
        </p>
      )}
    </div>
  );
}

/** Lists the name's alphabets in the window's language. Latin is listed only if a word mixes alphabets. */
function alphabets({ kind, scripts }: LookAlike): string {
  const names = new Intl.DisplayNames(locale(), { type: 'script' });
  const told = scripts
    .filter((code) => kind === 'mixed' || code !== 'Latn')
    .map((code) => (code === 'Zzzz' ? recipientTexts.lookAlike.rare : (names.of(code) ?? code)));
  return new Intl.ListFormat(locale(), { type: 'unit', style: 'short' }).format(told);
}
