import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import { Avatar } from '../../ui/people/avatar.tsx';
import { ContactName } from '../../ui/people/contact-name.tsx';
import { visible } from '../../ui/amounts/format.ts';
import { CheckIcon, WarningIcon } from '../../ui/controls/icons.tsx';
import { LookAlikeNote } from '../../ui/people/look-alike-note.tsx';
import { activityTexts as t } from '../../ui/texts/texts.ts';
import { SaveContact } from '../contacts/save-contact.tsx';

/** Shows the stated sender of a paymail payment, marked as unverified unless the sender's host confirms the sender. */
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
