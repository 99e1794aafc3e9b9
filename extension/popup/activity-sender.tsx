import type { ActivityItem } from '../../protocol/wallet-messages.ts';
import { Avatar } from '../ui/avatar.tsx';
import { ContactName } from '../ui/contact-name.tsx';
import { visible } from '../ui/format.ts';
import { CheckIcon, WarningIcon } from '../ui/icons.tsx';
import { LookAlikeNote } from '../ui/look-alike-note.tsx';
import { activityTexts as t } from '../ui/texts.ts';
import { SaveContact } from './contacts/save-contact.tsx';

/** The sender of an incoming paymail payment: an unverified claim unless the sender's host confirms it. */
export function Sender({
  sender: { paymail, verified },
  contact,
  onSaved,
}: {
  sender: NonNullable<ActivityItem['sender']>;
  contact: string | undefined;
  onSaved: () => void;
}) {
  return (
    <div data-part="sender" data-verified={verified}>
      {contact !== undefined && <ContactName name={contact} />}
      <span class="avatar-line">
        <Avatar name={paymail} paymail={verified ? paymail : null} ask small />
        <bdi dir="ltr" class="anywhere">
          {visible(paymail)}
        </bdi>
      </span>
      <p class={verified ? 'notice muted' : 'warn'}>
        {verified ? (
          <span class="good">
            <CheckIcon size={16} />
          </span>
        ) : (
          <WarningIcon size={16} />
        )}
        <span>
          {verified
            ? t.senderVerified({ host: visible(paymail.slice(paymail.lastIndexOf('@') + 1)) })
            : t.senderUnverified}
        </span>
      </p>
      <LookAlikeNote name={paymail} />
      {contact === undefined && verified && <SaveContact to={paymail} onSaved={onSaved} />}
    </div>
  );
}
