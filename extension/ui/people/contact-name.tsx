import { visible } from '../amounts/format.ts';
import { PersonIcon } from '../controls/icons.tsx';
import { contactTexts as t } from '../texts/texts.ts';

/** Shows the user's own name for a recipient. Always used next to the full recipient. */
export function ContactName({ name }: { name: string }) {
  return (
    <p class="contact-name" data-part="contact">
      <PersonIcon size={16} />
      <span>
        <span class="visually-hidden">{t.yours}: </span>
        <bdi>{visible(name)}</bdi>
      </span>
    </p>
  );
}
