import { visible } from './format.ts';
import { PersonIcon } from './icons.tsx';
import { contactTexts as t } from './texts.ts';

/** The user's own name for a recipient, always next to the full recipient. */
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
