import { Avatar } from '../../ui/people/avatar.tsx';
import { shorten, visible } from '../../ui/amounts/format.ts';
import { moveFocus } from '../../ui/window/shortcuts.ts';
import { contactTexts, sendTexts as t } from '../../ui/texts/texts.ts';
import type { Person } from './people.ts';

interface PeopleListProps {
  people: readonly Person[];
  onPick: (to: string) => void;
  /** Opens the contacts page. Null if there are no contacts. */
  onContacts: (() => void) | null;
}

/** Suggests contacts and recent recipients below a recipient field. A click fills the field. */
export function PeopleList({ people, onPick, onContacts }: PeopleListProps) {
  const label = people.some(({ name }) => name !== null) ? contactTexts.title : t.recents;
  return (
    <div class="send-people" role="group" aria-label={label}>
      <div class="row small">
        <span class="muted" aria-hidden="true">
          {label}
        </span>
        {onContacts !== null && (
          <button type="button" class="link" data-action="contacts" onClick={onContacts}>
            {contactTexts.manage}
          </button>
        )}
      </div>
      <ul class="card card-flush list send-people-list" onKeyDown={(event) => moveFocus(event, '.list-row', 'list')}>
        {people.map(({ to, name }) => (
          <li key={to}>
            <button
              type="button"
              class="list-row"
              data-action={name === null ? 'recent' : 'contact'}
              title={visible(to)}
              onClick={() => onPick(to)}
            >
              {to.includes('@') && <Avatar name={to} paymail={to} ask small />}
              <span class="list-main">
                {name !== null && (
                  <span class="list-title">
                    <bdi>{visible(name)}</bdi>
                  </span>
                )}
                <span class={name === null ? 'list-recent' : 'list-note'}>
                  <bdi dir="ltr">{to.includes('@') || to.length < 20 ? visible(to) : shorten(visible(to))}</bdi>
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
