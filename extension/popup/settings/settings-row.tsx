import type { ComponentChild } from 'preact';
import { ChevronIcon } from '../../ui/controls/icons.tsx';

interface SettingsRowProps {
  title: string;
  note?: string;
  /** Replaces the row's default icon, an arrow. */
  icon?: ComponentChild;
  onClick: () => void;
}

/** Shows a settings row that opens a page or performs an action. */
export function SettingsRow({ title, note, icon, onClick }: SettingsRowProps) {
  return (
    <button type="button" class="list-row" onClick={onClick}>
      <span class="list-main">
        <span class="list-title">{title}</span>
        {note && <span class="list-note">{note}</span>}
      </span>
      <span class="muted">{icon ?? <ChevronIcon size={16} />}</span>
    </button>
  );
}
