import { useRef, useState } from 'preact/hooks';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { MAX_CONTACTS } from '../../../protocol/payments/limits.ts';
import { recipientKind } from '../../../protocol/payments/recipient.ts';
import type { ContactView } from '../../../protocol/messages/wallet-messages.ts';
import { Address } from '../../ui/people/address.tsx';
import { formatCount, visible } from '../../ui/amounts/format.ts';
import { ChevronIcon } from '../../ui/controls/icons.tsx';
import { moveFocus, useShortcut } from '../../ui/window/shortcuts.ts';
import { contactTexts as t } from '../../ui/texts/texts.ts';
import { PageHead } from '../page-head.tsx';
import { ContactPage } from './contact-page.tsx';
import { matching, useContacts } from './use-contacts.ts';
import './contacts.css';

interface ContactsPageProps {
  network: Network;
  onSend: (to: string) => void;
  onBack: () => void;
}

/** Lists and searches the user's contacts, which can be paid, edited or removed. */
export function ContactsPage({ network, onSend, onBack }: ContactsPageProps) {
  const contacts = useContacts() ?? [];
  const [open, setOpen] = useState<ContactView | 'new' | null>(null);
  const [text, setText] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useShortcut('search', open === null ? () => search.current?.focus() : null);
  if (open !== null)
    return (
      <ContactPage
        contact={open === 'new' ? null : open}
        contacts={contacts}
        network={network}
        onSend={onSend}
        onBack={() => setOpen(null)}
      />
    );
  const found = matching(contacts, text);
  const isFull = contacts.length >= MAX_CONTACTS;
  return (
    <div class="popup-page contacts arrive">
      <PageHead title={t.title} onBack={onBack} />
      {contacts.length > 0 && (
        <input
          ref={search}
          class="input"
          type="search"
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          aria-label={t.search}
          placeholder={t.search}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      {found.length > 0 && (
        <div
          class="card card-flush list"
          data-part="contacts"
          onKeyDown={(event) => moveFocus(event, '.list-row', 'list')}
        >
          {found.map((contact) => (
            <button key={contact.id} type="button" class="list-row" onClick={() => setOpen(contact)}>
              <span class="list-main">
                <span class="list-title">
                  <bdi>{visible(contact.name)}</bdi>
                </span>
                <span class="list-note">
                  {recipientKind(contact.to) === 'ADDRESS' ? (
                    <Address text={contact.to} />
                  ) : (
                    <bdi dir="ltr">{visible(contact.to)}</bdi>
                  )}
                </span>
                {contact.elsewhere !== null && (
                  <span class="list-note">{t.elsewhere({ host: visible(contact.elsewhere) })}</span>
                )}
              </span>
              <span class="muted">
                <ChevronIcon size={16} />
              </span>
            </button>
          ))}
        </div>
      )}
      {found.length === 0 && (
        <div class="empty" role="status">
          <p>{contacts.length > 0 ? t.nothingFits : t.none}</p>
          {contacts.length === 0 && <p class="muted">{t.noneText}</p>}
        </div>
      )}
      {isFull ? (
        <p class="muted">{t.full({ most: formatCount(MAX_CONTACTS) })}</p>
      ) : (
        <button
          type="button"
          class="button button-quiet button-block"
          data-action="add-contact"
          onClick={() => setOpen('new')}
        >
          {t.add}
        </button>
      )}
    </div>
  );
}
